//===- StreamOperands.cpp - streams and events that an expression names -----===//

#include "StreamOperands.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;

namespace cupel {

using Kind = StreamOperand::Kind;

/// The class behind a handle: `CUstream_st` of `cudaStream_t`, torch's own otherwise.
static llvm::StringRef classOf(QualType T, const Symbols &Names) {
  T = T.getNonReferenceType();
  while (T->isArrayType())
    T = T->castAsArrayTypeUnsafe()->getElementType();
  if (T->isPointerType())
    T = T->getPointeeType();
  const CXXRecordDecl *Record = T->getAsCXXRecordDecl();
  return Record ? Names.qualifiedName(Record) : "";
}

bool isEvent(QualType T, const Symbols &Names) {
  static const llvm::StringSet<> Events = {"CUevent_st", "at::cuda::CUDAEvent",
                                           "c10::cuda::CUDAEvent", "c10::Event"};
  return Events.contains(classOf(T, Names));
}

bool isStreamOrEvent(QualType T, const Symbols &Names) {
  static const llvm::StringSet<> Streams = {"CUstream_st", "c10::cuda::CUDAStream", "c10::Stream"};
  return Streams.contains(classOf(T, Names)) || isEvent(T, Names);
}

const Expr *withoutConversions(const Expr *E, const Symbols &Names) {
  for (;;) {
    E = E->IgnoreParenCasts();
    if (const auto *Construct = dyn_cast<CXXConstructExpr>(E);
        Construct && Construct->getNumArgs() == 1 &&
        isStreamOrEvent(Construct->getArg(0)->getType(), Names))
      E = Construct->getArg(0);
    else if (const auto *Call = dyn_cast<CXXMemberCallExpr>(E);
             Call && !Call->getNumArgs() && isStreamOrEvent(Call->getType(), Names) &&
             isStreamOrEvent(Call->getImplicitObjectArgument()->getType(), Names))
      E = Call->getImplicitObjectArgument(); // `stream()`, `unwrap()`, `operator cudaStream_t()`
    else if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E))
      E = Subscript->getBase();
    else if (const Expr *Inner = E->IgnoreImplicit(); Inner != E)
      E = Inner;
    else
      return E;
  }
}

StreamOperand StreamOperands::resolveVariable(const VarDecl *V, unsigned Depth) const {
  if (Assigned.contains(V) || isa<ParmVarDecl>(V) || !isStreamOrEvent(V->getType(), Names))
    return {};
  if (Makers.contains(V))
    return {Kind::Variable, V};
  const Expr *Init = V->getInit();
  if (!Init)
    return isEvent(V->getType(), Names) ? StreamOperand{Kind::Variable, V} : StreamOperand();
  const Expr *Value = withoutConversions(Init, Names);
  if (isa<CXXConstructExpr>(Value) && isEvent(Value->getType(), Names))
    return {Kind::Variable, V}; // `at::cuda::CUDAEvent done;`
  return resolve(Value, Depth);
}

StreamOperand StreamOperands::resolve(const Expr *E, unsigned Depth) const {
  if (!Depth)
    return {};
  if (isa<CXXDefaultArgExpr>(E))
    return {Kind::Caller};
  E = withoutConversions(E, Names);
  if (const auto *Reference = dyn_cast<DeclRefExpr>(E)) {
    const auto *V = dyn_cast<VarDecl>(Reference->getDecl());
    return V ? resolveVariable(V, Depth - 1) : StreamOperand();
  }
  if (isa<CXXNullPtrLiteralExpr, GNUNullExpr>(E))
    return {Kind::Caller};
  if (const auto *Number = dyn_cast<IntegerLiteral>(E)) // As driver_types.h defines the handles.
    return {Number->getValue() == 2 ? Kind::PerThread : Kind::Caller};
  const auto *Call = dyn_cast<CallExpr>(E);
  const FunctionDecl *F = Call ? Call->getDirectCallee() : nullptr;
  if (!F || Names.isDefinedHere(F))
    return {};
  const llvm::StringRef Name = Names.qualifiedName(F);
  if (Name.ends_with("::getCurrentCUDAStream") || Name.ends_with("::getDefaultCUDAStream"))
    return {Kind::Caller};
  return {};
}

} // namespace cupel
