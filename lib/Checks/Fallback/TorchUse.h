//===- TorchUse.h - what a use of a torch function asks torch to do ---------===//
#ifndef CUPEL_LIB_CHECKS_FALLBACK_TORCHUSE_H
#define CUPEL_LIB_CHECKS_FALLBACK_TORCHUSE_H

#include "AllowList.h"
#include "cupel/Checks/CheckContext.h"

namespace cupel {

/// The ways to torch, one check each.
enum class TorchRoute { None, Function, Method, Operator, Module, Dispatcher };

struct TorchUse {
  TorchRoute Route = TorchRoute::None;
  Allowance Work = Allowance::Allowed;
  std::string Operator; ///< `aten::add`; empty when no operator is named.
};

/// Judges \p Use; the route is None when torch does not provide the callee, when the use is on the
/// GPU (where nothing of torch can be launched) or when nothing is asked of it.
TorchUse classifyTorchUse(const FunctionUse &Use, const Symbols &Names);

/// The same in view of what stands around \p Use and of the problem: a conversion that the
/// problem's own inputs never need is no more than a copy, and an element that only gives its
/// pointer is a view.
TorchUse judgeTorchUse(const FunctionUse &Use, const CheckContext &Context);

/// `'at::relu' leaves the work to torch`, with words for pointers and unresolved names.
std::string fallbackMessage(const FunctionUse &Use, const Symbols &Names);

/// Reports the uses in \p Context that go \p Route and compute.
void reportTorchUses(CheckContext &Context, const Check &C, TorchRoute Route);

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_FALLBACK_TORCHUSE_H
