//===- ShapeExprTest.cpp ----------------------------------------------------===//

#include "cupel/Problem/ShapeExpr.h"
#include "cupel/Support/Error.h"
#include "gtest/gtest.h"

using namespace cupel;

namespace {

using Sizes = std::map<std::string, int64_t>;

/// The value as text, or the error.
std::string evaluate(const std::string &Text, const Sizes &Given = {}) {
  llvm::Expected<ShapeExpr> Parsed = ShapeExpr::parse(Text);
  if (!Parsed)
    return llvm::toString(Parsed.takeError());
  llvm::Expected<int64_t> Value = Parsed->evaluate(Given);
  return Value ? std::to_string(*Value) : llvm::toString(Value.takeError());
}

std::string error(const std::string &Text) { return "cupel: error: " + Text; }

TEST(ShapeExpr, NumbersNamesAndPrecedence) {
  EXPECT_EQ(evaluate("7"), "7");
  EXPECT_EQ(evaluate(" batch ", {{"batch", 16}}), "16");
  EXPECT_EQ(evaluate("2 + 3 * 4"), "14");
  EXPECT_EQ(evaluate("(2 + 3) * 4"), "20");
  EXPECT_EQ(evaluate("20 - 5 - 3"), "12");
  EXPECT_EQ(evaluate("-(n - 2) * -1", {{"n", 9}}), "7");
  EXPECT_EQ(evaluate("(h + 2 * 1 - 3) / 2 + 1", {{"h", 17}}), "9");
}

TEST(ShapeExpr, DivisionRoundsDownAsInPython) {
  EXPECT_EQ(evaluate("7 / 2"), "3");
  EXPECT_EQ(evaluate("-7 / 2"), "-4");
  EXPECT_EQ(evaluate("7 / -2"), "-4");
  EXPECT_EQ(evaluate("-7 % 3"), "2");
  EXPECT_EQ(evaluate("7 % -3"), "-2");
  EXPECT_EQ(evaluate("-6 % 3"), "0");
}

TEST(ShapeExpr, OverflowIsAnErrorNotAWrap) {
  std::string TooBig = error("the value does not fit 64 bits");
  EXPECT_EQ(evaluate("9223372036854775807"), "9223372036854775807");
  EXPECT_EQ(evaluate("9223372036854775807 + 1"), TooBig);
  EXPECT_EQ(evaluate("-9223372036854775807 - 2"), TooBig);
  EXPECT_EQ(evaluate("n * n", {{"n", int64_t(1) << 32}}), TooBig);
  EXPECT_EQ(evaluate("(-9223372036854775807 - 1) / -1"), TooBig);
  EXPECT_EQ(evaluate("(-9223372036854775807 - 1) % -1"), "0");
  EXPECT_EQ(evaluate("-(-9223372036854775807 - 1)"), TooBig);
}

TEST(ShapeExpr, DivisionByZero) {
  EXPECT_EQ(evaluate("4 / (2 - 2)"), error("division by zero"));
  EXPECT_EQ(evaluate("4 % n", {{"n", 0}}), error("division by zero"));
}

TEST(ShapeExpr, MistakesNameTheColumn) {
  EXPECT_EQ(evaluate("batch +"),
            error("expected a number, a size name or '(' at column 8 of 'batch +'"));
  EXPECT_EQ(evaluate(""), error("expected a number, a size name or '(' at column 1 of ''"));
  EXPECT_EQ(evaluate("(a"), error("expected ')' at column 3 of '(a'"));
  EXPECT_EQ(evaluate("a b"), error("expected an operator at column 3 of 'a b'"));
  EXPECT_EQ(evaluate("2 ** 3"),
            error("expected a number, a size name or '(' at column 4 of '2 ** 3'"));
  EXPECT_EQ(evaluate("99999999999999999999"),
            error("number too big at column 1 of '99999999999999999999'"));
}

TEST(ShapeExpr, UnknownSize) { EXPECT_EQ(evaluate("dim"), error("unknown size 'dim'")); }

TEST(ShapeExpr, DepthAndLengthAreBounded) {
  EXPECT_NE(evaluate(std::string(400, '(')).find("too deeply nested"), std::string::npos);
  EXPECT_NE(evaluate(std::string(400, '-') + "1").find("too deeply nested"), std::string::npos);
  EXPECT_EQ(evaluate(std::string(2000, '1')),
            error("an expression of 2000 characters; 1000 are allowed"));
  EXPECT_EQ(evaluate("((((((((((1))))))))))"), "1");
}

TEST(ShapeExpr, NamesOnceInOrder) {
  ShapeExpr Expression = llvm::cantFail(ShapeExpr::parse("b * (a + b) - c"));
  EXPECT_EQ(Expression.names(), (std::vector<std::string>{"b", "a", "c"}));
  EXPECT_EQ(Expression.text(), "b * (a + b) - c");
  EXPECT_TRUE(ShapeExpr(5).names().empty());
  EXPECT_EQ(ShapeExpr(5).text(), "5");
}

} // namespace
