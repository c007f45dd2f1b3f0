//===- CopiedInput.cpp - work-copied-input ---------------------------------===//

#include "CopiedInput.h"
#include "../Flow/HostFlow.h"
#include "cupel/Checks/CheckContext.h"
#include "clang/AST/Decl.h"

namespace cupel {

CopiedInputCheck::CopiedInputCheck()
    : Check("work-copied-input", Level::Reject,
            "No kernel computes: each stores what it loaded, or a constant") {}

/// Whether the problem says that its reference computes. A transpose has no operations.
static bool computes(const ProblemSpec *Problem) {
  const CaseSpec *Timed = Problem ? Problem->benchmarkCase() : nullptr;
  if (!Timed || !Problem->Flops)
    return false;
  llvm::Expected<int64_t> Operations = Problem->Flops->evaluate(Timed->Sizes);
  if (Operations)
    return *Operations > 0;
  llvm::consumeError(Operations.takeError());
  return false;
}

void CopiedInputCheck::run(CheckContext &Context) const {
  for (const auto &Flow : Context.flows()) {
    if (!Flow->launchesKernels() || Flow->worksOutside() || Flow->inputs().empty() ||
        Flow->work() != KernelEffects::Work::Copies)
      continue;
    Report &R =
        Context.report(*this, computes(Context.problem()) ? Context.levelOfAbsence() : Level::Note,
                       Flow->inputs().front()->Where,
                       "no kernel computes anything: each stores what it loaded, or a constant");
    for (const ReturnFact &Return : Flow->returns())
      if (Return.Call == 1)
        Context.note(R, Return.Where, "it is returned here");
  }
}

} // namespace cupel
