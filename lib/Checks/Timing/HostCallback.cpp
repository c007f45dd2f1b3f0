//===- HostCallback.cpp - timing-host-callback -----------------------------===//

#include "HostCallback.h"
#include "../HostUses.h"
#include "cupel/Checks/CheckContext.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace cupel {

HostCallbackCheck::HostCallbackCheck()
    : Check("timing-host-callback", Level::Reject,
            "Host function that CUDA or a deleter calls later") {}

/// Whether a launch is reached from \p Unit, through functions of the submission.
static bool reachesLaunch(const CodeUnit *Unit, CheckContext &Context,
                          llvm::SmallPtrSetImpl<const CodeUnit *> &Seen) {
  if (!Unit || !Seen.insert(Unit).second)
    return false;
  for (const LaunchInfo &Launch : Context.submission().Launches)
    if (Launch.Caller == Unit->function())
      return true;
  return llvm::any_of(Unit->Uses, [&](const auto &Use) {
    return reachesLaunch(Context.program().unitOf(Use->Callee), Context, Seen);
  });
}

/// The function among the arguments of \p Use that launches a kernel when torch calls it.
static const clang::FunctionDecl *launchInDeleter(const FunctionUse &Use, CheckContext &Context) {
  if (!Use.Site)
    return nullptr;
  const clang::SourceRange Call = Use.Site->getSourceRange();
  clang::SourceManager &SM = Context.sourceManager();
  for (const auto &Other : Use.Caller->Uses) {
    const bool IsArgument = Other.get() != &Use && Other->How == FunctionUse::Kind::Address &&
                            !SM.isBeforeInTranslationUnit(Other->Location, Call.getBegin()) &&
                            !SM.isBeforeInTranslationUnit(Call.getEnd(), Other->Location);
    llvm::SmallPtrSet<const CodeUnit *, 8> Seen;
    if (IsArgument && reachesLaunch(Context.program().unitOf(Other->Callee), Context, Seen))
      return Other->Callee;
  }
  return nullptr;
}

void HostCallbackCheck::run(CheckContext &Context) const {
  reportNamedUses(
      Context, *this, Level::Reject,
      {"cudaLaunchHostFunc", "cudaStreamAddCallback", "cuLaunchHostFunc", "cuStreamAddCallback",
       "cudaGraphAddHostNode", "cudaUserObjectCreate"},
      "runs host code when the call may be over");
  // torch calls a deleter when the tensor dies: in the next call, say.
  forEachHostUse(Context, [&](const FunctionUse &Use, llvm::StringRef Name) {
    if (Name != "at::from_blob" && Name != "torch::from_blob" &&
        Name != "c10::DataPtr::DataPtr" && Name != "c10::InefficientStdFunctionContext::makeDataPtr" &&
        Name != "at::TensorMaker::deleter")
      return;
    if (const clang::FunctionDecl *Worker = launchInDeleter(Use, Context)) {
      Report &R = Context.report(*this, Level::Reject, Use,
                                 "the deleter that is given to '" + Name + "' launches a kernel");
      Context.note(R, Worker->getLocation(), "here is the deleter");
    }
  });
}

} // namespace cupel
