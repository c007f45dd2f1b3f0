//===- ProcessTest.cpp - limits on children that try to get around them -----===//

#include "cupel/Support/Process.h"
#include "TestSupport.h"
#include "cupel/Support/File.h"
#include "gtest/gtest.h"
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <thread>
#include <unistd.h>

using namespace cupel;

namespace {

ProcessOptions child(std::vector<std::string> Arguments) {
  ProcessOptions Options;
  Options.Program = CUPEL_TEST_CHILD;
  Options.Arguments = std::move(Arguments);
  Options.TimeoutSeconds = 60; // A hang must not hang the suite.
  return Options;
}

ProcessResult run(const ProcessOptions &Options) {
  llvm::Expected<ProcessResult> Result = runProcess(Options);
  if (!Result) {
    ADD_FAILURE() << llvm::toString(Result.takeError());
    return {};
  }
  return std::move(*Result);
}

/// A zombie still has its id until somebody reaps it; nothing of ours may even be that.
bool alive(int Pid) { return Pid > 0 && ::kill(Pid, 0) == 0; }

TEST(Process, TellsHowItEnded) {
  ProcessResult Three = run(child({"exit", "3"}));
  EXPECT_EQ(Three.Kind, ExitKind::Exited);
  EXPECT_EQ(Three.Code, 3);
  EXPECT_EQ(Three.describe(), "exited with status 3");
  EXPECT_FALSE(Three.succeeded());
  EXPECT_TRUE(run(child({"exit", "0"})).succeeded());

  ProcessResult Crash = run(child({"signal", "11"}));
  EXPECT_EQ(Crash.Kind, ExitKind::Signaled);
  EXPECT_EQ(Crash.Signal, SIGSEGV);
  EXPECT_EQ(Crash.describe(), "was killed by SIGSEGV (segmentation fault)");
}

TEST(Process, CapturesBothStreamsAndFeedsInput) {
  ProcessResult Said = run(child({"say", "hello"}));
  EXPECT_EQ(Said.Stdout, "hello\n");
  EXPECT_EQ(Said.Stderr, "to stderr\n");
  EXPECT_GT(Said.MaxRssBytes, 0u);

  ProcessOptions Copy = child({"copy-input"});
  Copy.KeptOutputBytes = 4 << 20;
  Copy.StdinText = std::string(3 << 20, 'i'); // More than both pipes hold together.
  EXPECT_EQ(run(Copy).Stdout, Copy.StdinText);

  ProcessOptions Deaf = child({"exit", "0"}); // Reads nothing of it.
  Deaf.StdinText = Copy.StdinText;
  EXPECT_TRUE(run(Deaf).succeeded());
}

TEST(Process, GivesOnlyTheDescriptorsThatAreNamed) {
  int Leaky = ::open("/dev/null", O_RDONLY); // Not close-on-exec.
  EXPECT_EQ(run(child({"descriptors"})).Stdout, "0 1 2 \n");
  ProcessOptions Passing = child({"descriptors"});
  Passing.Descriptors = {{Leaky, 7}};
  EXPECT_EQ(run(Passing).Stdout, "0 1 2 7 \n");
  ::close(Leaky);
}

TEST(Process, SetsEnvironmentAndFolder) {
  ::setenv("CUPEL_TEST_VARIABLE", "ours", 1);
  ProcessOptions Options = child({"environment", "CUPEL_TEST_VARIABLE"});
  EXPECT_EQ(run(Options).Stdout, "ours\n");
  Options.Environment = {"CUPEL_TEST_VARIABLE=theirs"};
  EXPECT_EQ(run(Options).Stdout, "theirs\n");
  Options.Environment = {};
  Options.InheritEnvironment = false;
  EXPECT_EQ(run(Options).Stdout, "(unset)\n");

  ProcessOptions Folder = child({"folder"});
  Folder.WorkingDirectory = "/usr";
  EXPECT_EQ(run(Folder).Stdout, "/usr\n");
}

TEST(Process, TellsWhyItCannotStart) {
  ProcessOptions Options;
  Options.Program = "no-such-program-of-cupel";
  EXPECT_EQ(
      errorOf(runProcess(Options)),
      "program-missing: no program 'no-such-program-of-cupel' is found in the folders of PATH");
  Options.Program = "/no/such/program";
  EXPECT_EQ(errorOf(runProcess(Options)),
            "program-missing: no program '/no/such/program' is found");
  Options.Program = "/etc/passwd";
  EXPECT_EQ(errorOf(runProcess(Options)),
            "program-not-executable: '/etc/passwd' cannot be run: Permission denied");
  ProcessOptions Nowhere = child({"exit", "0"});
  Nowhere.WorkingDirectory = "/no/such/folder";
  EXPECT_EQ(errorOf(runProcess(Nowhere)),
            "folder-missing: the folder '/no/such/folder' to run '" CUPEL_TEST_CHILD
            "' in cannot be entered: No such file or directory");
  EXPECT_EQ(errorOf(ChildProcess::start(Nowhere)).substr(0, 14), "folder-missing");
}

TEST(Process, StopsWhatRunsTooLong) {
  for (const char *Mode : {"sleep", "ignore-signals", "close-output", "spin"}) {
    ProcessOptions Options = child({Mode});
    Options.TimeoutSeconds = 0.3;
    ProcessResult Result = run(Options);
    EXPECT_EQ(Result.Kind, ExitKind::TimedOut) << Mode;
    EXPECT_EQ(Result.Signal, SIGKILL) << Mode;
    EXPECT_LT(Result.WallSeconds, 5) << Mode;
    EXPECT_EQ(Result.describe(), "ran longer than its limit of 300 ms");
  }
}

TEST(Process, LimitsCpuTime) {
  ProcessOptions Options = child({"spin"});
  Options.CpuSeconds = 1;
  ProcessResult Result = run(Options);
  EXPECT_EQ(Result.Kind, ExitKind::CpuLimit);
  EXPECT_EQ(Result.describe(), "used more CPU time than it may");
}

TEST(Process, KeepsBothEndsOfAFlood) {
  ProcessOptions Options = child({"flood"});
  Options.KeptOutputBytes = 1000;
  Options.TimeoutSeconds = 0.3;
  ProcessResult Result = run(Options);
  EXPECT_EQ(Result.Kind, ExitKind::TimedOut);
  EXPECT_TRUE(Result.StdoutTruncated);
  EXPECT_FALSE(Result.StderrTruncated);
  EXPECT_LT(Result.Stdout.size(), 1100u);
  EXPECT_NE(Result.Stdout.find(" bytes left out]"), std::string::npos);

  Options.TimeoutSeconds = 60;
  Options.MaxOutputBytes = 10 << 20;
  Result = run(Options);
  EXPECT_EQ(Result.Kind, ExitKind::OutputLimit);
  EXPECT_EQ(Result.describe(), "printed more than it may");
}

TEST(Process, LimitsMemoryOfTheWholeTree) {
  for (const char *Mode : {"memory", "memory-in-child"}) {
    ProcessOptions Options = child({Mode, "300000000"});
    Options.MemoryBytes = 100 << 20;
    ProcessResult Result = run(Options);
    EXPECT_EQ(Result.Kind, ExitKind::MemoryLimit) << Mode;
    EXPECT_EQ(Result.describe(), "used more memory than its limit of 100 MiB");
  }
}

TEST(Process, LimitsAddressSpaceAndFiles) {
  ProcessOptions Memory = child({"memory", "300000000"});
  Memory.AddressSpaceBytes = 100 << 20;
  EXPECT_EQ(run(Memory).Code, 12);
  TemporaryDirectory Folder = llvm::cantFail(TemporaryDirectory::create("cupel-test"));
  ProcessOptions File = child({"big-file", Folder.path().str() + "/big"});
  File.MaxFileBytes = 1 << 20;
  EXPECT_EQ(run(File).Code, 27);
}

TEST(Process, KillsWhatOutlivesTheChild) {
  ProcessResult Result = run(child({"daemon"}));
  EXPECT_EQ(Result.Kind, ExitKind::Exited);
  EXPECT_EQ(Result.LeftBehind, 1u);
  EXPECT_FALSE(alive(std::atoi(Result.Stdout.c_str())));

  ProcessOptions Late = child({"daemon-and-sleep"});
  Late.TimeoutSeconds = 0.3;
  Result = run(Late);
  EXPECT_EQ(Result.Kind, ExitKind::TimedOut);
  EXPECT_FALSE(alive(std::atoi(Result.Stdout.c_str())));
}

TEST(Process, StopsForkBombs) {
  for (const char *Mode : {"fork-bomb", "session-bomb"}) {
    ProcessOptions Options = child({Mode});
    Options.MaxProcesses = 50;
    ProcessResult Result = run(Options);
    EXPECT_EQ(Result.Kind, ExitKind::ProcessLimit) << Mode;
    EXPECT_FALSE(Result.Unkillable) << Mode;
    EXPECT_EQ(Result.describe(), "started more processes than it may");
  }
}

TEST(Process, SurvivesTheLossOfAKeeper) {
  ProcessResult Result = run(child({"kill-keeper"}));
  EXPECT_EQ(Result.Kind, ExitKind::KeeperLost);
  EXPECT_FALSE(Result.Unkillable);
  EXPECT_FALSE(alive(std::atoi(Result.Stdout.c_str())));
}

TEST(Process, RunsFromManyThreadsAtOnce) {
  std::vector<std::thread> Threads;
  for (int I = 0; I != 8; ++I)
    Threads.emplace_back([I] {
      for (int J = 0; J != 10; ++J) {
        ProcessResult Result = run(child({J % 2 ? "daemon" : "say", std::to_string(I)}));
        EXPECT_TRUE(Result.succeeded());
        if (J % 2)
          EXPECT_EQ(Result.LeftBehind, 1u);
        else
          EXPECT_EQ(Result.Stdout, std::to_string(I) + "\n");
      }
    });
  for (std::thread &Thread : Threads)
    Thread.join();
}

using Io = ChildProcess::Io;

TEST(ChildProcess, TalksInLines) {
  auto Child = llvm::cantFail(ChildProcess::start(child({"converse"})));
  std::string Line;
  for (int I = 0; I != 100; ++I) {
    std::string Text = "line " + std::to_string(I);
    EXPECT_EQ(Child->writeLine(Text, 5), Io::Done);
    EXPECT_EQ(Child->readLine(Line, 5), Io::Done);
    EXPECT_EQ(Line, "re: " + Text);
  }
  EXPECT_TRUE(Child->running());
  EXPECT_EQ(Child->readLine(Line, 0.05), Io::TimedOut);
  ProcessResult Result = Child->wait(5);
  EXPECT_TRUE(Result.succeeded());
  EXPECT_FALSE(Child->running());
  EXPECT_EQ(Child->readLine(Line, 5), Io::Ended);
}

TEST(ChildProcess, IsNotBlockedByAFloodOfOutput) {
  ProcessOptions Options = child({"flood-and-converse"});
  Options.KeptOutputBytes = 1 << 16;
  auto Child = llvm::cantFail(ChildProcess::start(Options));
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  std::string Line;
  EXPECT_EQ(Child->writeLine("hello", 5), Io::Done);
  EXPECT_EQ(Child->readLine(Line, 5), Io::Done);
  EXPECT_EQ(Line, "re: hello");
  ProcessResult Result = Child->wait(1);
  EXPECT_EQ(Result.Kind, ExitKind::Exited);
  EXPECT_EQ(Result.LeftBehind, 1u);
  EXPECT_TRUE(Result.StdoutTruncated);
}

TEST(ChildProcess, NeverWaitsForEver) {
  std::string Line;
  auto Silent = llvm::cantFail(ChildProcess::start(child({"sleep"})));
  EXPECT_EQ(Silent->readLine(Line, 0.1), Io::TimedOut);
  // It reads nothing, so the pipe is full at some time.
  EXPECT_EQ(Silent->writeLine(std::string(1 << 20, 'x'), 0.1), Io::TimedOut);
  ProcessResult Result = Silent->wait(0.1);
  EXPECT_EQ(Result.Kind, ExitKind::Killed);
  EXPECT_EQ(Result.describe(), "was stopped");

  auto Dead = llvm::cantFail(ChildProcess::start(child({"signal", "6"})));
  EXPECT_EQ(Dead->readLine(Line, 30), Io::Ended);
  while (Dead->writeLine(std::string(1 << 16, 'x'), 5) == Io::Done) {
  }
  EXPECT_EQ(Dead->wait(5).Signal, SIGABRT);

  auto Closed = llvm::cantFail(ChildProcess::start(child({"close-replies"})));
  EXPECT_EQ(Closed->readLine(Line, 30), Io::Ended);
  EXPECT_TRUE(Closed->running());

  auto Flooding = llvm::cantFail(ChildProcess::start(child({"flood-replies"})));
  EXPECT_EQ(Flooding->readLine(Line, 30, 1 << 20), Io::TooLong);
}

TEST(ChildProcess, EndsWithItsOwner) {
  int Daemon = 0, Pid = 0;
  {
    auto Child = llvm::cantFail(ChildProcess::start(child({"daemon-and-sleep"})));
    Pid = Child->pid();
    EXPECT_TRUE(alive(Pid));
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    Child->kill();
    Daemon = std::atoi(Child->wait(5).Stdout.c_str());
    EXPECT_GT(Daemon, 0);
  }
  EXPECT_FALSE(alive(Pid));
  EXPECT_FALSE(alive(Daemon));

  auto Child = llvm::cantFail(ChildProcess::start(child({"ignore-signals"})));
  Pid = Child->pid();
  Child.reset();
  EXPECT_FALSE(alive(Pid));
}

/// We are killed; the children are not told by anybody.
TEST(ChildProcess, EndsWhenWeAreKilled) {
  int Ends[2];
  ASSERT_EQ(::pipe(Ends), 0);
  pid_t Owner = ::fork();
  if (Owner == 0) {
    auto Child = llvm::cantFail(ChildProcess::start(child({"ignore-signals"})));
    int Pid = Child->pid();
    (void)!::write(Ends[1], &Pid, sizeof(Pid));
    ::kill(::getpid(), SIGKILL);
  }
  int Pid = 0;
  ASSERT_EQ(::read(Ends[0], &Pid, sizeof(Pid)), ssize_t(sizeof(Pid)));
  for (int Wait = 0; Wait != 500 && alive(Pid); ++Wait)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_FALSE(alive(Pid));
  ::close(Ends[0]);
  ::close(Ends[1]);
}

} // namespace
