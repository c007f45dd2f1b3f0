//===- HalfData.cpp - whether a submission's data are halves ----------------===//

#include "HalfData.h"
#include "../Flow/HostFlow.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;

namespace cupel {

static bool isHalf(const Type *T) {
  const CXXRecordDecl *Class = T->getAsCXXRecordDecl();
  const llvm::StringRef Name = Class ? Class->getName() : "";
  return Name.starts_with("__half") || Name.starts_with("__nv_bfloat16") || Name == "Half" ||
         Name == "BFloat16";
}

static bool isHalfPointer(QualType T) {
  return T->isPointerType() && isHalf(T->getPointeeType().getTypePtr());
}

static bool isFloatPointer(QualType T) {
  if (!T->isPointerType())
    return false;
  const CXXRecordDecl *Class = T->getPointeeType()->getAsCXXRecordDecl();
  return T->getPointeeType()->isSpecificBuiltinType(BuiltinType::Float) ||
         (Class && Class->getIdentifier() &&
          (Class->getName() == "float2" || Class->getName() == "float4"));
}

namespace {

/// Looks for a half type in what says how a tensor is made, also through variables:
/// `torch::empty(sizes, x.options().dtype(torch::kHalf))`.
struct HalfFinder : DynamicRecursiveASTVisitor {
  bool IsFound = false;
  unsigned Depth = 0;

  bool VisitDeclRefExpr(DeclRefExpr *Reference) override {
    static const llvm::StringSet<> Names = {"kHalf", "kFloat16", "kBFloat16", "Half", "BFloat16"};
    const ValueDecl *D = Reference->getDecl();
    IsFound |= D->getDeclName().isIdentifier() && Names.contains(D->getName());
    const auto *V = dyn_cast<VarDecl>(D);
    if (!IsFound && V && V->hasLocalStorage() && V->getInit() && Depth < 8) {
      ++Depth;
      TraverseStmt(const_cast<Expr *>(V->getInit()));
      --Depth;
    }
    return !IsFound;
  }
};

} // namespace

/// Whether the submission made \p Object as a half tensor, or as plain memory of its own.
static bool isOwnHalf(const TensorObject &Object) {
  if (Object.From == TensorObject::Source::Input)
    return false;
  if (!Object.Site)
    return true; // A variable of the device.
  const FunctionDecl *Maker = Object.Site->getDirectCallee();
  if (Maker && Maker->getIdentifier() && Maker->getName().starts_with("cuda"))
    return true;
  HalfFinder Finder;
  Finder.TraverseStmt(const_cast<CallExpr *>(Object.Site));
  return Finder.IsFound;
}

HalfData::HalfData(CheckContext &Context) : Context(Context) {
  if (const ProblemSpec *Problem = Context.problem())
    IsProblemOfHalf = llvm::any_of(Problem->Inputs, [](const InputSpec &Input) {
      return Input.Tensor &&
             (Input.Tensor->DType == "float16" || Input.Tensor->DType == "bfloat16");
    });
  for (const auto &Unit : Context.program().units())
    if (takesForeignHalf(*Unit))
      Kernels.insert(Unit->function()->getCanonicalDecl());
}

bool HalfData::takesForeignHalf(const CodeUnit &Unit) const {
  const FunctionDecl *F = Unit.function();
  if (!F || !F->hasAttr<CUDAGlobalAttr>())
    return false;
  for (unsigned I = 0; I < F->getNumParams(); ++I) {
    if (!isHalfPointer(F->getParamDecl(I)->getType()))
      continue;
    bool IsPassed = false;
    for (const auto &Flow : Context.flows()) {
      const TensorSet *Values = Flow->passedTo(*F, I);
      if (!Values)
        continue;
      IsPassed = true;
      bool IsMemory = false;
      for (const TensorObject *Object : *Values) {
        IsMemory |= Object->isMemory();
        if (Object->isMemory() && !isOwnHalf(*Object))
          return true;
      }
      if (!IsMemory)
        return true; // From where is not known.
    }
    // Not seen to be launched: a kernel that never runs takes no data.
    if (!IsPassed && (Unit.IsReached || Context.flows().empty()))
      return true;
  }
  return false;
}

bool HalfData::getsInput(const FunctionDecl &Kernel, unsigned Parameter) const {
  return llvm::any_of(Context.flows(), [&](const auto &Flow) {
    const TensorSet *Values = Flow->passedTo(Kernel, Parameter);
    return Values && llvm::any_of(*Values, [](const TensorObject *Object) {
             return Object->From == TensorObject::Source::Input;
           });
  });
}

bool HalfData::isOnFloatInputs(const FunctionDecl &Kernel) const {
  if (!Kernel.hasAttr<CUDAGlobalAttr>() || Kernels.count(Kernel.getCanonicalDecl()))
    return false;
  for (unsigned I = 0; I < Kernel.getNumParams(); ++I)
    if (isFloatPointer(Kernel.getParamDecl(I)->getType()) && getsInput(Kernel, I))
      return true;
  return false;
}

bool HalfData::isFloatInput(const FunctionDecl &Kernel, unsigned Parameter) const {
  return Context.problem() &&
         llvm::all_of(Context.problem()->Inputs,
                      [](const InputSpec &Input) {
                        return !Input.Tensor || Input.Tensor->DType == "float32";
                      }) &&
         getsInput(Kernel, Parameter);
}

} // namespace cupel
