//===- EntryCalls.cpp - calls in a call of the entry ------------------------===//

#include "EntryRun.h"
#include "cupel/Problem/DType.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using llvm::StringRef;

namespace cupel {

/// The problem's names of dtypes and torch's enumerators.
static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> DTypeNames[] = {
    {"float64", "Double"}, {"float32", "Float"}, {"float16", "Half"}, {"bfloat16", "BFloat16"},
    {"int64", "Long"},     {"int32", "Int"},     {"int16", "Short"},  {"int8", "Char"},
    {"uint8", "Byte"},     {"bool", "Bool"},
};

/// The enumerator \p Name of the enumeration \p T.
static Value enumerator(QualType T, StringRef Name) {
  const EnumDecl *Enum = T.getNonReferenceType()->getAsEnumDecl();
  if (Enum)
    for (const EnumConstantDecl *E : Enum->enumerators())
      if (E->getName() == Name)
        return Value::integer(E->getInitVal().getExtValue());
  return {};
}

static Value scalarType(QualType T, StringRef DType) {
  for (const auto &[Name, Enumerator] : DTypeNames)
    if (Name == DType)
      return enumerator(T, Enumerator);
  return {};
}

/// The argument at \p Index, or null.
static const Expr *argumentAt(const CallExpr *E, unsigned Index) {
  return Index < E->getNumArgs() ? E->getArg(Index) : nullptr;
}

Value EntryRun::callInside(const FunctionDecl *F, llvm::ArrayRef<const Expr *> Arguments,
                           const CallExpr *E) {
  std::vector<Value> Values;
  for (const Expr *Argument : Arguments)
    Values.push_back(evaluate(Argument));
  if (Ended != Flow::Next)
    return {};
  if (Reading) // Only what the condition itself looks at is of interest.
    return unknown(E);
  Value V = call(F->getDefinition(), std::move(Values), E->getExprLoc());
  return Ended == Flow::Next ? V : Value();
}

Value EntryRun::evaluateCall(const CallExpr *E) {
  if (const auto *O = dyn_cast<CXXOperatorCallExpr>(E))
    return evaluateOperator(O);
  if (const auto *M = dyn_cast<CXXMemberCallExpr>(E))
    return evaluateMethod(M);
  const FunctionDecl *F = E->getDirectCallee();
  if (!F || isa<CUDAKernelCallExpr>(E))
    return unknown(E);
  if (F->getBuiltinID() == Builtin::BI__builtin_expect)
    return evaluate(E->getArg(0));
  if (F->isNoReturn()) {
    stop(E->getExprLoc());
    return {};
  }
  llvm::SmallVector<const Expr *, 4> Arguments(E->arguments());
  if (Context.symbols().isDefinedHere(F))
    return callInside(F, Arguments, E);
  const StringRef Name = Context.symbols().qualifiedName(F);
  const Value First = E->getNumArgs() ? evaluate(E->getArg(0)) : Value();
  // What the dispatch macros ask.
  if (Name == "detail::scalar_type" && First.Is == Value::Kind::Integer)
    return First;
  if (Name == "c10::typeMetaToScalarType" && First.Is == Value::Kind::DType)
    return scalarType(E->getType(), First.DType);
  if ((Name == "std::min" || Name == "std::max") && E->getNumArgs() == 2) {
    const Value Second = evaluate(E->getArg(1));
    if (First.Is == Value::Kind::Integer && Second.Is == Value::Kind::Integer)
      return Value::integer(Name == "std::min" ? std::min(First.Integer, Second.Integer)
                                               : std::max(First.Integer, Second.Integer));
  }
  return unknown(E);
}

/// Whether \p A and \p B are equal, as far as the values tell. \p T is the type of \p B.
static std::optional<bool> isEqual(const Value &A, const Value &B, QualType T) {
  using Kind = Value::Kind;
  if (A.Is == Kind::DType && B.Is == Kind::DType)
    return A.DType == B.DType;
  if (A.Is == Kind::Sizes && B.Is == Kind::Sizes)
    return A.Sizes == B.Sizes;
  if (A.Is == Kind::Device && B.Is == Kind::Device)
    return true; // All tensors are on the one GPU.
  if (A.Is == Kind::DType && B.Is == Kind::Integer) {
    const Value Own = scalarType(T, A.DType);
    if (Own.isKnown())
      return Own.Integer == B.Integer;
  }
  return std::nullopt;
}

Value EntryRun::evaluateOperator(const CXXOperatorCallExpr *E) {
  const FunctionDecl *F = E->getDirectCallee();
  const OverloadedOperatorKind Op = E->getOperator();
  if (!F)
    return unknown(E);
  if (Op == OO_Call) { // A lambda, made here or held by a variable.
    const auto *M = dyn_cast<CXXMethodDecl>(F);
    if (!M || !M->getParent()->isLambda() || !Context.symbols().isDefinedHere(F))
      return unknown(E);
    llvm::SmallVector<const Expr *, 4> Arguments(llvm::drop_begin(E->arguments()));
    return callInside(F, Arguments, E);
  }
  if (Context.symbols().isDefinedHere(F))
    return unknown(E);
  if (Op == OO_Equal && E->getNumArgs() == 2) {
    const auto *Ref = dyn_cast<DeclRefExpr>(E->getArg(0)->IgnoreParenImpCasts());
    const auto *V = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    Value New = evaluate(E->getArg(1));
    forget(E);
    if (V && !V->getType()->isReferenceType() && Ended == Flow::Next)
      set(V, std::move(New));
    return {};
  }
  if (E->getNumArgs() == 1 && Op == OO_Star) {
    Value V = evaluate(E->getArg(0));
    return V.Is == Value::Kind::Tensor ? V : Value();
  }
  if (E->getNumArgs() != 2 || E->isAssignmentOp())
    return unknown(E);
  const Value A = evaluate(E->getArg(0)), B = evaluate(E->getArg(1));
  if (Ended != Flow::Next)
    return {};
  if (Op == OO_EqualEqual || Op == OO_ExclaimEqual) {
    std::optional<bool> Equal = isEqual(A, B, E->getArg(1)->getType());
    if (!Equal)
      Equal = isEqual(B, A, E->getArg(0)->getType());
    return Equal ? Value::integer(*Equal == (Op == OO_EqualEqual)) : Value();
  }
  if (Op == OO_Subscript && A.Is == Value::Kind::Sizes && B.Is == Value::Kind::Integer &&
      B.Integer >= 0 && static_cast<size_t>(B.Integer) < A.Sizes.size())
    return Value::integer(A.Sizes[B.Integer]);
  return unknown(E);
}

/// \p E as a dimension of a tensor with \p Rank of them; one that it has not throws.
std::optional<int64_t> EntryRun::dimension(const Expr *E, size_t Rank, const CallExpr *Call) {
  const Value V = evaluate(E);
  if (V.Is != Value::Kind::Integer || Ended != Flow::Next)
    return std::nullopt;
  const auto Count = static_cast<int64_t>(Rank);
  if (V.Integer < -Count || V.Integer >= Count) {
    stop(Call->getExprLoc(), "dimension " + std::to_string(V.Integer) + " of a tensor with " +
                                 std::to_string(Count) + " dimensions");
    return std::nullopt;
  }
  return V.Integer < 0 ? V.Integer + Count : V.Integer;
}

static std::string spell(llvm::ArrayRef<int64_t> Sizes) {
  return "[" +
         llvm::join(llvm::map_range(Sizes, [](int64_t N) { return std::to_string(N); }), ", ") +
         "]";
}

Value EntryRun::askTensor(const CXXMemberCallExpr *E, const TensorFacts &T, StringRef Name) {
  const size_t Rank = T.Shape.size();
  auto Fact = [&](Value V, std::string Text) {
    if (Reading)
      Reading->push_back({E, std::move(Text), T.Spec});
    return V;
  };
  auto Number = [&](int64_t N) { return Fact(Value::integer(N), std::to_string(N)); };
  if (Name == "dim" || Name == "ndimension")
    return Number(Rank);
  if (Name == "size") {
    // Of a tensor without dimensions: left to the run.
    std::optional<int64_t> I = Rank ? dimension(argumentAt(E, 0), Rank, E) : std::nullopt;
    return I ? Number(T.Shape[*I]) : Value();
  }
  if (Name == "sizes")
    return Fact(Value::sizes(T.Shape), spell(T.Shape));
  if (Name == "numel") {
    int64_t Count = 1;
    for (int64_t N : T.Shape)
      Count *= N; // A valid problem's tensors have less than 2^40 bytes.
    return Number(Count);
  }
  if (Name == "scalar_type") {
    Value V = scalarType(E->getType(), T.Spec->DType);
    return V.isKnown() ? Fact(V, T.Spec->DType) : V;
  }
  if (Name == "dtype")
    return Fact(Value::dtype(T.Spec->DType), T.Spec->DType);
  if (Name == "is_floating_point") {
    const DType *D = findDType(T.Spec->DType);
    return D ? Number(D->Kind == DType::Family::Real) : Value();
  }
  if (Name == "element_size" || Name == "itemsize") {
    const DType *D = findDType(T.Spec->DType);
    return D ? Number(D->Bytes) : Value();
  }
  if (Name == "device")
    return Fact(Value::device(), "the GPU");
  if (Name == "type" && E->getNumArgs() == 0)
    return Value::device(); // The deprecated type, asked for is_cuda() alone.
  if (Name == "is_cuda" || Name == "defined" || Name == "has_value")
    return Number(1);
  if (Name == "is_cpu" || Name == "is_sparse" || Name == "is_quantized" || Name == "is_meta")
    return Number(0);
  if (Name == "is_contiguous" && (E->getNumArgs() == 0 || isa<CXXDefaultArgExpr>(E->getArg(0))))
    return Number(1);
  if (Name == "contiguous" || Name == "detach" || Name == "value")
    return Value::tensor(&T);
  return unknown(E);
}

Value EntryRun::evaluateMethod(const CXXMemberCallExpr *E) {
  const CXXMethodDecl *M = E->getMethodDecl();
  if (!M)
    return unknown(E);
  if (M->isNoReturn()) {
    stop(E->getExprLoc());
    return {};
  }
  const Expr *Object = E->getImplicitObjectArgument();
  if (Context.symbols().isDefinedHere(M)) {
    llvm::SmallVector<const Expr *, 4> Arguments(E->arguments());
    return M->isVirtual() ? unknown(E) : callInside(M, Arguments, E);
  }
  const Value V = evaluate(Object);
  if (Ended != Flow::Next)
    return {};
  if (const auto *Conversion = dyn_cast<CXXConversionDecl>(M)) // if (bias)
    return V.Is == Value::Kind::Tensor && Conversion->getConversionType()->isBooleanType()
               ? Value::integer(1)
               : Value();
  if (!M->getIdentifier())
    return unknown(E);
  const StringRef Name = M->getName();
  switch (V.Is) {
  case Value::Kind::Tensor:
    return askTensor(E, *V.Tensor, Name);
  case Value::Kind::Sizes:
    if (Name == "size")
      return Value::integer(V.Sizes.size());
    return Name == "vec" ? V : unknown(E);
  case Value::Kind::DType:
    return Name == "toScalarType" ? scalarType(E->getType(), V.DType) : unknown(E);
  case Value::Kind::Device:
    if (Name == "is_cuda")
      return Value::integer(1);
    if (Name == "is_cpu")
      return Value::integer(0);
    return Name == "type" ? enumerator(E->getType(), "CUDA") : unknown(E);
  default:
    return unknown(E);
  }
}

} // namespace cupel
