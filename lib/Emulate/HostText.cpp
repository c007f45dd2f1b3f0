//===- HostText.cpp - what the host reads otherwise than the device ---------===//
//
// The emulated build reads the text once, with `__CUDA_ARCH__` as for a GPU. Where this macro gives
// code that runs on the host another text there, the emulated host would run the device's.
//
//===----------------------------------------------------------------------===//

#include "Rewrite.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace cupel;

static bool runsOnDevice(const clang::FunctionDecl *F) {
  return F->hasAttr<clang::CUDAGlobalAttr>() || F->hasAttr<clang::CUDADeviceAttr>();
}

static bool runsOnHost(const clang::FunctionDecl *F) {
  return F->hasAttr<clang::CUDAHostAttr>() || !runsOnDevice(F);
}

namespace {

/// Finds what runs on the host: the functions that are for it alone, and what these name.
class HostReach : public clang::DynamicRecursiveASTVisitor {
public:
  explicit HostReach(const RewriteContext &Context) : Context(Context) {}

  void run() {
    for (clang::Decl *D : Context.Pass.topLevelDecls())
      TraverseDecl(D);
    for (size_t I = 0; I < Reached.size(); ++I)
      if (llvm::isa<clang::FunctionDecl>(Reached[I]))
        clang::DynamicRecursiveASTVisitor::TraverseDecl(Reached[I]);
  }

  void refuseWhatDiffersIn(const ParsedPass &Device) const;

  bool TraverseDecl(clang::Decl *D) override {
    auto *F = llvm::dyn_cast_or_null<clang::FunctionDecl>(D);
    if (!F)
      return clang::DynamicRecursiveASTVisitor::TraverseDecl(D);
    // Of templates, the instances that are named.
    if (runsOnDevice(F))
      DeviceCode.push_back(F);
    else if (!F->isTemplated())
      reach(F);
    return true;
  }
  bool TraverseLambdaExpr(clang::LambdaExpr *Lambda) override {
    if (runsOnHost(Lambda->getCallOperator()))
      return clang::DynamicRecursiveASTVisitor::TraverseLambdaExpr(Lambda);
    DeviceCode.push_back(Lambda->getCallOperator());
    return true;
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr *Reference) override {
    return reach(Reference->getDecl());
  }
  bool VisitMemberExpr(clang::MemberExpr *Member) override {
    return reach(Member->getMemberDecl());
  }
  bool VisitTypedefTypeLoc(clang::TypedefTypeLoc Type) override { return reach(Type.getDecl()); }
  bool VisitCXXConstructExpr(clang::CXXConstructExpr *Call) override {
    return reach(Call->getConstructor()) &&
           reach(Call->getConstructor()->getParent()->getDestructor());
  }

private:
  /// Always true: the walk goes on.
  bool reach(clang::NamedDecl *D) {
    if (auto *F = llvm::dyn_cast_or_null<clang::FunctionDecl>(D))
      D = F->getDefinition() && runsOnHost(F) ? F->getDefinition() : nullptr;
    if (D && !D->isImplicit() && Context.isOwn(D->getLocation()))
      Reached.insert(D);
    return true;
  }

  TextRange rangeOf(const clang::Decl *D) const {
    const clang::SourceManager &Sources = Context.Pass.sourceManager();
    return {Sources.getDecomposedExpansionLoc(D->getBeginLoc()).second,
            Sources.getDecomposedLoc(Sources.getExpansionRange(D->getEndLoc()).getEnd()).second};
  }

  const RewriteContext &Context;
  llvm::SmallSetVector<clang::NamedDecl *, 32> Reached;
  std::vector<clang::FunctionDecl *> DeviceCode; ///< Unless the host reaches it.
};

} // namespace

void HostReach::refuseWhatDiffersIn(const ParsedPass &Device) const {
  std::vector<ParsedPass::PlaceText> Differences;
  std::ranges::set_symmetric_difference(Context.Pass.placeTexts(), Device.placeTexts(),
                                        std::back_inserter(Differences));
  auto IsIn = [this](const clang::NamedDecl *D) {
    return [Range = rangeOf(D)](const ParsedPass::PlaceText &Place) {
      return Range.Begin <= Place.first && Place.first <= Range.End;
    };
  };
  // By place: a template is reached by its instances.
  llvm::DenseSet<clang::SourceLocation> Places;
  for (const clang::NamedDecl *D : Reached)
    Places.insert(D->getLocation());
  for (const clang::FunctionDecl *F : DeviceCode)
    if (!Places.contains(F->getLocation()))
      llvm::erase_if(Differences, IsIn(F));
  for (const clang::NamedDecl *D : Reached)
    if (llvm::any_of(Differences, IsIn(D)))
      Context.refuse(D->getLocation(), "'" + D->getNameAsString() +
                                           "' runs on the host, for which __CUDA_ARCH__ gives it "
                                           "another text");
}

void cupel::refuseHostText(const RewriteContext &Context) {
  if (!Context.Submission.Device || Context.Pass.placeTexts().empty())
    return;
  HostReach Reach(Context);
  Reach.run();
  Reach.refuseWhatDiffersIn(*Context.Submission.Device);
}
