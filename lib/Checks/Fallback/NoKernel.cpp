//===- NoKernel.cpp - fallback-no-kernel -----------------------------------===//

#include "NoKernel.h"
#include "../HostUses.h"
#include "cupel/Checks/CheckContext.h"
#include "clang/AST/Attr.h"

namespace cupel {

NoKernelCheck::NoKernelCheck()
    : Check("fallback-no-kernel", Level::Reject,
            "No kernel of the submission is launched on a live path from the entry") {}

void NoKernelCheck::run(CheckContext &Context) const {
  if (Context.entries().empty())
    return;
  const Program &Code = Context.program();
  const FunctionUse *Unreached = nullptr;
  for (const auto &Unit : Code.units())
    for (const auto &Use : Unit->Uses) {
      if (!Use->Callee || !Use->Callee->hasAttr<clang::CUDAGlobalAttr>() ||
          !Context.symbols().isDefinedHere(Use->Callee))
        continue;
      if (Code.isReached(*Use) && Use->In == FunctionUse::Branch::Live)
        return;
      Unreached = Use.get();
    }
  Report &R =
      Context.report(*this, Context.levelOfAbsence(), Context.entries().front()->getLocation(),
                     "the entry launches no kernel of this submission");
  if (Unreached)
    Context.note(R, Unreached->Location, "this launch is never reached");
}

} // namespace cupel
