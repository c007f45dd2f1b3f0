//===- HostileSourceTest.cpp - sources that are meant to break the parse ----===//
//
// Each must end soon, with the process alive and a message.
//
//===----------------------------------------------------------------------===//

#include "TestParse.h"
#include "cupel/Frontend/Guarded.h"
#include <atomic>
#include <chrono>
#include <thread>

using namespace cupel;

namespace {

using HostileSourceTest = ParseFixture;

std::string repeat(llvm::StringRef Text, size_t Count) {
  std::string Result;
  for (size_t I = 0; I < Count; ++I)
    Result += Text;
  return Result;
}

TEST_F(HostileSourceTest, BracketsAreBounded) {
  ParsedSubmission S = parse("int x = " + repeat("(", 100000) + "1" + repeat(")", 100000) + ";\n");
  EXPECT_EQ(S.State, ParseState::Partial);
  EXPECT_NE(messagesOf(S).find("bracket nesting level exceeded"), std::string::npos);
}

TEST_F(HostileSourceTest, UnboundedRecursionOfTheParserIsContained) {
  ParsedSubmission S = parse("int x = " + repeat("!", 3000000) + "1;\n");
  EXPECT_NE(S.State, ParseState::Complete);
  EXPECT_NE(messagesOf(S).find("crashed"), std::string::npos) << messagesOf(S);
}

TEST_F(HostileSourceTest, LongChains) {
  ParsedSubmission Else =
      parse("int f(int x) { " + repeat("if (x) x++; else ", 1000) + "x--; return x; }\n");
  EXPECT_FALSE(Else.Messages.empty() && Else.State != ParseState::Complete);
  ParsedSubmission Sum = parse("int f(int x) { return x" + repeat(" + x", 100000) + "; }\n");
  EXPECT_EQ(Sum.State, ParseState::Complete) << messagesOf(Sum).substr(0, 300);
}

TEST_F(HostileSourceTest, TemplatesAreBounded) {
  ParsedSubmission S = parse("template <int N> struct A { static const int v = A<N + 1>::v; };\n"
                             "int x = A<0>::v;\n");
  EXPECT_EQ(S.State, ParseState::Partial);
  EXPECT_NE(messagesOf(S).find("recursive template instantiation exceeded"), std::string::npos);
}

TEST_F(HostileSourceTest, ConstantEvaluationIsBounded) {
  ParsedSubmission S = parse("constexpr int f() { int i = 0; while (true) ++i; return i; }\n"
                             "static_assert(f() == 1);\n");
  EXPECT_EQ(S.State, ParseState::Partial);
  EXPECT_NE(messagesOf(S).find("constant expression"), std::string::npos) << messagesOf(S);
}

TEST_F(HostileSourceTest, MacroBombRunsOutOfTime) {
  Options.TimeLimit = 1;
  std::string Text = "#define A0 x,x,x,x,x,x,x,x,x,x\n";
  for (int I = 1; I < 12; ++I)
    Text += "#define A" + std::to_string(I) + " " + repeat("A" + std::to_string(I - 1) + ",", 10) +
            "\n";
  ParsedSubmission S = parse(Text + "int x, y[] = {A11};\n");
  EXPECT_EQ(S.State, ParseState::Failed);
  EXPECT_NE(messagesOf(S).find("went over its time limit"), std::string::npos) << messagesOf(S);
}

TEST_F(HostileSourceTest, ManyConstantEvaluationsRunOutOfTime) {
  Options.TimeLimit = 1;
  std::string Text = "constexpr int f(int m) { int i = 0; while (i < 900000) ++i; return i + m; }\n"
                     "int g() {\n";
  for (int I = 0; I < 200; ++I)
    Text += "if (f(" + std::to_string(I) + ") == 3) return 1;\n";
  auto Start = std::chrono::steady_clock::now();
  ParsedSubmission S = parse(Text + "return 0; }\n");
  EXPECT_EQ(S.State, ParseState::Failed);
  EXPECT_NE(messagesOf(S).find("went over its time limit"), std::string::npos) << messagesOf(S);
  EXPECT_LT(std::chrono::steady_clock::now() - Start, std::chrono::seconds(60));
}

TEST_F(HostileSourceTest, DevicesAreNotRead) {
  for (const char *Device : {"/dev/zero", "/dev/stdin", "/dev/tty"}) {
    ParsedSubmission S = parse("#include \"" + std::string(Device) + "\"\n");
    EXPECT_NE(messagesOf(S).find("'" + std::string(Device) + "' file not found"), std::string::npos)
        << messagesOf(S);
  }
  ParsedSubmission S = parse("const unsigned char d[] = {\n#embed \"/dev/zero\"\n};\n");
  EXPECT_EQ(S.State, ParseState::Partial);
}

TEST_F(HostileSourceTest, SelfInclusionIsBounded) {
  ParsedSubmission S = parse("#include \"submission.cu\"\n");
  EXPECT_NE(S.State, ParseState::Complete);
  EXPECT_NE(messagesOf(S).find("nested too deeply"), std::string::npos) << messagesOf(S);
}

TEST_F(HostileSourceTest, MessagesAreBounded) {
  ParsedSubmission S = parse(repeat("undeclared x;\n", 10000));
  EXPECT_EQ(S.State, ParseState::Partial);
  EXPECT_LT(S.Messages.size(), 250u);
}

TEST_F(HostileSourceTest, OddBytes) {
  EXPECT_EQ(parse("\xef\xbb\xbfint x;\r\nint y;\r\n").State, ParseState::Complete);
  EXPECT_EQ(parse("").State, ParseState::Complete);
  EXPECT_EQ(parse("// \xff\xfe\nint x;").State, ParseState::Complete);
  EXPECT_EQ(parse("int x" + std::string(1000000, ' ') + ";").State, ParseState::Complete);
}

TEST(Guarded, CrashesAreContained) {
  std::optional<std::string> Crash = runGuarded([] { *(volatile int *)8 = 1; });
  ASSERT_TRUE(Crash);
  EXPECT_NE(Crash->find("crashed: "), std::string::npos);
  EXPECT_EQ(runGuarded([] { leaveGuarded(); }), "went over its time limit");
  EXPECT_FALSE(runGuarded([] {}));
}

TEST(Guarded, WorkThatDoesNotEndIsLeftAlone) {
  auto Goes = [] { return false; };
  auto Value = std::make_shared<std::atomic<int>>(0);
  EXPECT_TRUE(runOrAbandon([Value] { *Value = 1; }, 60, Goes));
  EXPECT_EQ(*Value, 1);
  EXPECT_FALSE(hasAbandonedWork());
  auto Wait = [Value] {
    while (*Value == 1)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    *Value = 3;
  };
  EXPECT_FALSE(runOrAbandon(Wait, 0.5, Goes));
  EXPECT_TRUE(hasAbandonedWork());
  *Value = 2; // Nothing of it is left when the process ends.
  while (*Value != 3)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  // What is on hold does not count: here the first second.
  auto Start = std::chrono::steady_clock::now();
  auto OnHold = [&] { return std::chrono::steady_clock::now() - Start < std::chrono::seconds(1); };
  EXPECT_TRUE(runOrAbandon([] { std::this_thread::sleep_for(std::chrono::milliseconds(800)); }, 0.5,
                           OnHold));
}

} // namespace
