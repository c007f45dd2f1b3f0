//===- BoundDefaults.cpp - constants that a binding gives --------------------===//

#include "BoundDefaults.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

using namespace cupel;
namespace json = llvm::json;

/// The operand that holds the value: of `=` the right one, of a constructor the second.
static const clang::Expr *valueIn(const clang::Expr *Extra) {
  for (unsigned Depth = 0; Extra && Depth != 16; ++Depth) {
    Extra = Extra->IgnoreUnlessSpelledInSource()->IgnoreParenCasts();
    // `.noconvert()` and kin behind it.
    if (const auto *Member = llvm::dyn_cast<clang::CXXMemberCallExpr>(Extra)) {
      Extra = Member->getImplicitObjectArgument();
      continue;
    }
    if (const auto *Operator = llvm::dyn_cast<clang::CXXOperatorCallExpr>(Extra))
      return Operator->getOperator() == clang::OO_Equal ? Operator->getArg(1) : nullptr;
    if (const auto *Binary = llvm::dyn_cast<clang::BinaryOperator>(Extra)) // In a template.
      return Binary->isAssignmentOp() ? Binary->getRHS() : nullptr;
    const auto *Construct = llvm::dyn_cast<clang::CXXConstructExpr>(Extra);
    if (!Construct || Construct->getNumArgs() == 0)
      return nullptr;
    if (Construct->getNumArgs() > 1)
      return Construct->getArg(1);
    Extra = Construct->getArg(0);
  }
  return nullptr;
}

/// `py::none()`, `std::nullopt`, `nullptr`.
static bool isNone(const clang::Expr *Value) {
  if (Value->getType()->isNullPtrType())
    return true;
  const clang::CXXRecordDecl *Record = Value->getType()->getAsCXXRecordDecl();
  return Record && Record->getIdentifier() &&
         (Record->getName() == "none" || Record->getName() == "nullopt_t");
}

static json::Value ofNumber(const llvm::APFloat &Number) {
  if (Number.isNaN())
    return "nan";
  if (Number.isInfinity())
    return Number.isNegative() ? "-inf" : "inf";
  return Number.convertToDouble();
}

std::optional<json::Value> cupel::boundDefault(const clang::Expr *Extra, ValueKind Kind,
                                               const clang::ASTContext &Context) {
  const clang::Expr *Value = valueIn(Extra);
  if (!Value || Value->isValueDependent() || Value->containsErrors())
    return std::nullopt;
  if (isNone(Value))
    return json::Value(nullptr);
  if (const auto *Text = llvm::dyn_cast<clang::StringLiteral>(Value->IgnoreParenImpCasts())) {
    if (Kind != ValueKind::String || Text->getCharByteWidth() != 1 ||
        !json::isUTF8(Text->getString()))
      return std::nullopt;
    return json::Value(Text->getString().str());
  }
  clang::Expr::EvalResult Result;
  if (!Value->EvaluateAsRValue(Result, Context) || Result.HasSideEffects)
    return std::nullopt;
  if (Result.Val.isFloat())
    return ofNumber(Result.Val.getFloat());
  if (!Result.Val.isInt() || !Result.Val.getInt().isRepresentableByInt64())
    return std::nullopt;
  int64_t Number = Result.Val.getInt().getExtValue();
  // As pybind11's casters take True for 1 and 0 for False.
  bool IsBool = Kind == ValueKind::Bool || Kind == ValueKind::OptionalBool ||
                (Kind == ValueKind::Scalar && Value->getType()->isBooleanType());
  return IsBool ? json::Value(Number != 0) : json::Value(Number);
}
