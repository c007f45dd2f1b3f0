//===- AdapterTest.cpp - the text of adapters -------------------------------===//
//
// What the text does is shown by AdapterRunTest; here is what it must refuse and guard.
//
//===----------------------------------------------------------------------===//

#include "cupel/Build/Adapter.h"
#include "TestEntries.h"
#include "gtest/gtest.h"

using namespace cupel;
using namespace cupel::test;

static bool has(const std::string &Text, const std::string &Part) {
  return Text.find(Part) != std::string::npos;
}

TEST(Adapter, SymbolsAndTable) {
  AdapterSource A = generateAdapter({tensorEntry("ns::f"), tensorEntry("g")}, "2.11.0");
  EXPECT_EQ(A.Accepted, 2u);
  EXPECT_EQ(adapterSymbol(1), "cupel_call_1");
  EXPECT_TRUE(has(A.Boxed, "void cupel_call_0(Stack &stack)"));
  EXPECT_TRUE(has(A.Boxed, "{\"g\", cupel_call_1, \"at::Tensor (at::Tensor)\"}"));
  EXPECT_TRUE(has(A.Boxed, "return \"cupel-adapter-1 torch-2.11.0\";"));
  EXPECT_TRUE(has(A.Tail, "static_cast<cupel_type_0 *>(&::ns::f)"));
  EXPECT_FALSE(has(A.Boxed, "Python.h") || has(A.Boxed, "pybind11"));
}

TEST(Adapter, RefusedEntriesKeepTheOthersIndex) {
  EntrySignature Bad =
      entry("f", "at::Tensor", ValueKind::Tensor, {{"s", "Settings", ValueKind::Unsupported}});
  EntrySignature BadResult = entry("h", "Settings", ValueKind::Unsupported, {});
  AdapterSource A = generateAdapter({Bad, tensorEntry("g"), BadResult}, "2.11.0");
  ASSERT_EQ(A.Refused.size(), 2u);
  EXPECT_EQ(A.Accepted, 1u);
  EXPECT_TRUE(has(A.Refused[0].Why, "argument 1 's' of 'f' has the type 'Settings'"));
  EXPECT_TRUE(has(A.Refused[1].Why, "'h' returns 'Settings'"));
  EXPECT_TRUE(has(A.Boxed, "cupel_call_1"));
  EXPECT_FALSE(has(A.Boxed, "cupel_call_0"));
}

TEST(Adapter, LambdasAreRepeatedBehindTheSource) {
  EntrySignature Lambda = tensorEntry("");
  Lambda.BoundName = "forward";
  Lambda.LambdaSource = "[](torch::Tensor x) { return CHECKED(x); }";
  AdapterSource A =
      generateAdapter({Lambda}, "2.11.0", "m.def(\"forward\", " + Lambda.LambdaSource + ");");
  EXPECT_EQ(A.Refused.size(), 0u);
  EXPECT_TRUE(has(A.Tail, "\n\nstatic auto *const cupel_lambda_0 = +[](torch::Tensor x) { return "
                          "CHECKED(x); };\n#undef "));
  EXPECT_TRUE(has(A.Tail, "static_cast<cupel_type_0 *>(cupel_lambda_0)"));
  EXPECT_FALSE(has(A.Tail, "#undef CHECKED"));
}

TEST(Adapter, LambdasThatCannotBeRepeatedAreRefused) {
  EntrySignature Lambda = tensorEntry("");
  Lambda.BoundName = "forward";
  Lambda.LambdaSource = "[](torch::Tensor x) { return evil(x); }";
  // A record's text that is not the source's, and a lambda that the parse gave no text of.
  AdapterSource A = generateAdapter({Lambda}, "2.11.0", "other");
  Lambda.LambdaSource.clear();
  AdapterSource B = generateAdapter({Lambda}, "2.11.0", "other");
  for (const AdapterSource *S : {&A, &B}) {
    ASSERT_EQ(S->Refused.size(), 1u);
    EXPECT_TRUE(
        has(S->Refused[0].Why, "'forward' is bound to a lambda whose text cannot stand elsewhere"));
    EXPECT_FALSE(has(S->Tail, "evil"));
  }
}

TEST(Adapter, UnnamedNamespaces) {
  AdapterSource A = generateAdapter(
      {tensorEntry("ns::(anonymous namespace)::f"), tensorEntry("f<float>")}, "2.11.0");
  EXPECT_TRUE(has(A.Tail, "(&::ns::f)"));
  EXPECT_TRUE(has(A.Tail, "(&::f<float>)"));
}

TEST(Adapter, RecordsCannotBringCode) {
  EntrySignature E = tensorEntry("f");
  E.QualifiedName = "f; } int evil() { return 0; } int x{";
  AdapterSource A = generateAdapter({E}, "2.11.0");
  EXPECT_EQ(A.Accepted, 0u);
  EXPECT_FALSE(has(A.Tail + A.Boxed, "evil"));

  E = tensorEntry("f");
  E.BoundName = "a\"); system(\"b";
  E.Arguments[0].Name = "x\\";
  A = generateAdapter({E}, "2.11.0");
  EXPECT_FALSE(has(A.Boxed, "\"); system"));
  EXPECT_TRUE(has(A.Boxed, "a\\042)\\073 system(\\042b"));
  EXPECT_TRUE(has(A.Boxed, "'x\\134'"));
}

TEST(Adapter, MacrosOfTheSubmissionCannotRenameTheEntry) {
  std::string Tail = generateAdapter({tensorEntry("ns::relu_forward")}, "2.11.0").Tail;
  for (const char *Word : {"ns", "relu_forward", "static_cast", "const", "at", "Tensor", "using",
                           "extern", "cupel_type_0", "cupel_function_0"}) {
    size_t Undefined = Tail.find("#undef " + std::string(Word) + "\n");
    ASSERT_NE(Undefined, std::string::npos) << Word;
    EXPECT_LT(Undefined, Tail.find("using cupel_type_0")) << Word;
  }
  // Whatever the last line of the submission leaves open must not reach into the tail.
  EXPECT_TRUE(llvm::StringRef(Tail).starts_with("\n\n#undef"));
  EXPECT_FALSE(has(Tail, "*/"));
}
