//===- ShapeExpr.cpp - integer expressions over the sizes of a case ---------===//

#include "cupel/Problem/ShapeExpr.h"
#include "cupel/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace cupel;

/// A number, a size name, or an operator with two operands.
struct ShapeExpr::Node {
  char Kind = 'n'; ///< `n` number, `s` size, `-` with only \c Right set: negation, else operator.
  int64_t Value = 0;
  std::string Name;
  std::shared_ptr<const Node> Left, Right;
};

namespace {

using NodePtr = std::shared_ptr<const ShapeExpr::Node>;

// A longer text or deeper nesting is no shape; the limits keep the recursion bounded.
constexpr size_t MaxLength = 1000;
constexpr unsigned MaxDepth = 50;

/// Recursive descent: sum := product (('+'|'-') product)*, product := unary (('*'|'/'|'%') unary)*.
class Parser {
public:
  explicit Parser(llvm::StringRef Text) : Text(Text) {}

  llvm::Expected<NodePtr> parse() {
    llvm::Expected<NodePtr> Sum = parseSum();
    if (Sum && peek() != '\0')
      return fail("expected an operator");
    return Sum;
  }

private:
  llvm::Error fail(const llvm::Twine &What) const {
    return makeError("shape-expression",
                     What + " at column " + llvm::Twine(Offset + 1) + " of '" + Text + "'");
  }

  char peek() {
    while (Offset < Text.size() && llvm::isSpace(Text[Offset]))
      ++Offset;
    return Offset < Text.size() ? Text[Offset] : '\0';
  }

  llvm::Expected<NodePtr> parseSum() {
    return parseChain("+-", [this] { return parseProduct(); });
  }
  llvm::Expected<NodePtr> parseProduct() {
    return parseChain("*/%", [this] { return parseUnary(); });
  }

  template <typename ParseOperand>
  llvm::Expected<NodePtr> parseChain(llvm::StringRef Operators, ParseOperand Operand) {
    llvm::Expected<NodePtr> Left = Operand();
    while (Left && peek() != '\0' && Operators.contains(peek())) {
      char Operator = Text[Offset++];
      llvm::Expected<NodePtr> Right = Operand();
      if (!Right)
        return Right;
      Left = std::make_shared<ShapeExpr::Node>(ShapeExpr::Node{Operator, 0, "", *Left, *Right});
    }
    return Left;
  }

  llvm::Expected<NodePtr> parseUnary() {
    if (++Depth > MaxDepth)
      return fail("too deeply nested");
    llvm::Expected<NodePtr> Result = parseUnaryOrAtom();
    --Depth;
    return Result;
  }

  llvm::Expected<NodePtr> parseUnaryOrAtom() {
    char Next = peek();
    if (Next == '-') {
      ++Offset;
      llvm::Expected<NodePtr> Operand = parseUnary();
      if (!Operand)
        return Operand;
      return std::make_shared<ShapeExpr::Node>(ShapeExpr::Node{'-', 0, "", nullptr, *Operand});
    }
    if (Next == '(') {
      ++Offset;
      llvm::Expected<NodePtr> Inner = parseSum();
      if (!Inner)
        return Inner;
      if (peek() != ')')
        return fail("expected ')'");
      ++Offset;
      return Inner;
    }
    if (llvm::isDigit(Next))
      return parseNumber();
    if (llvm::isAlpha(Next) || Next == '_')
      return parseName();
    return fail("expected a number, a size name or '('");
  }

  llvm::Expected<NodePtr> parseNumber() {
    llvm::StringRef Digits = Text.substr(Offset).take_while(llvm::isDigit);
    ShapeExpr::Node Number;
    if (Digits.getAsInteger(10, Number.Value))
      return fail("number too big");
    Offset += Digits.size();
    return std::make_shared<ShapeExpr::Node>(std::move(Number));
  }

  llvm::Expected<NodePtr> parseName() {
    llvm::StringRef Name =
        Text.substr(Offset).take_while([](char C) { return llvm::isAlnum(C) || C == '_'; });
    Offset += Name.size();
    return std::make_shared<ShapeExpr::Node>(ShapeExpr::Node{'s', 0, Name.str(), nullptr, nullptr});
  }

  llvm::StringRef Text;
  size_t Offset = 0;
  unsigned Depth = 0;
};

llvm::Error overflow() { return makeError("shape-overflow", "the value does not fit 64 bits"); }

llvm::Expected<int64_t> divideFloor(int64_t Left, int64_t Right, bool WantRemainder) {
  if (Right == 0)
    return makeError("shape-division-by-zero", "division by zero");
  if (Left == INT64_MIN && Right == -1)
    return WantRemainder ? llvm::Expected<int64_t>(0) : overflow();
  int64_t Quotient = Left / Right, Remainder = Left % Right;
  // C++ rounds towards zero; Python, whose notation the problems use, towards minus infinity.
  if (Remainder != 0 && (Remainder < 0) != (Right < 0)) {
    --Quotient;
    Remainder += Right;
  }
  return WantRemainder ? Remainder : Quotient;
}

llvm::Expected<int64_t> apply(char Operator, int64_t Left, int64_t Right) {
  int64_t Result = 0;
  switch (Operator) {
  case '+':
    return llvm::AddOverflow(Left, Right, Result) ? overflow() : llvm::Expected<int64_t>(Result);
  case '-':
    return llvm::SubOverflow(Left, Right, Result) ? overflow() : llvm::Expected<int64_t>(Result);
  case '*':
    return llvm::MulOverflow(Left, Right, Result) ? overflow() : llvm::Expected<int64_t>(Result);
  default:
    return divideFloor(Left, Right, Operator == '%');
  }
}

llvm::Expected<int64_t> evaluateNode(const ShapeExpr::Node &Node,
                                     const std::map<std::string, int64_t> &Sizes) {
  if (Node.Kind == 'n')
    return Node.Value;
  if (Node.Kind == 's') {
    auto Found = Sizes.find(Node.Name);
    if (Found == Sizes.end())
      return makeError("shape-unknown-size", "unknown size '" + Node.Name + "'");
    return Found->second;
  }
  llvm::Expected<int64_t> Left = Node.Left ? evaluateNode(*Node.Left, Sizes) : 0;
  if (!Left)
    return Left;
  llvm::Expected<int64_t> Right = evaluateNode(*Node.Right, Sizes);
  if (!Right)
    return Right;
  return apply(Node.Kind, *Left, *Right);
}

void collectNames(const ShapeExpr::Node &Node, std::vector<std::string> &Names) {
  if (Node.Kind == 's' && !llvm::is_contained(Names, Node.Name))
    Names.push_back(Node.Name);
  if (Node.Left)
    collectNames(*Node.Left, Names);
  if (Node.Right)
    collectNames(*Node.Right, Names);
}

} // namespace

ShapeExpr::ShapeExpr(int64_t Value)
    : Text(std::to_string(Value)),
      Root(std::make_shared<Node>(Node{'n', Value, "", nullptr, nullptr})) {}

llvm::Expected<ShapeExpr> ShapeExpr::parse(llvm::StringRef Text) {
  if (Text.size() > MaxLength)
    return makeError("shape-expression", "an expression of " + llvm::Twine(Text.size()) +
                                             " characters; " + llvm::Twine(MaxLength) +
                                             " are allowed");
  llvm::Expected<NodePtr> Root = Parser(Text).parse();
  if (!Root)
    return Root.takeError();
  ShapeExpr Result;
  Result.Text = Text.str();
  Result.Root = *Root;
  return Result;
}

llvm::Expected<int64_t> ShapeExpr::evaluate(const std::map<std::string, int64_t> &Sizes) const {
  if (!Root)
    return 0;
  return evaluateNode(*Root, Sizes);
}

std::vector<std::string> ShapeExpr::names() const {
  std::vector<std::string> Names;
  if (Root)
    collectNames(*Root, Names);
  return Names;
}
