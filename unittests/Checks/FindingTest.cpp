//===- FindingTest.cpp ------------------------------------------------------===//

#include "cupel/Checks/LintRecord.h"
#include "gtest/gtest.h"

using namespace cupel;

static Finding sample() {
  return {
      "fallback-aten-call", Level::Reject, {"a.cu", 3, 7}, "message", {{{"a.cu", 1, 2}, "why"}}};
}

TEST(Finding, RoundTrip) {
  llvm::json::Value Json = toJson(sample());
  llvm::Expected<Finding> Back = findingFromJson(Json);
  ASSERT_TRUE(static_cast<bool>(Back)) << llvm::toString(Back.takeError());
  EXPECT_EQ(Back->Id, "fallback-aten-call");
  EXPECT_EQ(Back->Severity, Level::Reject);
  EXPECT_EQ(Back->Place.Line, 3u);
  ASSERT_EQ(Back->Notes.size(), 1u);
  EXPECT_EQ(Back->Notes[0].Message, "why");
  EXPECT_EQ(Back->Notes[0].Place.Column, 2u);
}

TEST(Finding, FieldsOfTheDesign) {
  llvm::json::Value Json = toJson(sample());
  const llvm::json::Object &O = *Json.getAsObject();
  for (llvm::StringRef Key : {"id", "level", "file", "line", "column", "message", "notes"})
    EXPECT_NE(O.get(Key), nullptr) << Key.str();
  EXPECT_EQ(O.getString("level"), "reject");
}

TEST(Finding, TextThatIsNoUtf8IsRepaired) {
  Finding F = sample();
  F.Message = "\xff";
  EXPECT_TRUE(llvm::json::isUTF8(*toJson(F).getAsObject()->getString("message")));
}

TEST(Finding, MalformedRecords) {
  for (llvm::StringRef Text :
       {"3", "{}", R"({"id":"x","level":"terrible","file":"","line":1,"column":1,"message":""})",
        R"({"id":"x","level":"note","file":"","line":"one","column":1,"message":""})"}) {
    llvm::Expected<llvm::json::Value> Json = llvm::json::parse(Text);
    ASSERT_TRUE(static_cast<bool>(Json));
    llvm::Expected<Finding> F = findingFromJson(*Json);
    EXPECT_FALSE(static_cast<bool>(F)) << Text.str();
    llvm::consumeError(F.takeError());
  }
}

TEST(LintRecord, RoundTrip) {
  LintRecord Record;
  Record.File = "a.cu";
  Record.Parse = ParseState::Partial;
  Record.Outcome = Verdict::Rejected;
  Record.Policy = "partial";
  Record.PolicySource = "command line";
  Record.Suppressed = {"fallback-python"};
  Record.Findings = {sample()};
  Record.Kernels = {"k"};
  llvm::Expected<LintRecord> Back = lintRecordFromJson(toJson(Record));
  ASSERT_TRUE(static_cast<bool>(Back)) << llvm::toString(Back.takeError());
  EXPECT_EQ(Back->Parse, ParseState::Partial);
  EXPECT_EQ(Back->Outcome, Verdict::Rejected);
  EXPECT_EQ(Back->PolicySource, "command line");
  EXPECT_EQ(Back->Suppressed, Record.Suppressed);
  EXPECT_EQ(Back->Kernels, Record.Kernels);
  EXPECT_EQ(Back->Findings.size(), 1u);
  EXPECT_FALSE(Back->Entry);
}
