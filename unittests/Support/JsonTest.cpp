//===- JsonTest.cpp - JSON that others wrote ---------------------------------===//

#include "cupel/Support/Json.h"
#include "TestSupport.h"
#include "gtest/gtest.h"

using namespace cupel;

TEST(Json, DepthIsLimited) {
  auto Nested = [](unsigned Depth) { return std::string(Depth, '[') + std::string(Depth, ']'); };
  EXPECT_TRUE(bool(parseJson(Nested(MaxJsonDepth))));
  EXPECT_EQ(errorOf(parseJson(Nested(MaxJsonDepth + 1))),
            "json-too-deep: nested too deeply: more than 64 levels");
  EXPECT_EQ(errorText(parseJson(std::string(1 << 20, '[')).takeError()).substr(0, 13),
            "json-too-deep");
  std::string Objects;
  for (int I = 0; I != 200; ++I)
    Objects += "{\"a\":[";
  EXPECT_EQ(errorText(parseJson(Objects).takeError()).substr(0, 13), "json-too-deep");
}

TEST(Json, BracketsInTextAreNoDepth) {
  std::string Text = "[\"" + std::string(200, '[') + "\\\"" + std::string(200, '{') + "\"]";
  llvm::Expected<llvm::json::Value> Value = parseJson(Text);
  ASSERT_TRUE(bool(Value)) << errorText(Value.takeError());
  EXPECT_EQ(Value->getAsArray()->front().getAsString()->size(), 401u);
}

TEST(Json, MistakesHaveTheirPlace) {
  EXPECT_EQ(errorOf(parseJson("{\"a\": }")).substr(0, 17), "json-syntax: [1:7");
}
