//===- EntryRun.cpp - a call of the entry, as far as it can be foreseen -----===//

#include "EntryRun.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace cupel {

/// Calls that are followed into each other. Checks stand in the entry or one or two calls below.
static constexpr size_t CallLimit = 8;

std::optional<EntryStop> EntryRun::run(const FunctionDecl &Entry) {
  const FunctionDecl *Definition = Entry.getDefinition();
  const std::vector<std::string> &Given = Context.problem()->EntryArguments;
  if (!Definition || Given.size() > Definition->getNumParams())
    return std::nullopt;
  std::vector<Value> Arguments;
  for (size_t I = 0; I != Given.size(); ++I)
    Arguments.push_back(argument(Given[I], *Definition->getParamDecl(I)));
  call(Definition, std::move(Arguments), Definition->getLocation());
  return std::move(Result);
}

Value EntryRun::argument(llvm::StringRef Name, const ParmVarDecl &P) {
  auto MakeTensor = [&](const TensorSpec &Spec) {
    Tensors.push_back(std::make_unique<TensorFacts>(TensorFacts{&Spec, shapeOf(Spec, Case)}));
    return Value::tensor(Tensors.back().get());
  };
  for (const TensorSpec &Parameter : Context.problem()->Parameters)
    if (Parameter.Name == Name)
      return MakeTensor(Parameter);
  for (const InputSpec &Input : Context.problem()->Inputs) {
    if (Input.name() != Name)
      continue;
    if (Input.Tensor)
      return MakeTensor(*Input.Tensor);
    const QualType T = P.getType().getNonReferenceType();
    if (T->isFloatingType())
      // A float holds less than the problem's double; only a double is the same number.
      return T->isSpecificBuiltinType(BuiltinType::Double) &&
                     Input.Scalar->Type != ScalarSpec::Kind::Int
                 ? Value::real(Input.Scalar->Value)
                 : Value();
    if (T->isIntegerType() && Input.Scalar->Type != ScalarSpec::Kind::Float)
      return Value::integer(Input.Scalar->Type == ScalarSpec::Kind::Int
                                ? Input.Scalar->Whole
                                : static_cast<int64_t>(Input.Scalar->Value));
  }
  return {};
}

Value EntryRun::call(const FunctionDecl *F, std::vector<Value> Arguments, SourceLocation Where) {
  const bool IsRecursive = llvm::any_of(Calls, [&](const auto &C) { return C.first == F; });
  if (IsRecursive || Calls.size() >= CallLimit || F->isDependentContext()) {
    Ended = Flow::Unclear;
    return {};
  }
  if (scanOf(F).ChangesShapes) {
    Ended = Flow::Unclear;
    return {};
  }
  Calls.emplace_back(F, Where);
  for (unsigned I = 0; I != F->getNumParams(); ++I)
    set(F->getParamDecl(I), I < Arguments.size() ? Arguments[I] : Value());
  Returned = {};
  const Flow How = execute(F->getBody());
  Calls.pop_back();
  if (How == Flow::Stop || How == Flow::Unclear)
    Ended = How;
  Value V = std::move(Returned);
  Returned = {};
  return V;
}

const VariableScan &EntryRun::scanOf(const FunctionDecl *F) {
  auto Found = Scans.find(F);
  if (Found == Scans.end())
    Found = Scans.emplace(F, scanVariables(F, Context.symbols())).first;
  return Found->second;
}

void EntryRun::set(const VarDecl *V, Value NewValue) {
  // A lambda's variables are those of the function around it.
  const bool IsWild =
      llvm::any_of(Calls, [&](const auto &C) { return scanOf(C.first).Wild.contains(V); });
  if (NewValue.isKnown() && !IsWild && V->hasLocalStorage())
    Now[V] = std::move(NewValue);
  else
    Now.erase(V);
}

void EntryRun::forget(const Stmt *S) {
  for (const VarDecl *V : assignedIn(S))
    Now.erase(V);
}

/// \p E without what changes no condition; \p Truth turns over with each `!`.
static const Expr *withoutWrapping(const Expr *E, bool &Truth) {
  while (true) {
    E = E->IgnoreParenCasts();
    if (const auto *Full = dyn_cast<FullExpr>(E))
      E = Full->getSubExpr();
    else if (const auto *Not = dyn_cast<UnaryOperator>(E); Not && Not->getOpcode() == UO_LNot) {
      E = Not->getSubExpr();
      Truth = !Truth;
    } else if (const auto *Call = dyn_cast<CallExpr>(E);
               Call && Call->getBuiltinCallee() == Builtin::BI__builtin_expect)
      E = Call->getArg(0);
    else
      return E;
  }
}

const Expr *EntryRun::blame(const Expr *Condition, bool &Truth) {
  Condition = withoutWrapping(Condition, Truth);
  const auto *B = dyn_cast<BinaryOperator>(Condition);
  if (!B || !B->isLogicalOp() || Truth != (B->getOpcode() == BO_LOr))
    return Condition;
  for (const Expr *Side : {B->getLHS(), B->getRHS()})
    if (evaluate(Side).truth() == std::optional(Truth))
      return blame(Side, Truth);
  return Condition;
}

void EntryRun::stop(SourceLocation Where, llvm::StringRef Why) {
  if (Reading || Ended != Flow::Next)
    return;
  EntryStop Stop;
  Stop.Where = Where;
  Stop.Why = Why.str();
  for (const auto &C : llvm::reverse(Calls))
    Stop.Calls.push_back(C.second);
  Reading = &Stop.Facts;
  // The innermost condition that looks at anything: `TORCH_CHECK(false)` stands behind another.
  for (size_t I = Taken.size(); I != 0 && Why.empty(); --I) {
    auto [Condition, Truth] = Taken[I - 1];
    Condition = blame(Condition, Truth);
    Stop.Facts.clear();
    evaluate(Condition);
    if (Stop.Facts.empty())
      continue;
    Stop.Condition = Condition;
    Stop.ConditionValue = Truth;
    Stop.Where = Condition->getExprLoc();
    break;
  }
  Reading = nullptr;
  Result = std::move(Stop);
  Ended = Flow::Stop;
}

} // namespace cupel
