//===- TorchUse.cpp - what a use of a torch function asks torch to do -------===//

#include "TorchUse.h"
#include "ElementView.h"
#include "GuardedConversion.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;

namespace cupel {

namespace {

/// The operator behind an overloaded C++ operator, for the problem's policy.
StringRef operatorName(OverloadedOperatorKind Kind) {
  switch (Kind) {
  case OO_Plus:
  case OO_PlusEqual:
    return "add";
  case OO_Minus:
  case OO_MinusEqual:
    return "sub";
  case OO_Star:
  case OO_StarEqual:
    return "mul";
  case OO_Slash:
  case OO_SlashEqual:
    return "div";
  case OO_Percent:
  case OO_PercentEqual:
    return "remainder";
  case OO_Subscript:
    return "select";
  case OO_Equal:
    return "copy";
  case OO_Less:
    return "lt";
  case OO_LessEqual:
    return "le";
  case OO_Greater:
    return "gt";
  case OO_GreaterEqual:
    return "ge";
  case OO_EqualEqual:
    return "eq";
  case OO_ExclaimEqual:
    return "ne";
  case OO_Amp:
  case OO_AmpEqual:
    return "bitwise_and";
  case OO_Pipe:
  case OO_PipeEqual:
    return "bitwise_or";
  case OO_Caret:
  case OO_CaretEqual:
    return "bitwise_xor";
  case OO_Tilde:
    return "bitwise_not";
  default:
    return "";
  }
}

/// Methods that select or store by index: tensor[...] under another name.
bool isIndexing(StringRef Name) {
  static const llvm::StringSet<> Indexing = {"index", "index_put", "index_put_",
                                             "_index_put_impl_"};
  return Indexing.contains(Name);
}

/// Whether \p E says a type of elements: a ScalarType, or options that were given one.
class NamesDType : public DynamicRecursiveASTVisitor {
public:
  explicit NamesDType(const Symbols &Names) : Names(Names) { ShouldVisitImplicitCode = true; }
  bool Found = false;

  bool VisitCallExpr(CallExpr *E) override {
    const FunctionDecl *F = E->getDirectCallee();
    Found |= F && F->getIdentifier() && F->getName() == "dtype" && E->getNumArgs() > 0 &&
             Names.isTorchDecl(F);
    return !Found;
  }
  bool VisitExpr(Expr *E) override {
    if (E->getType().isNull()) // A list of initialisers that Clang made nothing of.
      return true;
    QualType T = E->getType().getNonReferenceType();
    if (T->isDependentType())
      return true;
    const EnumDecl *D = T->getAsEnumDecl();
    Found |= D && Names.qualifiedName(D) == "c10::ScalarType";
    return !Found;
  }

private:
  const Symbols &Names;
};

/// `to` with a type of elements computes new values; with a device it moves the old ones.
Allowance allowanceOfConversion(const FunctionUse &Use, const Symbols &Names) {
  StringRef Name = Use.Callee->getName();
  if (Name == "toType" || Name == "_to_copy")
    return Allowance::Computes;
  const auto *Call = dyn_cast_or_null<CallExpr>(Use.Site);
  if (!Call || Name != "to")
    return Allowance::Copy;
  for (const Expr *Argument : Call->arguments()) {
    if (isa<CXXDefaultArgExpr>(Argument))
      continue;
    NamesDType Search(Names);
    Search.TraverseStmt(const_cast<Expr *>(Argument));
    if (Search.Found)
      return Allowance::Computes;
  }
  return Allowance::Copy;
}

Allowance allowanceOf(StringRef Name, const FunctionUse &Use, const Symbols &Names) {
  Allowance Work = allowanceOfOperator(Name);
  return Work == Allowance::Converts ? allowanceOfConversion(Use, Names) : Work;
}

TorchUse makeUse(TorchRoute Route, Allowance Work, StringRef Name) {
  TorchUse Result;
  Result.Route = Work == Allowance::Allowed ? TorchRoute::None : Route;
  Result.Work = Work;
  if (!Name.empty())
    Result.Operator = ("aten::" + baseOperator(Name)).str();
  return Result;
}

bool isTensorClass(const CXXRecordDecl *R, const Symbols &Names) {
  return R && Names.isTensorType(R->getASTContext().getCanonicalTagType(R));
}

/// Assignment to an rvalue (`x[0] = y`) stores into the tensor; to an lvalue it only rebinds it.
TorchUse classifyAssignment(const CXXMethodDecl *M) {
  bool Stores = M->getRefQualifier() == RQ_RValue;
  return makeUse(TorchRoute::Operator, Stores ? Allowance::Copy : Allowance::Allowed, "copy_");
}

TorchUse classifyTensorMethod(const CXXMethodDecl *M, const FunctionUse &Use,
                              const Symbols &Names) {
  if (isa<CXXConstructorDecl, CXXDestructorDecl>(M))
    return {};
  if (M->getOverloadedOperator() == OO_Equal)
    return classifyAssignment(M);
  if (M->isOverloadedOperator()) {
    StringRef Name = operatorName(M->getOverloadedOperator());
    return makeUse(TorchRoute::Operator, Name.empty() ? Allowance::Allowed : Allowance::Computes,
                   Name);
  }
  if (!M->getIdentifier())
    return {};
  StringRef Name = M->getName();
  if (isIndexing(Name))
    return makeUse(TorchRoute::Operator, Allowance::Computes, Name);
  return makeUse(TorchRoute::Method, allowanceOf(Name, Use, Names), Name);
}

/// The name that an operator's struct in at::_ops carries: `aten::add` of `at::_ops::add_Tensor`.
std::string schemaName(const CXXRecordDecl *R) {
  for (const Decl *D : R->decls()) {
    const auto *V = dyn_cast<VarDecl>(D);
    if (!V || !V->getIdentifier() || V->getName() != "name" || !V->getAnyInitializer())
      continue;
    if (const auto *Text = dyn_cast<StringLiteral>(V->getAnyInitializer()->IgnoreParenImpCasts()))
      return Text->getString().str();
  }
  return {};
}

TorchUse classifyOperatorStruct(const CXXMethodDecl *M, const FunctionUse &Use,
                                const Symbols &Names) {
  std::string Schema = schemaName(M->getParent());
  StringRef Name = Schema;
  Name.consume_front("aten::");
  if (Name.empty())
    Name = M->getParent()->getName();
  return makeUse(TorchRoute::Function, allowanceOf(Name, Use, Names), Name);
}

/// Torch's own building blocks: kernels and library wrappers that need no tensor in their
/// signature.
bool isInnerScope(StringRef Name) {
  for (StringRef Scope : {"at::cuda::blas::", "at::cuda::solver::", "at::cuda::sparse::",
                          "at::cuda::cub::", "at::redispatch::"})
    if (Name.starts_with(Scope))
      return true;
  return false;
}

bool takesIterator(const FunctionDecl *F, const Symbols &Names) {
  return llvm::any_of(F->parameters(), [&](const ParmVarDecl *P) {
    const CXXRecordDecl *R = P->getType().getNonReferenceType()->getAsCXXRecordDecl();
    return R && Names.qualifiedName(R).starts_with("at::TensorIterator");
  });
}

TorchUse classifyFunction(const FunctionDecl *F, const FunctionUse &Use, const Symbols &Names) {
  StringRef Name = Names.qualifiedName(F);
  if (isAllowedHelper(Name))
    return {};
  // What tells an error's name, as in TORCH_CUDABLAS_CHECK, computes nothing.
  bool IsInner = (isInnerScope(Name) && !F->getReturnType()->isPointerType()) ||
                 (Name.starts_with("at::native::") && takesIterator(F, Names));
  if (!IsInner && !Names.signatureMentionsTensor(F))
    return {};
  // A `DispatchStub`, through which torch reaches the kernels of an operator.
  if (IsInner && F->getOverloadedOperator() == OO_Call)
    return makeUse(TorchRoute::Function, Allowance::Computes, "");
  if (F->isOverloadedOperator()) {
    StringRef Operator = operatorName(F->getOverloadedOperator());
    return makeUse(TorchRoute::Operator,
                   Operator.empty() ? Allowance::Allowed : Allowance::Computes, Operator);
  }
  if (!F->getIdentifier())
    return {};
  return makeUse(TorchRoute::Function, allowanceOf(F->getName(), Use, Names), F->getName());
}

bool isDispatcher(StringRef Name) {
  static const llvm::StringSet<> Lookups = {
      "torch::jit::getOperation",    "torch::jit::getOperator",
      "torch::jit::getAllOperators", "torch::jit::getAllOperatorsFor",
      "torch::jit::findOperatorFor", "torch::jit::getAllSortedOperatorsFor",
      "torch_call_dispatcher"};
  for (StringRef Scope :
       {"c10::Dispatcher::", "c10::OperatorHandle::", "c10::TypedOperatorHandle::",
        "c10::KernelFunction::call", "c10::SafeKernelFunction::", "c10::impl::OperatorEntry::"})
    if (Name.starts_with(Scope))
      return true;
  if (Name.consume_front("aoti_torch_"))
    return !Name.starts_with("get_") && !Name.starts_with("delete_") && !Name.starts_with("empty");
  return Lookups.contains(Name);
}

bool isModule(const FunctionDecl *F, StringRef Name) {
  // Stack helpers of boxed kernels compute nothing.
  static const llvm::StringSet<> Stack = {
      "torch::jit::push", "torch::jit::push_one", "torch::jit::pop",  "torch::jit::drop",
      "torch::jit::peek", "torch::jit::last",     "torch::jit::pack", "torch::jit::peekSlice"};
  if (Stack.contains(Name))
    return false;
  if (const auto *C = dyn_cast<CXXConstructorDecl>(F); C && C->isCopyOrMoveConstructor())
    return false;
  if (isa<CXXDestructorDecl>(F))
    return false;
  for (StringRef Scope : {"torch::jit::", "torch::optim::", "torch::autograd::Function::apply",
                          "torch::autograd::grad", "torch::autograd::backward",
                          "torch::inductor::", "torch::deploy::", "torch::aot_inductor::"})
    if (Name.starts_with(Scope))
      return true;
  if (!Name.starts_with("torch::nn::"))
    return false;
  const auto *M = dyn_cast<CXXMethodDecl>(F);
  StringRef Class = M && M->getParent()->getIdentifier() ? M->getParent()->getName() : "";
  return !Class.ends_with("Options");
}

bool isTorchFunction(const FunctionUse &Use, const Symbols &Names) {
  if (Use.How != FunctionUse::Kind::Unresolved)
    return Names.isTorchDecl(Use.Callee);
  const auto *Set = dyn_cast_or_null<OverloadExpr>(Use.Site);
  return Set && llvm::all_of(Set->decls(), [&](const NamedDecl *D) {
           const FunctionDecl *F = D->getUnderlyingDecl()->getAsFunction();
           return F && Names.isTorchDecl(F);
         });
}

} // namespace

TorchUse classifyTorchUse(const FunctionUse &Use, const Symbols &Names) {
  const FunctionDecl *F = Use.Callee;
  if (isDeviceOnly(Use.Caller->function()) || isDeviceOnly(F))
    return {};
  StringRef Name = Names.qualifiedName(F);
  // A C interface: no namespace says whose it is.
  if (isDispatcher(Name) && !Names.isDefinedHere(F))
    return makeUse(TorchRoute::Dispatcher, Allowance::Computes, "");
  if (!isTorchFunction(Use, Names))
    return {};
  if (isModule(F, Name))
    return makeUse(TorchRoute::Module, Allowance::Computes, "");
  const auto *M = dyn_cast<CXXMethodDecl>(F);
  if (M && isTensorClass(M->getParent(), Names))
    return classifyTensorMethod(M, Use, Names);
  if (M && Name.starts_with("at::_ops::"))
    return classifyOperatorStruct(M, Use, Names);
  // Methods of other classes manage tensors; structured kernels compute with them.
  if (M && !Name.starts_with("at::native::") && !Name.starts_with("at::meta::"))
    return {};
  if (!Name.starts_with("at::") && !Name.starts_with("torch::"))
    return Names.explicitLinkName(F).empty() || Name.starts_with("c10::")
               ? TorchUse()
               : makeUse(TorchRoute::Function, Allowance::Computes, "");
  return classifyFunction(F, Use, Names);
}

TorchUse judgeTorchUse(const FunctionUse &Use, const CheckContext &Context) {
  TorchUse Torch = classifyTorchUse(Use, Context.symbols());
  if (Torch.Route == TorchRoute::Method && Torch.Work == Allowance::Computes &&
      convertsOnlyOtherTypes(Use, Context))
    Torch.Work = Allowance::Copy;
  if (Torch.Route == TorchRoute::Operator && Torch.Operator == "aten::select" &&
      isElementView(Use, Context.symbols()))
    return {};
  return Torch;
}

std::string fallbackMessage(const FunctionUse &Use, const Symbols &Names) {
  std::string Text = "'" + Names.qualifiedName(Use.Callee).str() + "'";
  std::string Link = Names.explicitLinkName(Use.Callee);
  if (!Link.empty() && Link != Names.qualifiedName(Use.Callee))
    Text += ", which links to '" + Link + "',";
  if (Use.How == FunctionUse::Kind::Address)
    return Text + " is named here to be called, and leaves the work to torch";
  if (Use.How == FunctionUse::Kind::Unresolved)
    return Text + " (overload not resolved) leaves the work to torch";
  return Text + " leaves the work to torch";
}

void reportTorchUses(CheckContext &Context, const Check &C, TorchRoute Route) {
  const Symbols &Names = Context.symbols();
  for (const auto &Unit : Context.program().units())
    for (const auto &Use : Unit->Uses) {
      TorchUse Torch = judgeTorchUse(*Use, Context);
      if (Torch.Route == Route && Torch.Work == Allowance::Computes)
        Context.report(C, Level::Reject, *Use, fallbackMessage(*Use, Names)).Operator =
            Torch.Operator;
    }
}

} // namespace cupel
