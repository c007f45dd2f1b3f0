//===- ReturnedInput.cpp - work-returned-input -----------------------------===//

#include "ReturnedInput.h"
#include "../Flow/HostFlow.h"
#include "../HostUses.h"
#include "cupel/Checks/CheckContext.h"
#include "clang/AST/Decl.h"

namespace cupel {

ReturnedInputCheck::ReturnedInputCheck()
    : Check("work-returned-input", Level::Reject,
            "An argument is returned that no kernel is given to write") {}

void ReturnedInputCheck::run(CheckContext &Context) const {
  for (const auto &Flow : Context.flows())
    for (const ReturnFact &Return : Flow->returns()) {
      const bool IsCopy = llvm::all_of(
          Return.Values, [&](TensorObject *Object) { return Return.Copies.count(Object); });
      if (Return.Call == 1 && !Return.IsGuarded && !Return.Values.empty() && IsCopy) {
        Report &R =
            Context.report(*this, Return.IsConditional ? Level::Warn : Context.levelOfAbsence(),
                           Return.Where, "the entry returns a copy of its argument");
        Context.note(R, Return.Copies.at(*Return.Values.begin()),
                     "it is copied here, over whatever was there");
        continue;
      }
      const bool IsInput = llvm::all_of(Return.Values, [](const TensorObject *Object) {
        return Object->From == TensorObject::Source::Input && !Object->MayBeWritten;
      });
      if (Return.Call != 1 || Return.IsGuarded || Return.Values.empty() || !IsInput)
        continue;
      Report &R =
          Context.report(*this, Return.IsConditional ? Level::Warn : Context.levelOfAbsence(),
                         Return.Where, "the entry returns its argument unchanged");
      for (const TensorObject *Object : Return.Values)
        Context.note(R, Object->Where, "'" + Object->Parameter->getName() + "' comes in here");
    }
}

} // namespace cupel
