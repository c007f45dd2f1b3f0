//===- CheckEngineTest.cpp --------------------------------------------------===//

#include "cupel/Checks/CheckEngine.h"
#include "cupel/Checks/CheckPages.h"
#include "gtest/gtest.h"

using namespace cupel;

namespace {

class NamedCheck : public Check {
public:
  explicit NamedCheck(llvm::StringRef Id) : Check(Id, Level::Warn, "a check") {}
  void run(CheckContext &) const override {}
};

CheckRegistry sampleRegistry() {
  CheckRegistry Registry;
  for (llvm::StringRef Id : {"work-b", "fallback-z", "fallback-a", "work-a"})
    Registry.add(std::make_unique<NamedCheck>(Id));
  return Registry;
}

std::vector<std::string> enabled(std::vector<std::string> Globs, LintPolicy Policy = {}) {
  CheckRegistry Registry = sampleRegistry();
  auto Engine = CheckEngine::create(Registry, {std::move(Policy), std::move(Globs), nullptr});
  if (!Engine)
    return {llvm::toString(Engine.takeError())};
  std::vector<std::string> Ids;
  for (const Check *C : Engine->enabled())
    Ids.push_back(C->id().str());
  return Ids;
}

using Ids = std::vector<std::string>;

LintRecord recordWith(ParseState Parse, std::vector<Level> Levels) {
  LintRecord Record;
  Record.Parse = Parse;
  for (Level L : Levels)
    Record.Findings.push_back({"x", L, {}, "", {}});
  return Record;
}

} // namespace

TEST(CheckRegistry, SortedAndFound) {
  CheckRegistry Registry = sampleRegistry();
  ASSERT_EQ(Registry.checks().size(), 4u);
  EXPECT_EQ(Registry.checks()[0]->id(), "fallback-a");
  EXPECT_EQ(Registry.checks()[3]->id(), "work-b");
  EXPECT_EQ(Registry.find("work-a")->module(), "work");
  EXPECT_EQ(Registry.find("work"), nullptr);
  EXPECT_EQ(Registry.nearest("fallbak-z"), "fallback-z");
}

TEST(CheckRegistry, EveryCheckHasAPage) {
  CheckRegistry Registry;
  registerAllChecks(Registry);
  ASSERT_FALSE(Registry.checks().empty());
  for (const auto &C : Registry.checks())
    EXPECT_TRUE(checkPage(C->id()).starts_with("# " + C->id().str())) << C->id().str();
  EXPECT_TRUE(checkPage("fallback-nothing").empty());
}

TEST(CheckEngine, Globs) {
  EXPECT_EQ(enabled({}), (Ids{"fallback-a", "fallback-z", "work-a", "work-b"}));
  EXPECT_EQ(enabled({"-*,work-*"}), (Ids{"work-a", "work-b"}));
  EXPECT_EQ(enabled({"-*", "work-a"}), (Ids{"work-a"}));
  EXPECT_EQ(enabled({"-fallback-*"}), (Ids{"work-a", "work-b"}));
  EXPECT_EQ(enabled({"fallback-a"}), (Ids{"fallback-a"}));
  EXPECT_EQ(enabled({"*,-work-b"}), (Ids{"fallback-a", "fallback-z", "work-a"}));
  EXPECT_EQ(enabled({" -* , work-[ab] "}), (Ids{"work-a", "work-b"}));
}

TEST(CheckEngine, UnknownGlobs) {
  EXPECT_EQ(enabled({"fallbak-z"}),
            (Ids{"cupel: error: no check is named 'fallbak-z'; did you mean 'fallback-z'?"}));
  EXPECT_NE(enabled({"qqq,www"})[0].find("qqq"), std::string::npos);
  EXPECT_NE(enabled({"qqq,www"})[0].find("www"), std::string::npos); // All at once.
  EXPECT_NE(enabled({"work-["})[0].find("check glob"), std::string::npos);
}

TEST(CheckEngine, SuppressedByThePolicy) {
  LintPolicy Policy;
  Policy.Suppressed = {"work-*"};
  EXPECT_EQ(enabled({}, Policy), (Ids{"fallback-a", "fallback-z"}));
  EXPECT_EQ(enabled({"work-a"}, Policy), Ids());
  Policy.Suppressed = {"nothing"};
  EXPECT_EQ(enabled({}, Policy).size(), 1u); // The error.
}

TEST(LintPolicy, Sources) {
  ProblemSpec Problem;
  Problem.Policy.Preset = "partial";
  Problem.Policy.Libraries = {"cublas"};
  auto None = llvm::cantFail(makeLintPolicy(nullptr, std::nullopt));
  EXPECT_EQ(None.Preset, "strict");
  EXPECT_EQ(None.Source, "default");
  auto OfProblem = llvm::cantFail(makeLintPolicy(&Problem, std::nullopt));
  EXPECT_EQ(OfProblem.Preset, "partial");
  EXPECT_EQ(OfProblem.Source, "problem");
  EXPECT_EQ(OfProblem.Libraries, Problem.Policy.Libraries);
  auto Overridden = llvm::cantFail(makeLintPolicy(&Problem, std::string("strict")));
  EXPECT_EQ(Overridden.Preset, "strict");
  EXPECT_EQ(Overridden.Source, "command line");
  auto Bad = makeLintPolicy(nullptr, std::string("lax"));
  ASSERT_FALSE(static_cast<bool>(Bad));
  EXPECT_EQ(llvm::toString(Bad.takeError()),
            "cupel: error: unknown policy 'lax'; there are 'strict' and 'partial'");
}

TEST(LintVerdict, Table) {
  using enum Level;
  EXPECT_EQ(lintVerdict(recordWith(ParseState::Complete, {})), Verdict::Accepted);
  EXPECT_EQ(lintVerdict(recordWith(ParseState::Complete, {Warn, Note})), Verdict::Accepted);
  EXPECT_EQ(lintVerdict(recordWith(ParseState::Complete, {Note, Reject})), Verdict::Rejected);
  EXPECT_EQ(lintVerdict(recordWith(ParseState::Partial, {})), Verdict::CouldNotJudge);
  EXPECT_EQ(lintVerdict(recordWith(ParseState::Partial, {Error, Reject})), Verdict::Rejected);
  EXPECT_EQ(lintVerdict(recordWith(ParseState::Failed, {})), Verdict::CouldNotJudge);
}
