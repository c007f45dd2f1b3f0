//===- UnwrittenOutput.cpp - work-unwritten-output -------------------------===//

#include "UnwrittenOutput.h"
#include "../Flow/HostFlow.h"
#include "../HostUses.h"
#include "cupel/Checks/CheckContext.h"

namespace cupel {

UnwrittenOutputCheck::UnwrittenOutputCheck()
    : Check("work-unwritten-output", Level::Reject,
            "A returned tensor that no kernel is given to write") {}

/// Whether \p Object is one of several parts of an aggregate, of which another may be meant.
static bool mayBeAnother(const ReturnFact &Return, TensorObject *Object) {
  return llvm::any_of(Return.Choices, [&](const TensorSet &Choice) {
    return Choice.count(Object) && llvm::any_of(Choice, [](const TensorObject *Other) {
             return Other->MayBeWritten || Other->From != TensorObject::Source::Empty;
           });
  });
}

/// Whether nothing that is returned holds more than a constant, while kernels work elsewhere.
static bool isOnlyFilled(const HostFlow &Flow, const ReturnFact &Return) {
  return Flow.launchesKernels() && Return.Call == 1 && !Return.IsGuarded &&
         !Return.Values.empty() && llvm::all_of(Return.Values, [](const TensorObject *Object) {
           return Object->From != TensorObject::Source::Input && Object->MayBeWritten &&
                  !Object->MayHoldWork;
         });
}

void UnwrittenOutputCheck::run(CheckContext &Context) const {
  for (const auto &Flow : Context.flows())
    for (const ReturnFact &Return : Flow->returns()) {
      if (isOnlyFilled(*Flow, Return)) {
        Report &R = Context.report(
            *this, Return.IsConditional ? Level::Warn : Context.levelOfAbsence(), Return.Where,
            "no kernel writes the returned tensor, it is only filled with a "
            "constant");
        Context.note(R, (*Return.Values.begin())->Where, "it is made here");
      }
      for (TensorObject *Object : Return.Values) {
        if (Return.Call != 1 || Return.IsGuarded || Object->MayBeWritten ||
            Object->From != TensorObject::Source::Empty || mayBeAnother(Return, Object))
          continue;
        Report &R = Context.report(*this, Context.levelOfAbsence(), Return.Where,
                                   "the returned tensor is never written");
        Context.note(R, Object->Where, "it is allocated here, with undefined contents");
      }
    }
}

} // namespace cupel
