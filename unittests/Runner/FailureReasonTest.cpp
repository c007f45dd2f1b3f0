//===- FailureReasonTest.cpp -------------------------------------------------===//

#include "cupel/Runner/FailureReason.h"
#include "cupel/Support/File.h"
#include "gtest/gtest.h"
#include <csignal>
#include <set>

using namespace cupel;

namespace {

ProcessResult ended(ExitKind Kind, int Code = 0, int Signal = 0) {
  ProcessResult Result;
  Result.Kind = Kind;
  Result.Code = Code;
  Result.Signal = Signal;
  return Result;
}

std::string code(const ProcessResult &Result) { return reasonForExit(Result, "").Code; }

TEST(FailureReason, EveryEndHasItsCode) {
  EXPECT_EQ(code(ended(ExitKind::Exited, 0)), "exited-early");
  EXPECT_EQ(code(ended(ExitKind::Exited, 3)), "exited-with-error");
  EXPECT_EQ(code(ended(ExitKind::Signaled, 0, SIGSEGV)), "crashed-segfault");
  EXPECT_EQ(code(ended(ExitKind::Signaled, 0, SIGABRT)), "crashed-abort");
  EXPECT_EQ(code(ended(ExitKind::Signaled, 0, SIGBUS)), "crashed-bus-error");
  EXPECT_EQ(code(ended(ExitKind::Signaled, 0, SIGFPE)), "crashed-arithmetic");
  EXPECT_EQ(code(ended(ExitKind::Signaled, 0, SIGILL)), "crashed-illegal-instruction");
  EXPECT_EQ(code(ended(ExitKind::Signaled, 0, SIGKILL)), "killed");
  EXPECT_EQ(code(ended(ExitKind::Signaled, 0, SIGPIPE)), "crashed-signal");
  EXPECT_EQ(code(ended(ExitKind::TimedOut)), "timed-out");
  EXPECT_EQ(code(ended(ExitKind::OutputLimit)), "output-limit");
  EXPECT_EQ(code(ended(ExitKind::MemoryLimit, 0, SIGKILL)), "memory-limit");
  EXPECT_EQ(code(ended(ExitKind::CpuLimit)), "cpu-limit");
  EXPECT_EQ(code(ended(ExitKind::ProcessLimit)), "process-limit");
  EXPECT_EQ(code(ended(ExitKind::Killed)), "closed-replies");
  EXPECT_EQ(code(ended(ExitKind::KeeperLost)), "keeper-killed");
}

TEST(FailureReason, TheTextSaysWhatHappenedAndWhatToLookAt) {
  ProcessResult Result = ended(ExitKind::Signaled, 0, SIGFPE);
  Result.Stderr = "grid of \x1b[31m0\n";
  EXPECT_EQ(reasonForExit(Result, "during the call").Text,
            "host code failed in integer arithmetic during the call: it " + Result.describe() +
                "; it printed last: grid of \\x1b[31m0 (look for a division by zero, as in a grid "
                "size)");
}

TEST(FailureReason, TheLastLinesArePrintedWhole) {
  ProcessResult Result = ended(ExitKind::Exited, 1);
  Result.Stderr = std::string(400, 'x') + "\nCUDA error: boom\n";
  std::string Text = reasonForExit(Result, "").Text;
  EXPECT_NE(Text.find("it printed last: CUDA error: boom ("), std::string::npos) << Text;
}

TEST(FailureReason, CudaErrorsGoByTheirNames) {
  EXPECT_EQ(cudaErrorCode("cudaErrorIllegalAddress"), "cuda-illegal-address");
  EXPECT_EQ(cudaErrorCode("cudaErrorMisalignedAddress"), "cuda-misaligned-address");
  EXPECT_EQ(cudaErrorCode("cudaErrorMemoryAllocation"), "cuda-out-of-memory");
  EXPECT_EQ(cudaErrorCode("cudaErrorECCUncorrectable"), "cuda-e-c-c-uncorrectable");
  EXPECT_EQ(cudaErrorCode("invalid"), "cuda-invalid");
  EXPECT_EQ(cudaErrorCode(""), "cuda-error");
  Reason Why = reasonForWorkerError(
      {"call", "cuda-error", "an illegal memory access was encountered", "cudaErrorIllegalAddress"},
      "during the call");
  EXPECT_EQ(Why.Code, "cuda-illegal-address");
  EXPECT_NE(Why.Text.find("an illegal memory access was encountered"), std::string::npos);
}

TEST(FailureReason, WhatTheWorkerCannotName) {
  Reason Why = reasonForWorkerError({"call", "odd", "text", ""}, "during the call");
  EXPECT_EQ(Why.Code, "worker-error");
  EXPECT_NE(Why.Text.find("odd: text"), std::string::npos);
  EXPECT_TRUE(survives({"call", "exception", "", ""}));
  EXPECT_FALSE(survives({"call", "cuda-error", "", ""}));
  EXPECT_FALSE(survives({"call", "odd", "", ""}));
}

std::string judgeCode(llvm::Error E) { return takeReasons(std::move(E)).front().Code; }

TEST(FailureReason, TheJudge) {
  EXPECT_EQ(judgeCode(judgeExitError(ended(ExitKind::Signaled, 0, SIGSEGV), "")), "judge-crashed");
  EXPECT_EQ(judgeCode(judgeExitError(ended(ExitKind::MemoryLimit), "")), "judge-memory");
  EXPECT_EQ(judgeCode(judgeExitError(ended(ExitKind::Exited, 127), "")), "worker-start");
  EXPECT_EQ(judgeCode(judgeWorkerError({"reference", "", "x", ""}, "")), "judge-failed");
  EXPECT_EQ(judgeCode(judgeWorkerError({"reference", "reference-error", "x", ""}, "")),
            "reference-error");
}

TEST(FailureReason, EveryCodeIsInTheTableOnceAndDocumented) {
  llvm::Expected<std::string> Page = readTextFile(CUPEL_VERDICTS_PAGE);
  ASSERT_TRUE(static_cast<bool>(Page)) << llvm::toString(Page.takeError());
  std::set<llvm::StringRef> Seen;
  for (const FailureKind &Kind : failureKinds()) {
    EXPECT_TRUE(Seen.insert(Kind.Code).second) << Kind.Code.str();
    EXPECT_FALSE(Kind.Advice.empty()) << Kind.Code.str();
    EXPECT_NE(Page->find(("| `" + Kind.Code + "` |").str()), std::string::npos)
        << Kind.Code.str() << " is not in docs/verdicts.md";
  }
}

} // namespace
