//===- L2Persistence.cpp - timing-l2-persistence ---------------------------===//

#include "L2Persistence.h"
#include "../HostUses.h"
#include "cupel/Checks/CheckContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/Expr.h"

namespace cupel {

L2PersistenceCheck::L2PersistenceCheck()
    : Check("timing-l2-persistence", Level::Reject,
            "Data is kept in the L2 cache beyond the call") {}

/// Whether an enumerator of these names stands in \p Code.
static bool namesEnumerator(const clang::Stmt *Code, llvm::ArrayRef<llvm::StringLiteral> Names) {
  struct Finder : clang::DynamicRecursiveASTVisitor {
    llvm::ArrayRef<llvm::StringLiteral> Names;
    bool Found = false;
    bool VisitDeclRefExpr(clang::DeclRefExpr *Reference) override {
      if (const auto *Value = llvm::dyn_cast<clang::EnumConstantDecl>(Reference->getDecl()))
        Found |= llvm::is_contained(Names, Value->getName());
      return !Found;
    }
  } Search;
  Search.Names = Names;
  Search.TraverseStmt(const_cast<clang::Stmt *>(Code));
  return Search.Found;
}

using Names = llvm::StringLiteral[];
static constexpr Names Streaming = {"cudaAccessPropertyStreaming", "CU_ACCESS_PROPERTY_STREAMING"};
static constexpr Names Persisting = {"cudaAccessPropertyPersisting",
                                     "CU_ACCESS_PROPERTY_PERSISTING"};
static constexpr Names Limits = {"cudaLimitPersistingL2CacheSize",
                                 "CU_LIMIT_PERSISTING_L2_CACHE_SIZE"};
static constexpr Names Windows = {
    "cudaStreamAttributeAccessPolicyWindow", "cudaLaunchAttributeAccessPolicyWindow",
    "cudaKernelNodeAttributeAccessPolicyWindow", "CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW"};

static const clang::Stmt *bodyAround(const FunctionUse &Use) {
  const clang::FunctionDecl *F = Use.Caller->function();
  return F ? F->getBody() : nullptr;
}

/// Whether the function around \p Use asks for lines to be dropped first, and for none to be kept.
static bool onlyStreams(const FunctionUse &Use) {
  const clang::Stmt *Body = bodyAround(Use);
  return namesEnumerator(Body, Streaming) && !namesEnumerator(Body, Persisting);
}

void L2PersistenceCheck::run(CheckContext &Context) const {
  bool IsReset = false;
  std::vector<const FunctionUse *> Keepers;
  forEachHostUse(Context, [&](const FunctionUse &Use, llvm::StringRef Name) {
    IsReset |= Name == "cudaCtxResetPersistingL2Cache" || Name == "cuCtxResetPersistingL2Cache";
    const bool SetsLimit = (Name == "cudaDeviceSetLimit" || Name == "cuCtxSetLimit") &&
                           namesEnumerator(Use.Site, Limits);
    const bool SetsWindow = (Name == "cudaStreamSetAttribute" || Name == "cuStreamSetAttribute" ||
                             Name == "cudaGraphKernelNodeSetAttribute") &&
                            namesEnumerator(Use.Site, Windows);
    // The attributes of a launch are filled in before it.
    const bool LaunchesWithWindow =
        (Name.starts_with("cudaLaunchKernelEx") || Name == "cuLaunchKernelEx") &&
        namesEnumerator(bodyAround(Use), Windows);
    if (SetsLimit || SetsWindow || LaunchesWithWindow)
      Keepers.push_back(&Use);
  });
  for (const FunctionUse *Use : Keepers)
    if (onlyStreams(*Use))
      Context.report(*this, Level::Warn, *Use,
                     "'" + Context.symbols().qualifiedName(Use->Callee) +
                         "' says how the L2 cache treats a stream, here that it may drop lines");
    else
      Context.report(*this, IsReset ? Level::Warn : Level::Reject, *Use,
                     "'" + Context.symbols().qualifiedName(Use->Callee) +
                         "' keeps data in the L2 cache" +
                         (IsReset ? "" : ", and nothing resets it before the call returns"));
}

} // namespace cupel
