//===- JsonReportTest.cpp - the record is JSON, and reads back --------------===//

#include "cupel/Report/JsonReport.h"
#include "cupel/Report/ReadRecord.h"
#include "cupel/Report/Verdict.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace cupel;

namespace {

std::string written(const EvalRecord &Record) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  writeJson(Record, OS);
  return Text;
}

EvalRecord full() {
  EvalRecord Record;
  Record.Problem = "level1/relu";
  Record.Submission = "relu.cu";
  Record.SubmissionHash = "abc";
  Record.ProblemHash = "def";
  Record.Policy.Preset = "partial";
  Record.Policy.Libraries = {"cublas"};
  Record.Lint = LintRecord();
  Record.Lint->File = "relu.cu";
  Record.Lint->Parse = ParseState::Complete;
  Record.Lint->Outcome = Verdict::Accepted;
  Record.Build = BuildRecord();
  Record.Build->State = BuildState::Built;
  Record.Run = RunRecord();
  Record.Run->Device = "NVIDIA H200";
  Record.Run->Seed = "00000000000000ff";
  Record.Run->Correctness.State = CheckState::Failed;
  Record.Run->Correctness.Cases.emplace_back();
  Record.Run->Correctness.Cases[0].MaxError = std::nan("");
  Record.Run->Correctness.Cases[0].AllowedError = 0.1;
  return Record;
}

TEST(JsonReport, FieldsComeInTheDocumentedOrder) {
  std::string Text = written(full());
  size_t At = 0;
  for (const char *Key : {"cupel", "problem", "submission", "device", "verdict", "reasons", "lint",
                          "build", "correctness", "timing", "kernels", "roofline", "seed"}) {
    size_t Next = Text.find("\n  \"" + std::string(Key) + "\":");
    ASSERT_NE(Next, std::string::npos) << Key;
    EXPECT_GT(Next + 1, At) << Key;
    At = Next;
  }
}

TEST(JsonReport, NumbersThatAreNotFiniteAreTexts) {
  std::string Text = written(full());
  EXPECT_NE(Text.find("\"max_error\": \"nan\""), std::string::npos) << Text;
  EXPECT_NE(Text.find("\"allowed_error\": 0.1,"), std::string::npos) << Text;
  EXPECT_TRUE(bool(llvm::json::parse(Text)));
}

TEST(JsonReport, BytesThatAreNotUtf8StayJson) {
  EvalRecord Record = full();
  Record.Submission = "a\xff.cu";
  EXPECT_TRUE(bool(llvm::json::parse(written(Record))));
}

TEST(JsonReport, StoppedRecordReadsBack) {
  EvalRecord Record = full();
  Record.StoppedAfter = "run";
  auto Back = readEvalRecord(written(Record), "r.json");
  ASSERT_TRUE(bool(Back)) << llvm::toString(Back.takeError());
  EXPECT_EQ(Back->Problem, "level1/relu");
  EXPECT_EQ(Back->SubmissionHash, "abc");
  EXPECT_EQ(Back->Policy.Preset, "partial");
  EXPECT_EQ(Back->Policy.Libraries, std::vector<std::string>{"cublas"});
  ASSERT_TRUE(Back->Lint && Back->Build && Back->Run);
  EXPECT_EQ(Back->Build->State, BuildState::Built);
  EXPECT_EQ(Back->Run->Seed, "00000000000000ff");
  EXPECT_EQ(judge(*Back).Outcome, Verdict::Rejected);
}

TEST(JsonReport, PhasesThatDidNotRunStayAbsent) {
  EvalRecord Record = full();
  Record.Build.reset();
  Record.Run.reset();
  Record.StoppedAfter = "lint";
  auto Back = readEvalRecord(written(Record), "r.json");
  ASSERT_TRUE(bool(Back)) << llvm::toString(Back.takeError());
  EXPECT_TRUE(Back->Lint);
  EXPECT_FALSE(Back->Build);
  EXPECT_FALSE(Back->Run);
}

TEST(JsonReport, WhatIsNoRecordIsRefused) {
  const std::string Deep(200'000, '[');
  struct {
    const char *Text, *Error;
  } Rows[] = {
      {"{", "not JSON"},
      {Deep.c_str(), "not JSON: nested too deeply: more than 64 levels"},
      {"[]", "it has no key 'cupel'"},
      {"{}", "it has no key 'cupel'"},
      {R"({"cupel": "0.1.0"})", "it has no text 'problem'"},
      {R"({"cupel": "0.1.0", "problem": 3})", "it has no text 'problem'"},
      {R"({"cupel": "0.1.0", "problem": "p", "problem_hash": "", "submission": "s",
           "submission_hash": "", "lint": 7})",
       "not a record of 'cupel eval': lint record: expected object when parsing lint"},
      {R"({"cupel": "0.1.0", "problem": "p", "problem_hash": "", "submission": "s",
           "submission_hash": "", "stopped_after": "rnu"})",
       "'stopped_after': expected lint, build, run, profile or null"},
      {R"({"cupel": "0.1.0", "problem": "p", "problem_hash": "", "submission": "s",
           "submission_hash": "", "stopped_after": 3})",
       "'stopped_after': expected lint, build, run, profile or null"},
  };
  for (const auto &Row : Rows) {
    auto Back = readEvalRecord(Row.Text, "r.json");
    ASSERT_FALSE(bool(Back)) << Row.Text;
    std::string Message = llvm::toString(Back.takeError());
    EXPECT_NE(Message.find(Row.Error), std::string::npos) << Message;
    EXPECT_EQ(llvm::StringRef(Message).count("error: "), 1u) << Message;
  }
}

} // namespace
