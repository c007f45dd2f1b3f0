//===- MisbehaviourTest.cpp - what goes wrong gets its own reason ------------===//

#include "FakeRun.h"
#include "llvm/ADT/STLExtras.h"
#include <chrono>

using namespace cupel;

namespace {

struct Expectation {
  const char *Library, *Code;
  const char *InText = "";
};

std::ostream &operator<<(std::ostream &OS, const Expectation &E) { return OS << E.Library; }

double secondsSince(std::chrono::steady_clock::time_point Begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - Begin).count();
}

/// In every case: the reason, no timing, a bound on the time, and nothing left behind.
class FailingCall : public FakeRun, public testing::WithParamInterface<Expectation> {};

TEST_P(FailingCall, HasItsReason) {
  auto Begin = std::chrono::steady_clock::now();
  RunRecord Record = run(fakeRequest(GetParam().Library));
  // Three processes break at most, each within the limit of a call.
  EXPECT_LT(secondsSince(Begin), 60);
  EXPECT_EQ(Record.Correctness.State, CheckState::Failed);
  ASSERT_FALSE(Record.Correctness.Cases.empty());
  const CaseRecord &Case = Record.Correctness.Cases.front();
  ASSERT_FALSE(Case.Reasons.empty());
  EXPECT_EQ(Case.Reasons.front().Code, GetParam().Code) << Case.Reasons.front().Text;
  EXPECT_NE(Case.Reasons.front().Text.find(GetParam().InText), std::string::npos)
      << Case.Reasons.front().Text;
  EXPECT_TRUE(Record.Timing.empty());
  EXPECT_EQ(Record.TimingNotMeasured->Code, "correctness-failed");
  EXPECT_EQ(Record.Profile.State, "not_measured");
}

INSTANTIATE_TEST_SUITE_P(
    Ends, FailingCall,
    testing::Values(Expectation{"segv", "crashed-segfault", "SIGSEGV"},
                    Expectation{"abort", "crashed-abort", "SIGABRT"},
                    Expectation{"bus", "crashed-bus-error", "SIGBUS"},
                    Expectation{"fpe", "crashed-arithmetic", "SIGFPE"},
                    Expectation{"ill", "crashed-illegal-instruction", "SIGILL"},
                    Expectation{"usr1", "crashed-signal", "SIGUSR1"},
                    Expectation{"kill", "killed", "SIGKILL"},
                    Expectation{"exit0", "exited-early", "status 0"},
                    Expectation{"exit1", "exited-with-error", "CUDA error at kernel.cu:12: boom"},
                    Expectation{"close-fd", "closed-replies"},
                    Expectation{"partial", "exited-early"}));

INSTANTIATE_TEST_SUITE_P(Limits, FailingCall,
                         testing::Values(Expectation{"hang", "timed-out", "ended after 1"},
                                         Expectation{"hang-hard", "timed-out"},
                                         Expectation{"flood", "output-limit"},
                                         Expectation{"memory", "memory-limit"},
                                         Expectation{"fork-bomb", "process-limit"}));

INSTANTIATE_TEST_SUITE_P(
    Conversation, FailingCall,
    testing::Values(Expectation{"forge", "protocol-violation", "another request"},
                    Expectation{"extra", "protocol-violation"},
                    Expectation{"not-json", "protocol-violation", "not JSON: kernel done"},
                    Expectation{"array", "protocol-violation", "no object"},
                    Expectation{"nested", "protocol-violation", "nested too deeply"},
                    Expectation{"huge", "protocol-violation", "more than 8"},
                    Expectation{"wrong-nonce", "protocol-violation", "wrong nonce"},
                    Expectation{"neither", "protocol-violation", "neither ok nor an error"},
                    Expectation{"incomplete", "protocol-violation", "outputs"}));

INSTANTIATE_TEST_SUITE_P(
    Errors, FailingCall,
    testing::Values(Expectation{"exception", "exception", "x must be half"},
                    Expectation{"bad-result", "bad-result"},
                    Expectation{"out-of-memory:call", "cuda-out-of-memory"},
                    Expectation{"cuda:cudaErrorIllegalAddress", "cuda-illegal-address"},
                    Expectation{"cuda:cudaErrorMisalignedAddress", "cuda-misaligned-address"},
                    Expectation{"cuda:cudaErrorLaunchFailure", "cuda-launch-failure"},
                    Expectation{"cuda:cudaErrorMemoryAllocation", "cuda-out-of-memory"},
                    Expectation{"cuda:cudaErrorInvalidConfiguration", "cuda-invalid-configuration"},
                    Expectation{"cuda:cudaErrorSomethingNew", "cuda-something-new"}));

INSTANTIATE_TEST_SUITE_P(
    Results, FailingCall,
    testing::Values(Expectation{"wrong-values", "wrong-values", "at [1, 2]"},
                    Expectation{"wrong-shape", "wrong-shape", "[3, 2] instead of [2, 3]"},
                    Expectation{"wrong-dtype", "wrong-dtype", "float16 instead of float32"},
                    Expectation{"wrong-device", "wrong-device", "cpu instead of cuda"},
                    Expectation{"wrong-count", "output-count", "0 instead of 1"},
                    Expectation{"changes-inputs", "inputs-changed", "x"},
                    Expectation{"returns-input", "output-overlaps-input", "x"},
                    Expectation{"unstable", "unstable"},
                    Expectation{"second-seed-wrong", "wrong-values"}));

using Misbehaviour = FakeRun;

TEST_F(Misbehaviour, AResultOfAnEarlierCallIsNamed) {
  const RunRecord Record = run(fakeRequest("second-seed-wrong"));
  const std::vector<Reason> &Reasons = Record.Correctness.Cases.front().Reasons;
  ASSERT_EQ(Reasons.size(), 2u);
  EXPECT_EQ(Reasons[0].Code, "wrong-values");
  EXPECT_EQ(Reasons[1].Code, "later-call-wrong");
}

TEST_F(Misbehaviour, OneCaseThatCrashesLosesNoOther) {
  RunRecord Record = run(fakeRequest("segv-in:ragged"));
  ASSERT_EQ(Record.Correctness.Cases.size(), 3u);
  EXPECT_EQ(Record.Correctness.Cases[0].State, CheckState::Passed);
  EXPECT_EQ(Record.Correctness.Cases[1].Reasons[0].Code, "crashed-segfault");
  EXPECT_EQ(Record.Correctness.Cases[2].State, CheckState::Passed);
}

TEST_F(Misbehaviour, AProcessThatDiesBetweenCommands) {
  RunRecord Record = run(fakeRequest("dies-between"));
  EXPECT_EQ(Record.Correctness.State, CheckState::Failed);
  EXPECT_EQ(Record.Correctness.Cases[0].Reasons[0].Code, "exited-early");
}

TEST_F(Misbehaviour, ADescendantDoesNotOutliveTheRun) {
  RunRequest Request = fakeRequest("fork-survivor");
  Request.Workers.Limits.MaxProcesses = 200; // Each call leaves one.
  RunRecord Record = run(Request);
  EXPECT_EQ(Record.Correctness.State, CheckState::Passed);
}

TEST_F(Misbehaviour, SlowIsNotHanging) {
  RunRequest Request = fakeRequest("slow");
  Request.Time = false;
  EXPECT_EQ(run(Request).Correctness.State, CheckState::Passed);
}

TEST_F(Misbehaviour, ALibraryThatCannotBeUsed) {
  const std::pair<const char *, const char *> Expected[] = {{"load-failed", "load-failed"},
                                                            {"entry-missing", "entry-missing"},
                                                            {"load:segv", "crashed-segfault"},
                                                            {"load:hang", "timed-out"},
                                                            {"load:exit0", "exited-early"}};
  for (auto [Library, Code] : Expected) {
    RunRecord Record = run(fakeRequest(Library));
    EXPECT_EQ(Record.Correctness.State, CheckState::Failed) << Library;
    ASSERT_EQ(Record.Reasons.size(), 1u) << Library;
    EXPECT_EQ(Record.Reasons[0].Code, Code) << Library;
    EXPECT_NE(Record.Reasons[0].Text.find("while its library was loaded"), std::string::npos);
  }
}

TEST_F(Misbehaviour, WhatFailsWhileItIsTimed) {
  const std::pair<const char *, const char *> Expected[] = {{"timed-wrong", "timed-call-wrong"},
                                                            {"time:segv", "crashed-segfault"},
                                                            {"time:hang", "timed-out"},
                                                            {"time:exit0", "exited-early"},
                                                            {"time:forge", "protocol-violation"}};
  for (auto [Library, Code] : Expected) {
    RunRecord Record = run(fakeRequest(Library));
    EXPECT_EQ(Record.Correctness.State, CheckState::Passed) << Library;
    ASSERT_EQ(Record.Reasons.size(), 1u) << Library;
    EXPECT_EQ(Record.Reasons[0].Code, Code) << Library;
    EXPECT_EQ(Record.TimingNotMeasured->Code, Code) << Library;
    EXPECT_TRUE(Record.Timing.empty()) << Library;
    EXPECT_EQ(Record.Profile.State, "not_measured") << Library;
  }
}

TEST_F(Misbehaviour, AProfileThatFailsLosesNoTime) {
  RunRecord Record = run(fakeRequest("profile:segv"));
  EXPECT_EQ(Record.Correctness.State, CheckState::Passed);
  EXPECT_EQ(Record.Timing.size(), 2u);
  EXPECT_EQ(Record.Profile.State, "not_measured");
  EXPECT_EQ(Record.Profile.Why->Code, "profile-failed");
  EXPECT_NE(Record.Profile.Why->Text.find("SIGSEGV"), std::string::npos);
  EXPECT_TRUE(Record.Reasons.empty());
}

TEST_F(Misbehaviour, TheEndOfTheProcess) {
  for (const char *Library : {"close:forge", "close:forge-later"}) {
    RunRecord Forged = run(fakeRequest(Library));
    ASSERT_FALSE(Forged.Reasons.empty()) << Library;
    EXPECT_EQ(Forged.Reasons[0].Code, "protocol-violation") << Library;
  }
  // Static destructors that crash come after all that counts.
  RunRecord Crashed = run(fakeRequest("close:segv"));
  EXPECT_TRUE(Crashed.Reasons.empty());
  EXPECT_EQ(Crashed.Correctness.State, CheckState::Passed);
}

TEST_F(Misbehaviour, TheJudgesFailuresAreErrors) {
  std::string Text;
  EXPECT_EQ(errorOf(fakeRequest("good", "judge:segv"), &Text), "judge-crashed");
  EXPECT_NE(Text.find("case 'ragged': the judge's process"), std::string::npos) << Text;
  EXPECT_EQ(errorOf(fakeRequest("good", "judge:memory")), "judge-memory");
  EXPECT_EQ(errorOf(fakeRequest("good", "judge:forge")), "judge-protocol");
  EXPECT_EQ(errorOf(fakeRequest("good", "judge:incomplete")), "judge-protocol");
  RunRequest Hanging = fakeRequest("good", "judge:hang");
  Hanging.TimeoutSeconds = 2;
  EXPECT_EQ(run(Hanging).Correctness.Why->Code, "judge-timed-out");
  EXPECT_EQ(errorOf(fakeRequest("good", "broken-reference"), &Text), "reference-error");
  EXPECT_NE(Text.find("unknown name 'relo'"), std::string::npos) << Text;
}

TEST_F(Misbehaviour, OneCaseThatTheJudgeCannotJudgeLosesNoOther) {
  RunRecord Record = run(fakeRequest("good", "expect-fails-in-ragged"));
  EXPECT_EQ(Record.Correctness.State, CheckState::NotMeasured);
  EXPECT_EQ(Record.Correctness.Why->Code, "out-of-memory");
  ASSERT_EQ(Record.Correctness.Cases.size(), 3u);
  EXPECT_EQ(Record.Correctness.Cases[0].State, CheckState::Passed);
  EXPECT_EQ(Record.Correctness.Cases[1].State, CheckState::NotMeasured);
  EXPECT_EQ(Record.Correctness.Cases[2].State, CheckState::Passed);
  EXPECT_EQ(Record.TimingNotMeasured->Code, "correctness-not-measured");
}

TEST_F(Misbehaviour, AJudgeThatBreaksIsReplacedOnce) {
  RunRecord Record = run(fakeRequest("good", "judge-breaks-in-ragged"));
  EXPECT_EQ(Record.Correctness.State, CheckState::NotMeasured);
  EXPECT_EQ(Record.Correctness.Why->Code, "judge-crashed");
  ASSERT_EQ(Record.Correctness.Cases.size(), 3u);
  EXPECT_EQ(Record.Correctness.Cases[0].State, CheckState::Passed);
  EXPECT_EQ(Record.Correctness.Cases[2].State, CheckState::Passed);
  EXPECT_TRUE(Record.Reasons.empty());
}

TEST_F(Misbehaviour, TheWorkersOwnFailuresBlameNobody) {
  for (const char *Library : {"out-of-memory:inputs", "receive-failed:receive"}) {
    RunRecord Record = run(fakeRequest(Library));
    EXPECT_EQ(Record.Correctness.State, CheckState::NotMeasured) << Library;
    EXPECT_EQ(Record.Correctness.Why->Code, "worker-error") << Library;
    EXPECT_TRUE(Record.Reasons.empty()) << Library;
  }
}

TEST_F(Misbehaviour, AWorkerThatDoesNotStart) {
  for (const char *Name : {"candidate-segv", "candidate-exit1", "candidate-hang"}) {
    std::string Link = (Folder.path() + "/" + Name).str();
    std::filesystem::create_symlink(CUPEL_FAKE_WORKER, Link);
    RunRequest Request = fakeRequest("good");
    Request.Workers.Worker = Link;
    Request.Workers.Limits.StartSeconds = 1;
    EXPECT_EQ(errorOf(Request), "worker-start") << Name;
    std::filesystem::remove(Link);
  }
}

} // namespace
