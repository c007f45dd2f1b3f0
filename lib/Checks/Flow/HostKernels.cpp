//===- HostKernels.cpp - HostFlow over what kernels do beside their arguments ===//
//
// A `__device__` variable outlives a call as a static tensor does: what a kernel left there in one
// call, another can hand out in the next. A flag there can tell a kernel that all was done before.
//
//===----------------------------------------------------------------------===//

#include "HostFlow.h"
#include "clang/AST/Attr.h"

using namespace clang;

namespace cupel {

const KernelEffects &HostFlow::effectsOf(const FunctionDecl &Kernel, int64_t Threads) {
  auto [At, IsNew] = Effects.try_emplace({Kernel.getCanonicalDecl(), Threads});
  if (IsNew)
    At->second = cupel::effectsOf(Kernel, Threads, Context);
  return At->second;
}

const TensorSet *HostFlow::passedTo(const FunctionDecl &Kernel, unsigned Parameter) const {
  const auto At = Passed.find({Kernel.getCanonicalDecl(), Parameter});
  return At == Passed.end() ? nullptr : &At->second;
}

/// A kernel that is named without being launched there may be launched anywhere.
void HostFlow::addNamedKernel(const FunctionDecl &Kernel) {
  if (!Kernel.hasAttr<CUDAGlobalAttr>())
    return;
  const KernelEffects &Known = effectsOf(Kernel);
  Stored = std::max(Stored, Known.Stored);
  write(deviceMemory(Known.Written), false);
}

TensorSet HostFlow::deviceMemory(const VarDecl *V) {
  V = V->getCanonicalDecl();
  NamedOnHost.insert(V);
  return deviceMemory(KernelEffects::Variables{V});
}

TensorSet HostFlow::deviceMemory(const KernelEffects::Variables &Variables) {
  TensorSet Memory;
  for (const VarDecl *V : Variables) {
    if (!mayHoldResults(*V))
      continue;
    TensorObject *&Object = DeviceObjects[V->getCanonicalDecl()];
    if (!Object) {
      Object = &Objects.emplace_back();
      Object->From = TensorObject::Source::Computed;
      Object->Where = Object->KeptAt = V->getLocation();
      Object->BornIn = 1;
    }
    Memory.insert(Object);
  }
  return Memory;
}

/// Whether an earlier kernel set \p Flag and nobody ever takes it back.
bool HostFlow::isRaisedForGood(const VarDecl *Flag) {
  if (!Raised.count(Flag) || NamedOnHost.count(Flag->getCanonicalDecl()))
    return false;
  return llvm::none_of(Context.program().units(), [&](const auto &Unit) {
    const FunctionDecl *F = Unit->function();
    return F && F->hasAttr<CUDAGlobalAttr>() && !F->isDependentContext() &&
           effectsOf(*F).Changed.count(Flag);
  });
}

/// Whether the kernel does nothing since a flag is set.
bool HostFlow::isGateClosed(const KernelEffects &Known) {
  return llvm::any_of(Known.Gates, [this](const VarDecl *Flag) { return isRaisedForGood(Flag); });
}

/// The variables that the kernel only reads since a flag is set.
KernelEffects::Variables HostFlow::keptIn(const KernelEffects &Known) {
  KernelEffects::Variables Kept;
  for (const auto &[Flag, Variables] : Known.Kept)
    if (isRaisedForGood(Flag))
      Kept.insert(Variables.begin(), Variables.end());
  return Kept;
}

} // namespace cupel
