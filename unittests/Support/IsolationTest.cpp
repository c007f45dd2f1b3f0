//===- IsolationTest.cpp - what a child can no longer do --------------------===//
//
// A container may refuse any layer, so each claim is about a child whose report says that the layer
// holds; that a layer which does not hold says why is asserted everywhere.
//
//===----------------------------------------------------------------------===//

#include "cupel/Support/Isolation.h"
#include "../../lib/Support/ControlGroup.h"
#include "TestSupport.h"
#include "cupel/Support/File.h"
#include "cupel/Support/LibraryFolders.h"
#include "cupel/Support/Process.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace cupel;
namespace fs = std::filesystem;

namespace {

class Isolation : public testing::Test {
protected:
  Isolation() : Folder(llvm::cantFail(TemporaryDirectory::create("cupel-isolation-test"))) {
    ::chmod(Folder.path().str().c_str(), 0711);
    fs::create_directory(path("scratch"));
    std::ofstream(path("secret")) << "42\n";
  }

  std::string path(const char *Name) const { return (Folder.path() + "/" + Name).str(); }

  ProcessOptions isolated(std::string Program, std::vector<std::string> Arguments) const {
    ProcessOptions Options;
    Options.Program = std::move(Program);
    Options.Arguments = std::move(Arguments);
    Options.TimeoutSeconds = 60;
    Options.WorkingDirectory = path("scratch");
    Options.Isolation.emplace();
    Options.Isolation->Scratch = path("scratch");
    return Options;
  }

  ProcessResult run(const ProcessOptions &Options) const {
    llvm::Expected<ProcessResult> Result = runProcess(Options);
    if (!Result) {
      ADD_FAILURE() << llvm::toString(Result.takeError());
      return {};
    }
    EXPECT_EQ(Result->Isolation.size(), IsolationLayerCount);
    for (const LayerState &State : Result->Isolation)
      EXPECT_EQ(State.Why.empty(), State.Held || !State.Asked) << toString(State.Layer).str();
    return std::move(*Result);
  }

  /// What the attempts of IsolatedChild.cpp came to.
  std::map<std::string, std::string> attempts(const ProcessResult &Result) const {
    EXPECT_TRUE(Result.succeeded()) << Result.describe() << Result.Stderr;
    std::map<std::string, std::string> Lines;
    std::istringstream In(Result.Stdout);
    for (std::string Name, Outcome; In >> Name >> Outcome;)
      Lines[Name] = Outcome;
    return Lines;
  }

  TemporaryDirectory Folder;
};

bool holds(const ProcessResult &Result, IsolationLayer Layer) {
  return llvm::any_of(Result.Isolation,
                      [&](const LayerState &S) { return S.Layer == Layer && S.Held; });
}

TEST_F(Isolation, RefusesWhatItSays) {
  ProcessResult Result =
      run(isolated(CUPEL_ISOLATED_CHILD, {std::to_string(::getpid()), path("secret")}));
  auto Did = attempts(Result);
  using enum IsolationLayer;
  if (holds(Result, SystemCalls)) {
    for (const char *Name : {"ptrace", "read-ours", "unshare-user", "clone-user", "setns", "mount",
                             "keyctl", "bpf", "io-uring", "perf", "userfaultfd"})
      EXPECT_EQ(Did[Name], "EPERM") << Name;
    for (const char *Name : {"socket-inet", "socket-netlink", "socket-vsock"})
      EXPECT_EQ(Did[Name], "EAFNOSUPPORT") << Name;
  }
  EXPECT_EQ(Did["socket-unix"], "done");
  if (holds(Result, Processes)) {
    EXPECT_EQ(Did["signal-ours"], "ESRCH");
  }
  if (holds(Result, HostName)) {
    EXPECT_EQ(Did["host"], "candidate");
  }
  if (holds(Result, User)) {
    EXPECT_NE(Did["user"], "0");
  }
  if (holds(Result, Privileges)) {
    EXPECT_NE(Did["new-user"], "done");
    EXPECT_EQ(Did["device-node"], "EPERM");
  }
  if (holds(Result, Files)) {
    EXPECT_EQ(Did["read-secret"], "ENOENT");
    EXPECT_NE(Did["write-system"], "done");
    EXPECT_NE(Did["write-outside"], "done");
    EXPECT_NE(Did["write-proc"], "done");
    EXPECT_NE(Did["write-sysrq"], "done");
    EXPECT_TRUE(fs::is_empty(path("scratch"))) << "it wrote to a file system of its own";
  } else if (holds(Result, Landlock)) {
    EXPECT_EQ(Did["read-secret"], "EACCES");
    EXPECT_EQ(Did["write-outside"], "EACCES");
  }
  EXPECT_FALSE(fs::exists(path("secret.theirs")));
  EXPECT_EQ(Did["write-scratch"], "done");
  if (holds(Result, Files) || holds(Result, Landlock)) {
    EXPECT_NE(Did["name-thread"], "done");
  }
}

/// Each layer alone, as in a container that refuses the others.
TEST_F(Isolation, LayersHoldOneByOne) {
  auto With = [&](const char *Layers) {
    ProcessOptions Options =
        isolated(CUPEL_ISOLATED_CHILD, {std::to_string(::getpid()), path("secret")});
    Options.Isolation->Layers = llvm::cantFail(parseIsolation(Layers));
    // The file that the last child left is another user's.
    fs::remove_all(path("scratch"));
    fs::create_directory(path("scratch"));
    return run(Options);
  };
  ProcessResult Calls = With("none,+system-calls");
  if (holds(Calls, IsolationLayer::SystemCalls)) {
    EXPECT_EQ(attempts(Calls)["socket-inet"], "EAFNOSUPPORT");
    EXPECT_EQ(attempts(Calls)["read-secret"], "done");
  }
  ProcessResult Landlocked = With("none,+landlock");
  if (holds(Landlocked, IsolationLayer::Landlock)) {
    EXPECT_EQ(attempts(Landlocked)["read-secret"], "EACCES");
    EXPECT_EQ(attempts(Landlocked)["write-outside"], "EACCES");
    EXPECT_EQ(attempts(Landlocked)["write-scratch"], "done");
  }
  ProcessResult NoPids = With("full,-processes");
  EXPECT_FALSE(holds(NoPids, IsolationLayer::Processes));
  EXPECT_EQ(attempts(NoPids)["write-scratch"], "done");
  if (holds(NoPids, IsolationLayer::User) || holds(NoPids, IsolationLayer::Landlock)) {
    EXPECT_EQ(attempts(NoPids)["signal-ours"], "EPERM");
  }
  ProcessOptions Bare = isolated("/bin/true", {});
  Bare.Isolation->Layers = 0;
  for (const LayerState &State : run(Bare).Isolation)
    EXPECT_FALSE(State.Held || State.Asked);
}

/// CUDA does not start where it cannot name its threads; the machine's part of /proc stays closed,
/// also to the user 0, which may write what belongs to it without any capability.
TEST_F(Isolation, LetsCudaNameItsThreadsAndNoMore) {
  for (const char *Layers :
       {"full", "full,-user", "full,-files", "full,-processes", "full,-landlock",
        "none,+namespace,+processes,+privileges", "none,+user,+landlock"}) {
    ProcessOptions Options =
        isolated(CUPEL_ISOLATED_CHILD, {std::to_string(::getpid()), path("secret")});
    Options.Isolation->Layers = llvm::cantFail(parseIsolation(Layers));
    Options.Isolation->Gpu = true;
    fs::remove_all(path("scratch"));
    fs::create_directory(path("scratch"));
    ProcessResult Result = run(Options);
    auto Did = attempts(Result);
    using enum IsolationLayer;
    if (holds(Result, Processes) || holds(Result, User)) {
      EXPECT_EQ(Did["name-thread"], "done") << Layers;
      EXPECT_NE(Did["write-proc"], "done") << Layers;
      EXPECT_NE(Did["write-sysrq"], "done") << Layers;
    }
    if (holds(Result, Processes)) {
      EXPECT_EQ(Did["signal-ours"], "ESRCH") << Layers;
    }
  }
}

TEST_F(Isolation, EndsKeepTheirMeaning) {
  auto Run = [&](std::vector<std::string> Arguments, auto Change) {
    ProcessOptions Options = isolated(CUPEL_TEST_CHILD, std::move(Arguments));
    Change(Options);
    return run(Options);
  };
  auto Plain = [](ProcessOptions &) {};
  EXPECT_EQ(Run({"exit", "3"}, Plain).Code, 3);
  for (int Signal : {SIGSEGV, SIGABRT, SIGKILL, SIGTERM, SIGUSR1}) {
    ProcessResult Result = Run({"signal", std::to_string(Signal)}, Plain);
    EXPECT_EQ(Result.Kind, ExitKind::Signaled);
    EXPECT_EQ(Result.Signal, Signal);
  }
  EXPECT_EQ(Run({"sleep"}, [](ProcessOptions &O) { O.TimeoutSeconds = 0.3; }).Kind,
            ExitKind::TimedOut);
  EXPECT_EQ(Run({"flood"}, [](ProcessOptions &O) { O.MaxOutputBytes = 1 << 20; }).Kind,
            ExitKind::OutputLimit);
  EXPECT_EQ(Run({"memory", "300000000"}, [](ProcessOptions &O) { O.MemoryBytes = 100 << 20; }).Kind,
            ExitKind::MemoryLimit);
  for (const char *Bomb : {"fork-bomb", "session-bomb"})
    EXPECT_EQ(Run({Bomb}, [](ProcessOptions &O) { O.MaxProcesses = 20; }).Kind,
              ExitKind::ProcessLimit);
  EXPECT_EQ(Run({"spin"}, [](ProcessOptions &O) { O.CpuSeconds = 1; }).Kind, ExitKind::CpuLimit);
  ProcessResult Daemon = Run({"daemon"}, Plain);
  EXPECT_TRUE(Daemon.succeeded());
  EXPECT_EQ(Daemon.LeftBehind, 1u);
  EXPECT_FALSE(Daemon.Unkillable);
}

/// A process that starts threads is one process, which no count of processes stops.
TEST_F(Isolation, BoundsThreads) {
  ProcessOptions Options = isolated(CUPEL_TEST_CHILD, {"threads"});
  Options.MaxProcesses = 20;
  ProcessResult Result = run(Options);
  if (!holds(Result, IsolationLayer::Namespace) || !holds(Result, IsolationLayer::User))
    GTEST_SKIP() << "no user namespace with a user of its own";
  ASSERT_TRUE(Result.succeeded());
  const int Started = std::stoi(Result.Stdout);
  EXPECT_GT(Started, 256);
  EXPECT_LE(Started, 20 + 256 + 16 * int(std::thread::hardware_concurrency()));
}

TEST_F(Isolation, ShowsWhatIsNeededAndNoMore) {
  fs::create_directories(path("real/deep"));
  fs::create_directory(path("other"));
  std::ofstream(path("real/deep/file")) << "needed\n";
  fs::create_symlink("real", path("link"));
  ProcessOptions Options =
      isolated("/bin/sh", {"-c", "cat " + path("link/deep/file") + "; ls " + path("")});
  Options.Isolation->Readable = {path("link/deep"), path("absent")};
  ProcessResult Result = run(Options);
  EXPECT_NE(Result.Stdout.find("needed\n"), std::string::npos) << Result.Stderr;
  EXPECT_EQ(Result.Stdout.find("other"), std::string::npos);
}

TEST_F(Isolation, WritesWhereItMay) {
  fs::create_directory(path("out"));
  ::chmod(path("out").c_str(), 0777);
  ProcessOptions Options = isolated("/bin/sh", {"-c", "echo made > " + path("out/file")});
  Options.Isolation->Writable = {path("out")};
  EXPECT_TRUE(run(Options).succeeded());
  std::string Line;
  std::getline(std::ifstream(path("out/file")), Line);
  EXPECT_EQ(Line, "made");
}

/// A library that only root may read is no reason not to judge.
TEST_F(Isolation, KeepsItsUserWhereAnotherCouldNotRead) {
  if (::geteuid() != 0)
    GTEST_SKIP() << "only root can become another user";
  ::chmod(path("secret").c_str(), 0600);
  ProcessOptions Options = isolated("/bin/cat", {path("secret")});
  Options.Isolation->Readable = {path("secret")};
  ProcessResult Result = run(Options);
  EXPECT_EQ(Result.Stdout, "42\n") << Result.Stderr;
  EXPECT_FALSE(holds(Result, IsolationLayer::User));
  EXPECT_NE(describeMissing(Result.Isolation).find("cannot be read by another user"),
            std::string::npos);
}

TEST_F(Isolation, TellsWhatCannotBeStarted) {
  std::ofstream(path("no-program")) << "text\n";
  ::chmod(path("no-program").c_str(), 0755);
  llvm::Expected<ProcessResult> Result = runProcess(isolated(path("no-program"), {}));
  ASSERT_FALSE(bool(Result));
  EXPECT_EQ(takeReasons(Result.takeError()).front().Code, "program-not-executable");
}

TEST(IsolationText, IsReadAndWrong) {
  auto Read = [](const char *Text) { return llvm::cantFail(parseIsolation(Text)); };
  EXPECT_EQ(Read("full"), AllIsolationLayers);
  EXPECT_EQ(Read("none"), 0u);
  EXPECT_EQ(Read("full,-network"), AllIsolationLayers & ~layerBit(IsolationLayer::Network));
  EXPECT_EQ(Read("none,+user,+files"),
            layerBit(IsolationLayer::User) | layerBit(IsolationLayer::Files));
  for (const char *Text : {"", "all", "full,network", "full,-netwrk", "-network", "full,"}) {
    llvm::Expected<IsolationLayers> Wrong = parseIsolation(Text);
    ASSERT_FALSE(bool(Wrong)) << Text;
    std::string Message = llvm::toString(Wrong.takeError());
    EXPECT_NE(Message.find("system-calls"), std::string::npos) << Message;
  }
  IsolationReport Report = {{IsolationLayer::User, false, true, "no root"},
                            {IsolationLayer::Ipc, true, true, ""},
                            {IsolationLayer::Files, false, false, ""}};
  EXPECT_EQ(describeMissing(Report), "not available: user (no root); switched off: files");
}

TEST(LibraryFolders, AreThoseOfTheFile) {
  EXPECT_EQ(
      libraryFolders(CUPEL_ISOLATED_CHILD),
      std::vector<std::string>({"/nowhere/one", fs::path(CUPEL_ISOLATED_CHILD).parent_path()}));
  EXPECT_TRUE(libraryFolders(__FILE__).empty());
  EXPECT_TRUE(libraryFolders("/absent").empty());
}

/// A folder that looks like a control group's file system; the kernel's own needs rights that tests
/// do not have everywhere.
TEST_F(Isolation, AControlGroupIsMadeOnlyWhereLimitsArePassedOn) {
  fs::create_directories(path("cgroup/user/session"));
  auto Write = [&](const char *File, const char *Text) { std::ofstream(path(File)) << Text; };
  Write("cgroup/cgroup.controllers", "cpu memory pids\n");
  Write("own", "0::/user/session\n");
  Write("cgroup/user/session/cgroup.subtree_control", "\n");
  Write("cgroup/user/cgroup.subtree_control", "memory\n");
  {
    ControlGroup None(1 << 30, 100, path("cgroup"), path("own"));
    EXPECT_EQ(None.processes(), -1);
    EXPECT_EQ(None.errorNumber(), ENOENT);
    EXPECT_FALSE(None.ranOutOfMemory());
  }
  Write("cgroup/user/cgroup.subtree_control", "cpu memory pids\n");
  // A real file system would put the files into the new folder; here their absence is told.
  ControlGroup Broken(1 << 30, 100, path("cgroup"), path("own"));
  EXPECT_EQ(Broken.processes(), -1);
  EXPECT_EQ(Broken.errorNumber(), ENOENT);
  for (const auto &Entry : fs::directory_iterator(path("cgroup/user")))
    EXPECT_EQ(Entry.path().filename().string().find("cupel-"), std::string::npos)
        << "it is left behind";
}

} // namespace
