//===- LaunchLimits.cpp - work-launch-limits -------------------------------===//

#include "LaunchLimits.h"
#include "../Flow/KernelThreads.h"
#include "../HostUses.h"
#include "cupel/Checks/CheckContext.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

namespace cupel {

LaunchLimitsCheck::LaunchLimitsCheck()
    : Check("work-launch-limits", Level::Reject,
            "A launch with constants that every device refuses") {}

// CUDA programming guide, "Technical Specifications per Compute Capability": 227 KiB a block at
// most (9.0, 10.0).
static constexpr int64_t MaxSharedBytes = 227 * 1024;

static std::optional<int64_t> constant(const clang::Expr *E, const clang::ASTContext &AST) {
  clang::Expr::EvalResult Result;
  if (E->isValueDependent() || !E->getType()->isIntegerType() || !E->EvaluateAsInt(Result, AST))
    return std::nullopt;
  return Result.Val.getInt().getExtValue();
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
    if (std::optional<int64_t> Threads = threadsOfBlock(*Call, Context.ast());
        Threads && *Threads > MaxThreadsOfBlock)
      Context.report(*this, Level::Reject, Call->getExprLoc(),
                     "the launch asks for " + llvm::Twine(*Threads) +
                         " threads a block; no device takes more than " +
                         llvm::Twine(MaxThreadsOfBlock));
  }
}

} // namespace cupel
