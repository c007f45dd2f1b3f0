//===- FakeRun.h - runs against the fake worker ------------------------------===//
#ifndef CUPEL_UNITTESTS_RUNNER_FAKERUN_H
#define CUPEL_UNITTESTS_RUNNER_FAKERUN_H

#include "cupel/Runner/Runner.h"
#include "cupel/Support/File.h"
#include "gtest/gtest.h"
#include <chrono>
#include <filesystem>
#include <thread>
#include <unistd.h>

namespace cupel {

/// A problem with three cases, the last of them timed.
inline ProblemSpec fakeProblem(std::string Source = "good") {
  ProblemSpec Problem;
  Problem.Id = "test/fake";
  Problem.ReferenceSource = std::move(Source);
  TensorSpec X;
  X.Name = "x";
  X.DType = "float32";
  X.Shape = {ShapeExpr(2), ShapeExpr(3)};
  X.Init.Kind = "normal";
  Problem.Inputs.push_back({X, std::nullopt});
  Problem.EntryArguments = {"x"};
  for (const char *Name : {"big", "small", "ragged"}) {
    CaseSpec Case;
    Case.Name = Name;
    Case.IsCheck = true;
    Case.IsBenchmark = Case.Name == "big";
    Problem.Cases.push_back(Case);
  }
  return Problem;
}

inline RunRequest fakeRequest(std::string Library, std::string Source = "good") {
  RunRequest Request;
  Request.Problem = fakeProblem(std::move(Source));
  Request.Library = std::move(Library);
  Request.Entry = "cupel_entry";
  Request.Seed = 42;
  Request.Stopping.TimeLimitSeconds = 0.5;
  Request.Workers.Worker = CUPEL_FAKE_WORKER;
  // Short only where the limit is what is tested: a busy machine is slow.
  bool Hangs = llvm::StringRef(Request.Library).contains("hang");
  Request.Workers.Limits.CallSeconds = Hangs ? 1 : 30;
  Request.Workers.Limits.StartSeconds = 30;
  Request.Workers.Limits.MaxOutputBytes = 1 << 20;
  Request.Workers.Limits.MemoryBytes = 512 << 20;
  Request.Workers.Limits.MaxProcesses = 8;
  return Request;
}

/// Processes of the fake worker that are alive.
inline unsigned fakeProcesses() {
  unsigned Count = 0;
  std::error_code Ignored;
  for (const auto &Entry : std::filesystem::directory_iterator("/proc", Ignored)) {
    std::filesystem::path Exe = std::filesystem::read_symlink(Entry.path() / "exe", Ignored);
    Count += !Ignored && Exe == CUPEL_FAKE_WORKER;
  }
  return Count;
}

/// Whether so many fake workers are alive within ten seconds: a process that was just started is
/// not yet the worker's program, one that was just killed may still be.
inline bool becomesFakeProcesses(unsigned Count) {
  auto End = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (fakeProcesses() != Count) {
    if (std::chrono::steady_clock::now() > End)
      return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

/// Each test has a folder for temporary files that must be empty, and no process, at its end.
class FakeRun : public testing::Test {
protected:
  FakeRun() : Folder(llvm::cantFail(TemporaryDirectory::create("cupel-runner-test"))) {
    ::setenv("TMPDIR", Folder.path().str().c_str(), 1);
  }
  ~FakeRun() override {
    EXPECT_TRUE(std::filesystem::is_empty(Folder.path().str()));
    EXPECT_TRUE(becomesFakeProcesses(0));
    ::unsetenv("TMPDIR");
  }

  RunRecord run(const RunRequest &Request) {
    llvm::Expected<RunRecord> Record = runSubmission(Request);
    if (Record)
      return std::move(*Record);
    ADD_FAILURE() << llvm::toString(Record.takeError());
    return {};
  }

  /// Code of the error with which the run must end.
  std::string errorOf(const RunRequest &Request, std::string *Text = nullptr) {
    llvm::Expected<RunRecord> Record = runSubmission(Request);
    if (Record)
      return "no error";
    std::vector<Reason> Reasons = takeReasons(Record.takeError());
    if (Text)
      *Text = Reasons.front().Text;
    return Reasons.front().Code;
  }

  TemporaryDirectory Folder;
};

} // namespace cupel

#endif // CUPEL_UNITTESTS_RUNNER_FAKERUN_H
