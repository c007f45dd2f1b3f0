//===- NvccPlanTest.cpp - nvcc's own steps against nvcc ----------------------===//

#include "NvccPlan.h"
#include "cupel/Support/File.h"
#include "cupel/Support/Process.h"
#include "cupel/Support/Toolchain.h"
#include "gtest/gtest.h"

using namespace cupel;

TEST(NvccPlan, OtherListingsAreNoPlan) {
  EXPECT_FALSE(readNvccPlan(""));
  EXPECT_FALSE(readNvccPlan("nvcc fatal   : Unsupported gpu architecture 'sm_17'\n"));
  EXPECT_FALSE(readNvccPlan("#$ PATH=/bin\n#$ gcc -E x\n#$ cudafe++ x\n#$ gcc -c x\n"));
}

static ProcessResult run(const std::string &Folder, std::vector<std::string> Command) {
  ProcessOptions Options;
  Options.Program = Command.front();
  Options.Arguments.assign(Command.begin() + 1, Command.end());
  Options.WorkingDirectory = Folder;
  Options.TimeoutSeconds = 200;
  return llvm::cantFail(runProcess(Options));
}

/// Kernels with a static variable and in an unnamed namespace: their names hold the module's name.
static const char *const Source = R"(static __device__ int counter;
namespace { template <typename T> __global__ void fill(T *x) { x[threadIdx.x] = counter; } }
static __global__ void count() { atomicAdd(&counter, 1); }
void launch(float *x) { count<<<1, 32>>>(); fill<<<1, 32>>>(x); }
)";

TEST(NvccPlan, MakesTheObjectThatNvccMakes) {
  const Toolchain &Tools = findToolchain();
  if (Tools.Nvcc.empty())
    GTEST_SKIP() << "no nvcc";
  TemporaryDirectory Folder = llvm::cantFail(TemporaryDirectory::create("cupel-plan-test"));
  std::string Path = Folder.path().str();
  llvm::cantFail(writeFileAtomically(Path + "/submission.cu", Source));
  std::vector<std::string> Command = {Tools.Nvcc,
                                      "-gencode=arch=compute_90a,code=sm_90a",
                                      "-O3",
                                      "-lineinfo",
                                      "--keep",
                                      "--keep-dir",
                                      Path,
                                      "-c",
                                      "submission.cu",
                                      "-o",
                                      Path + "/submission.o"};
  ProcessResult Whole = run(Path, Command);
  ASSERT_TRUE(Whole.succeeded()) << Whole.Stderr;
  std::string Object = llvm::cantFail(readFile(Path + "/submission.o"));

  Command.push_back("--dryrun");
  std::optional<NvccPlan> Plan = readNvccPlan(run(Path, Command).Stderr);
  ASSERT_TRUE(Plan);
  // The name that nvcc chose is still in its file.
  EXPECT_FALSE(llvm::cantFail(readFile(Plan->ModuleIdFile)).empty());
  ASSERT_EQ(::remove((Path + "/submission.o").c_str()), 0);
  for (const std::string &Script : {Plan->Device, Plan->Host, Plan->Finish}) {
    ProcessResult Step = run(Path, {"/bin/sh", "-c", Script});
    ASSERT_TRUE(Step.succeeded()) << Script << Step.Stderr;
  }
  EXPECT_TRUE(llvm::cantFail(readFile(Path + "/submission.o")) == Object);
}
