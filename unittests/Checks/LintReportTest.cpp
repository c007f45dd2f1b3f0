//===- LintReportTest.cpp ---------------------------------------------------===//

#include "cupel/Report/LintReport.h"
#include "llvm/Support/JSON.h"
#include "gtest/gtest.h"

using namespace cupel;

namespace {

LintedFile sample() {
  LintedFile File;
  File.Source = "line one\n\tx.sum();\r\n";
  File.Record.File = "dir/a b.cu";
  File.Record.Parse = ParseState::Complete;
  File.Record.Outcome = Verdict::Rejected;
  File.Record.Policy = "strict";
  File.Record.PolicySource = "default";
  File.Record.Findings = {{"fallback-tensor-method",
                           Level::Reject,
                           {"dir/a b.cu", 2, 4},
                           "found",
                           {{{"dir/a b.cu", 1, 1}, "from here"}}}};
  return File;
}

std::string textOf(const LintedFile &File) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  writeLintText(File, false, OS);
  return Text;
}

llvm::json::Value sarifOf(const LintedFile &File) {
  CheckRegistry Registry;
  registerAllChecks(Registry);
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  writeSarif({File}, Registry, OS);
  return llvm::cantFail(llvm::json::parse(Text));
}

const llvm::json::Object &run(const llvm::json::Value &Sarif) {
  return *(*Sarif.getAsObject()->getArray("runs"))[0].getAsObject();
}

} // namespace

TEST(LintText, LineAndCaret) {
  EXPECT_EQ(textOf(sample()), "dir/a b.cu:2:4: reject: found [fallback-tensor-method]\n"
                              "    2 |  x.sum();\n"
                              "      |    ^\n"
                              "dir/a b.cu:1:1: note: from here\n"
                              "    1 | line one\n"
                              "      | ^\n"
                              "dir/a b.cu: rejected: 1 reject (policy strict)\n");
}

TEST(LintText, HostileSourceIsEscaped) {
  LintedFile File = sample();
  File.Source = std::string("\n\x1b[31mred\0end", 13);
  File.Record.Findings[0].Message = "name \x1b[0m";
  std::string Text = textOf(File);
  EXPECT_EQ(Text.find('\x1b'), std::string::npos);
  EXPECT_NE(Text.find("<1B>[31mred"), std::string::npos);
}

TEST(LintText, LongLinesAreCutAroundTheCaret) {
  LintedFile File = sample();
  File.Source = "\n" + std::string(100000, 'a') + "X" + std::string(100000, 'b');
  File.Record.Findings[0].Place.Column = 100001;
  std::string Text = textOf(File);
  EXPECT_LT(Text.size(), 1000u);
  EXPECT_NE(Text.find("aXb"), std::string::npos);
}

TEST(LintText, PlacesBeyondTheSource) {
  LintedFile File = sample();
  File.Record.Findings[0].Place = {"dir/a b.cu", 99, 1};
  File.Record.Findings[0].Notes.clear();
  EXPECT_NE(textOf(File).find("dir/a b.cu:99:1: reject"), std::string::npos);
  File.Record.Findings[0].Place = {"dir/a b.cu", 1, 99};
  EXPECT_NE(textOf(File).find("    1 | line one\n"), std::string::npos);
}

TEST(LintSummary, Counts) {
  LintRecord Record = sample().Record;
  EXPECT_EQ(lintSummary(Record), "dir/a b.cu: rejected: 1 reject (policy strict)");
  Record.Findings.push_back({"x", Level::Warn, {}, "", {}});
  Record.Findings.push_back({"x", Level::Warn, {}, "", {}});
  Record.Policy = "partial";
  Record.PolicySource = "command line";
  Record.Suppressed = {"work-a"};
  EXPECT_EQ(lintSummary(Record),
            "dir/a b.cu: rejected: 1 reject, 2 warnings (policy partial of the "
            "command line); switched off: work-a");
  Record = LintRecord();
  Record.File = "f";
  Record.Policy = "strict";
  Record.PolicySource = "default";
  EXPECT_EQ(lintSummary(Record), "f: could not judge: no findings (policy strict)");
}

TEST(Sarif, Structure) {
  llvm::json::Value Sarif = sarifOf(sample());
  EXPECT_EQ(Sarif.getAsObject()->getString("version"), "2.1.0");
  const llvm::json::Object &Result = *(*run(Sarif).getArray("results"))[0].getAsObject();
  EXPECT_EQ(Result.getString("ruleId"), "fallback-tensor-method");
  EXPECT_EQ(Result.getString("level"), "error");
  const llvm::json::Array &Rules =
      *run(Sarif).getObject("tool")->getObject("driver")->getArray("rules");
  const llvm::json::Object &Rule = *Rules[*Result.getInteger("ruleIndex")].getAsObject();
  EXPECT_EQ(Rule.getString("id"), "fallback-tensor-method");
  EXPECT_NE(Rule.getObject("help")->getString("markdown"), std::nullopt);
  const llvm::json::Object &Physical =
      *(*Result.getArray("locations"))[0].getAsObject()->getObject("physicalLocation");
  EXPECT_EQ(Physical.getObject("artifactLocation")->getString("uri"), "dir/a%20b.cu");
  EXPECT_EQ(Physical.getObject("region")->getInteger("startLine"), 2);
  const llvm::json::Object &Flow = *(*Result.getArray("codeFlows"))[0].getAsObject();
  const llvm::json::Object &Thread = *(*Flow.getArray("threadFlows"))[0].getAsObject();
  EXPECT_EQ(Thread.getArray("locations")->size(), 2u);
}

TEST(Sarif, FingerprintsOutliveMovedLines) {
  auto Fingerprint = [](const LintedFile &File, size_t I) {
    llvm::json::Value Sarif = sarifOf(File);
    const llvm::json::Object &Result = *(*run(Sarif).getArray("results"))[I].getAsObject();
    return Result.getObject("partialFingerprints")->getString("cupelFinding/v1")->str();
  };
  LintedFile File = sample(), Moved = sample();
  Moved.Source = "\n\n" + Moved.Source;
  Moved.Record.Findings[0].Place.Line += 2;
  EXPECT_EQ(Fingerprint(File, 0), Fingerprint(Moved, 0));
  File.Record.Findings.push_back(File.Record.Findings[0]);
  EXPECT_NE(Fingerprint(File, 0), Fingerprint(File, 1));
}

TEST(Sarif, ErrorsHaveARule) {
  LintedFile File = sample();
  File.Record.Findings = {{"compiler-error", Level::Error, {"dir/a b.cu", 0, 0}, "no", {}}};
  llvm::json::Value Sarif = sarifOf(File);
  const llvm::json::Object &Result = *(*run(Sarif).getArray("results"))[0].getAsObject();
  EXPECT_EQ(Result.getString("ruleId"), "compiler-error");
  EXPECT_EQ((*Result.getArray("locations"))[0]
                .getAsObject()
                ->getObject("physicalLocation")
                ->getObject("region"),
            nullptr);
}
