//===- ToolchainTest.cpp - what findToolchain finds -------------------------===//

#include "cupel/Support/Toolchain.h"
#include "cupel/Support/File.h"
#include "cupel/Support/TorchPlace.h"
#include "llvm/Support/FileSystem.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <functional>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace cupel;

namespace {

/// The search is made once in a process, so each test has a process of its own.
void inOwnProcess(const std::function<bool()> &Body) {
  pid_t Pid = ::fork();
  if (Pid == 0)
    ::_exit(Body() ? 0 : 1);
  int Status = 1;
  ::waitpid(Pid, &Status, 0);
  EXPECT_EQ(Status, 0);
}

class ToolchainTest : public testing::Test {
protected:
  void SetUp() override {
    Root = Folder.path().str();
    write("cuda/include/cuda_runtime.h", "");
    write("cuda/include/cuda_runtime_api.h", "#define CUDART_VERSION  13020\n");
    write("cuda/bin/nvcc", "", 0755);
    write("venv/bin/python", "", 0755);
    write("venv/lib/python3.11/site-packages/torch/include/torch/x.h", "");
    write("venv/lib/python3.11/site-packages/torch/version.py",
          "__version__ = '2.11.0+cu130'\ndebug = False\n");
  }
  void write(const std::string &Name, llvm::StringRef Contents, mode_t Mode = 0644) {
    llvm::cantFail(writeFileAtomically(Root + "/" + Name, Contents));
    ::chmod((Root + "/" + Name).c_str(), Mode);
  }
  void set(const char *Name, const std::string &Value) { ::setenv(Name, Value.c_str(), 1); }

  TemporaryDirectory Folder = llvm::cantFail(TemporaryDirectory::create("cupel-test"));
  std::string Root;
};

TEST_F(ToolchainTest, TorchThatCannotBeReadIsTold) {
  inOwnProcess([&] {
    const std::string Torch = Root + "/venv/lib/python3.11/site-packages/torch";
    set("CUPEL_TORCH_HOME", Torch);
    if (!whyTorchIsUnreadable().empty())
      return false;
    // Root reads everything.
    ::chmod(Root.c_str(), 0);
    if (::geteuid() == 0 && ::setuid(65534) != 0)
      return false;
    return findToolchain().TorchHome.empty() &&
           whyTorchIsUnreadable() ==
               "torch in '" + Torch + "' cannot be read by this user: Permission denied";
  });
  ::chmod(Root.c_str(), 0700);
}

TEST_F(ToolchainTest, VariablesComeFirst) {
  inOwnProcess([&] {
    set("CUPEL_CUDA_HOME", Root + "/cuda");
    set("CUPEL_PYTHON", Root + "/venv/bin/python");
    set("CUPEL_PROBLEMS", Root + "/problems");
    set("CUPEL_WORKER", Root + "/cuda/bin/nvcc");
    const Toolchain &T = findToolchain();
    EXPECT_EQ(T.CudaHome, Root + "/cuda");
    EXPECT_EQ(T.Nvcc, Root + "/cuda/bin/nvcc");
    EXPECT_EQ(T.CudaVersion, "13.2");
    EXPECT_EQ(T.Python, Root + "/venv/bin/python");
    EXPECT_EQ(T.TorchHome, Root + "/venv/lib/python3.11/site-packages/torch");
    EXPECT_EQ(T.TorchVersion, "2.11.0");
    EXPECT_TRUE(T.TorchCxx11Abi);
    EXPECT_EQ(T.torchIncludeDirs().size(), 2u);
    EXPECT_EQ(T.ProblemDir, Root + "/problems");
    EXPECT_EQ(T.Worker, Root + "/cuda/bin/nvcc");
    return !HasFailure();
  });
}

TEST_F(ToolchainTest, WheelsOfNvidiaLieBesideTorch) {
  std::string Packages = "venv/lib/python3.11/site-packages/";
  write(Packages + "nvidia/cu13/include/cuda_runtime.h", "");
  inOwnProcess([&] {
    set("CUPEL_PYTHON", Root + "/venv/bin/python");
    set("PATH", "/nowhere");
    const Toolchain &T = findToolchain();
    // A toolkit that the build recorded, or the usual one, comes before.
    EXPECT_FALSE(T.CudaHome.empty());
    return !HasFailure();
  });
}

TEST_F(ToolchainTest, AFolderWithoutTorchIsNoTorch) {
  inOwnProcess([&] {
    set("CUPEL_TORCH_HOME", Root + "/cuda");
    EXPECT_TRUE(findToolchain().TorchHome.empty());
    EXPECT_TRUE(findToolchain().torchIncludeDirs().empty());
    return !HasFailure();
  });
}

TEST_F(ToolchainTest, FindsOurOwnFiles) {
  const Toolchain &T = findToolchain();
  EXPECT_TRUE(llvm::sys::fs::exists(T.ClangResourceDir + "/include/stddef.h"));
  EXPECT_TRUE(llvm::sys::fs::is_directory(T.ProblemDir));
  EXPECT_FALSE(T.HostCompiler.empty());
  EXPECT_TRUE(llvm::sys::fs::can_execute(executablePath()));
  EXPECT_TRUE(llvm::StringRef(executablePath()).starts_with(installPrefix()));
}

} // namespace
