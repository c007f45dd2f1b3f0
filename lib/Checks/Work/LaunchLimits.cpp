//===- LaunchLimits.cpp - work-launch-limits -------------------------------===//

#include "LaunchLimits.h"
#include "../HostUses.h"
#include "cupel/Checks/CheckContext.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

namespace cupel {

LaunchLimitsCheck::LaunchLimitsCheck()
    : Check("work-launch-limits", Level::Reject,
            "A launch with constants that every device refuses") {}

// CUDA programming guide, "Technical Specifications per Compute Capability": 227 KiB a block at
// most (9.0, 10.0), 1,024 threads a block on all.
static constexpr int64_t MaxSharedBytes = 227 * 1024;
static constexpr int64_t MaxThreads = 1024;

static std::optional<int64_t> constant(const clang::Expr *E, const clang::ASTContext &AST) {
  clang::Expr::EvalResult Result;
  if (E->isValueDependent() || !E->getType()->isIntegerType() || !E->EvaluateAsInt(Result, AST))
    return std::nullopt;
  return Result.Val.getInt().getExtValue();
}

/// The product of the arguments of `dim3(...)`, when all are constants.
static std::optional<int64_t> threads(const clang::Expr *E, const clang::ASTContext &AST) {
  E = E->IgnoreImplicit();
  while (const auto *Cast = llvm::dyn_cast<clang::CXXFunctionalCastExpr>(E))
    E = Cast->getSubExpr()->IgnoreImplicit();
  const auto *Dim = llvm::dyn_cast<clang::CXXConstructExpr>(E);
  if (!Dim || Dim->getNumArgs() == 0)
    return std::nullopt;
  int64_t Product = 1;
  for (const clang::Expr *Argument : Dim->arguments()) {
    if (llvm::isa<clang::CXXDefaultArgExpr>(Argument))
      continue;
    std::optional<int64_t> Value = constant(Argument, AST);
    if (!Value || *Value <= 0 || *Value > (1 << 20))
      return std::nullopt;
    Product *= *Value;
  }
  return Product;
}

void LaunchLimitsCheck::run(CheckContext &Context) const {
  for (const LaunchInfo &Launch : Context.submission().Launches) {
    const auto *Call = llvm::dyn_cast_or_null<clang::CUDAKernelCallExpr>(Launch.Launch);
    const CodeUnit *Caller = Launch.Caller ? Context.program().unitOf(Launch.Caller) : nullptr;
    if (!Call || !Context.pass().isInSubmission(Call->getExprLoc()) ||
        (Caller && !Caller->IsReached))
      continue;
    const clang::CallExpr &Config = *Call->getConfig();
    if (Config.getNumArgs() > 2)
      if (std::optional<int64_t> Bytes = constant(Config.getArg(2), Context.ast());
          Bytes && *Bytes > MaxSharedBytes)
        Context.report(*this, Level::Reject, Call->getExprLoc(),
                       "the launch asks for " + llvm::Twine(*Bytes) +
                           " bytes of shared memory a block; no device has more than " +
                           llvm::Twine(MaxSharedBytes));
    if (Config.getNumArgs() > 1)
      if (std::optional<int64_t> Threads = threads(Config.getArg(1), Context.ast());
          Threads && *Threads > MaxThreads)
        Context.report(*this, Level::Reject, Call->getExprLoc(),
                       "the launch asks for " + llvm::Twine(*Threads) +
                           " threads a block; no device takes more than " +
                           llvm::Twine(MaxThreads));
  }
}

} // namespace cupel
