//===- ShapeExpr.h - integer expressions over the sizes of a case -----------===//
#ifndef CUPEL_PROBLEM_SHAPEEXPR_H
#define CUPEL_PROBLEM_SHAPEEXPR_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace cupel {

/// An integer, a size name or an expression of them with `+ - * / % ( )`; `/` rounds towards
/// minus infinity, as Python's `//`. Overflow and division by zero are errors, never wrapped.
class ShapeExpr {
public:
  struct Node;

  ShapeExpr() = default;
  explicit ShapeExpr(int64_t Value);

  /// Errors name the column within \p Text, starting at 1.
  static llvm::Expected<ShapeExpr> parse(llvm::StringRef Text);

  llvm::Expected<int64_t> evaluate(const std::map<std::string, int64_t> &Sizes) const;

  /// The size names in it, each once, in order of appearance.
  std::vector<std::string> names() const;

  /// As written.
  const std::string &text() const { return Text; }

private:
  std::string Text;
  std::shared_ptr<const Node> Root;
};

} // namespace cupel

#endif // CUPEL_PROBLEM_SHAPEEXPR_H
