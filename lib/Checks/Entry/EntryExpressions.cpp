//===- EntryExpressions.cpp - expressions in a call of the entry ------------===//

#include "EntryRun.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SaveAndRestore.h"
#include <cmath>

using namespace clang;

namespace cupel {

/// \p N as a value of type \p T; unknown when it does not fit, which wraps or is undefined.
static Value fitted(__int128 N, QualType T, ASTContext &AST) {
  if (T->isBooleanType())
    return Value::integer(N != 0);
  if (!T->isIntegralOrEnumerationType() || T->isDependentType())
    return {};
  const unsigned Bits = AST.getIntWidth(T);
  const bool IsSigned = T->isSignedIntegerOrEnumerationType();
  if (Bits > 64 || N < INT64_MIN || N > INT64_MAX)
    return {};
  const __int128 High = (__int128(1) << (IsSigned ? Bits - 1 : Bits)) - 1;
  if (N > High || N < (IsSigned ? -High - 1 : 0))
    return {};
  return Value::integer(static_cast<int64_t>(N));
}

Value EntryRun::unknown(const Expr *E) {
  forget(E);
  return {};
}

Value EntryRun::evaluate(const Expr *E) {
  if (!E || Ended != Flow::Next)
    return {};
  if (++Steps > StepLimit) {
    Ended = Flow::Unclear;
    return {};
  }
  if (Depth > DepthLimit)
    return unknown(E);
  llvm::SaveAndRestore Nested(Depth, Depth + 1);
  return evaluateKnown(E);
}

Value EntryRun::evaluateKnown(const Expr *E) {
  if (E->containsErrors() || E->getType().isNull())
    return unknown(E);
  if (const auto *P = dyn_cast<ParenExpr>(E))
    return evaluate(P->getSubExpr());
  if (const auto *Full = dyn_cast<FullExpr>(E))
    return evaluate(Full->getSubExpr());
  if (const auto *M = dyn_cast<MaterializeTemporaryExpr>(E))
    return evaluate(M->getSubExpr());
  if (const auto *B = dyn_cast<CXXBindTemporaryExpr>(E))
    return evaluate(B->getSubExpr());
  if (const auto *R = dyn_cast<CXXRewrittenBinaryOperator>(E))
    return evaluate(R->getSemanticForm());
  if (const auto *N = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
    return evaluate(N->getReplacement());
  if (isa<IntegerLiteral, CXXBoolLiteralExpr, CharacterLiteral, FloatingLiteral,
          UnaryExprOrTypeTraitExpr>(E))
    return evaluateConstant(E);
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
    return evaluateVariable(Ref);
  if (const auto *U = dyn_cast<UnaryOperator>(E))
    return evaluateUnary(U);
  if (const auto *B = dyn_cast<BinaryOperator>(E))
    return evaluateBinary(B);
  if (const auto *C = dyn_cast<AbstractConditionalOperator>(E))
    return evaluateConditional(C);
  if (const auto *C = dyn_cast<CastExpr>(E))
    return evaluateCast(C);
  if (const auto *C = dyn_cast<CallExpr>(E))
    return evaluateCall(C);
  if (const auto *C = dyn_cast<CXXConstructExpr>(E))
    return C->getNumArgs() >= 1 && C->getConstructor()->isCopyOrMoveConstructor()
               ? evaluate(C->getArg(0))
               : unknown(E);
  if (const auto *L = dyn_cast<InitListExpr>(E);
      L && L->getNumInits() == 1 && E->getType()->isScalarType())
    return evaluate(L->getInit(0));
  if (isa<CXXThrowExpr>(E)) {
    stop(E->getExprLoc());
    return {};
  }
  // What a lambda assigns is never followed; making it does nothing.
  return isa<LambdaExpr>(E) ? Value() : unknown(E);
}

Value EntryRun::evaluateConstant(const Expr *E) {
  if (E->isValueDependent())
    return {};
  Expr::EvalResult Result;
  if (!E->EvaluateAsRValue(Result, Context.ast()) || Result.HasSideEffects)
    return {};
  if (Result.Val.isInt() && Result.Val.getInt().isRepresentableByInt64())
    return Value::integer(Result.Val.getInt().getExtValue());
  if (Result.Val.isFloat() && E->getType()->isSpecificBuiltinType(BuiltinType::Double))
    return Value::real(Result.Val.getFloat().convertToDouble());
  return {};
}

/// \p N as people write a value of type \p T.
static std::string spell(int64_t N, QualType T) {
  T = T.getNonReferenceType();
  if (T->isBooleanType())
    return N ? "true" : "false";
  if (const EnumDecl *Enum = T->getAsEnumDecl())
    for (const EnumConstantDecl *E : Enum->enumerators())
      if (E->getInitVal() == N)
        return E->getName().str();
  return std::to_string(N);
}

Value EntryRun::evaluateVariable(const DeclRefExpr *E) {
  if (const auto *Constant = dyn_cast<EnumConstantDecl>(E->getDecl()))
    return Constant->getInitVal().isRepresentableByInt64()
               ? Value::integer(Constant->getInitVal().getExtValue())
               : Value();
  const auto *V = dyn_cast<VarDecl>(E->getDecl());
  if (!V)
    return {};
  if (auto Found = Now.find(V); Found != Now.end()) {
    const Value &Known = Found->second;
    if (Reading && Known.Is == Value::Kind::Integer && !V->isConstexpr())
      Reading->push_back({E, spell(Known.Integer, V->getType()), nullptr});
    if (Reading && Known.Is == Value::Kind::Real && !V->isConstexpr())
      Reading->push_back({E, llvm::formatv("{0}", Known.Real).str(), nullptr});
    return Known;
  }
  if (V->isUsableInConstantExpressions(Context.ast()) && !V->getType()->isReferenceType())
    return evaluateConstant(E);
  return {};
}

Value EntryRun::evaluateUnary(const UnaryOperator *E) {
  if (E->isIncrementDecrementOp() || E->getOpcode() == UO_AddrOf || E->getOpcode() == UO_Deref)
    return unknown(E);
  const Value V = evaluate(E->getSubExpr());
  if (E->getOpcode() == UO_LNot) {
    const std::optional<bool> Truth = V.truth();
    return Truth ? Value::integer(!*Truth) : Value();
  }
  if (E->getOpcode() == UO_Plus)
    return V;
  if (E->getOpcode() == UO_Minus && V.Is == Value::Kind::Integer)
    return fitted(-__int128(V.Integer), E->getType(), Context.ast());
  if (E->getOpcode() == UO_Minus && V.Is == Value::Kind::Real)
    return Value::real(-V.Real);
  return {};
}

template <typename T> static std::optional<bool> compare(BinaryOperatorKind Op, T A, T B) {
  switch (Op) {
  case BO_LT:
    return A < B;
  case BO_GT:
    return A > B;
  case BO_LE:
    return A <= B;
  case BO_GE:
    return A >= B;
  case BO_EQ:
    return A == B;
  case BO_NE:
    return A != B;
  default:
    return std::nullopt;
  }
}

static std::optional<__int128> compute(BinaryOperatorKind Op, __int128 A, __int128 B) {
  switch (Op) {
  case BO_Add:
    return A + B;
  case BO_Sub:
    return A - B;
  case BO_Mul:
    return A * B;
  case BO_Div:
    return B == 0 ? std::nullopt : std::optional(A / B);
  case BO_Rem:
    return B == 0 ? std::nullopt : std::optional(A % B);
  case BO_And:
    return A & B;
  case BO_Or:
    return A | B;
  case BO_Shl:
    return A < 0 || B < 0 || B > 62 ? std::nullopt : std::optional(A << B);
  case BO_Shr:
    return A < 0 || B < 0 || B > 62 ? std::nullopt : std::optional(A >> B);
  default:
    return std::nullopt;
  }
}

Value EntryRun::evaluateBinary(const BinaryOperator *E) {
  if (E->isLogicalOp())
    return evaluateLogical(E);
  if (E->isAssignmentOp()) {
    const auto *Ref = dyn_cast<DeclRefExpr>(E->getLHS()->IgnoreParens());
    const auto *V = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    Value New = evaluate(E->getRHS());
    if (V && E->getOpcode() == BO_Assign && !V->getType()->isReferenceType())
      set(V, New);
    else
      forget(E);
    return New;
  }
  const Value A = evaluate(E->getLHS()), B = evaluate(E->getRHS());
  if (E->getOpcode() == BO_Comma)
    return B;
  if (A.Is == Value::Kind::Real && B.Is == Value::Kind::Real) {
    std::optional<bool> Truth = compare(E->getOpcode(), A.Real, B.Real);
    return Truth ? Value::integer(*Truth) : Value();
  }
  if (A.Is != Value::Kind::Integer || B.Is != Value::Kind::Integer)
    return {};
  if (std::optional<bool> Truth = compare(E->getOpcode(), A.Integer, B.Integer))
    return Value::integer(*Truth);
  std::optional<__int128> N = compute(E->getOpcode(), A.Integer, B.Integer);
  return N ? fitted(*N, E->getType(), Context.ast()) : Value();
}

/// `false && unknown` and `unknown && false` are both false; but of the second the right side may
/// not have run, so it leaves no trace.
Value EntryRun::evaluateLogical(const BinaryOperator *E) {
  const bool Decides = E->getOpcode() == BO_LOr;
  const std::optional<bool> Left = evaluate(E->getLHS()).truth();
  if (Ended != Flow::Next)
    return {};
  if (Left == std::optional(Decides))
    return Value::integer(Decides);
  if (Left) {
    const std::optional<bool> Right = evaluate(E->getRHS()).truth();
    return Right ? Value::integer(*Right) : Value();
  }
  Variables Before = Now;
  std::vector<ReadFact> *Reader = Reading;
  std::vector<ReadFact> Unread;
  Reading = Reader ? Reader : &Unread; // Nothing stops while it is set.
  const std::optional<bool> Right = evaluate(E->getRHS()).truth();
  Reading = Reader;
  Now = std::move(Before);
  forget(E->getRHS());
  return Right == std::optional(Decides) ? Value::integer(Decides) : Value();
}

Value EntryRun::evaluateConditional(const AbstractConditionalOperator *E) {
  const std::optional<bool> Truth = evaluate(E->getCond()).truth();
  if (!Truth || isa<BinaryConditionalOperator>(E))
    return unknown(E);
  Taken.emplace_back(E->getCond(), *Truth);
  Value V = evaluate(*Truth ? E->getTrueExpr() : E->getFalseExpr());
  Taken.pop_back();
  return V;
}

Value EntryRun::evaluateCast(const CastExpr *E) {
  const Value V = evaluate(E->getSubExpr());
  const std::optional<bool> Truth = V.truth();
  switch (E->getCastKind()) {
  case CK_LValueToRValue:
  case CK_NoOp:
  case CK_ConstructorConversion:
  case CK_UserDefinedConversion:
  case CK_UncheckedDerivedToBase:
  case CK_DerivedToBase:
    return V;
  case CK_IntegralToBoolean:
  case CK_FloatingToBoolean:
    return Truth ? Value::integer(*Truth) : Value();
  case CK_IntegralCast:
    return V.Is == Value::Kind::Integer ? fitted(V.Integer, E->getType(), Context.ast()) : Value();
  case CK_IntegralToFloating:
    // Beyond 2^53 a double rounds.
    return V.Is == Value::Kind::Integer && std::abs(V.Integer) < (int64_t(1) << 53) &&
                   E->getType()->isSpecificBuiltinType(BuiltinType::Double)
               ? Value::real(static_cast<double>(V.Integer))
               : Value();
  case CK_FloatingToIntegral:
    return V.Is == Value::Kind::Real && std::fabs(V.Real) < 9e15
               ? fitted(static_cast<int64_t>(V.Real), E->getType(), Context.ast())
               : Value();
  default:
    return {};
  }
}

} // namespace cupel
