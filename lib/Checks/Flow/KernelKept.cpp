//===- KernelKept.cpp - what a kernel stores only until a flag is set -------===//

#include "KernelKept.h"

using namespace clang;

namespace cupel {

void KeptVariables::store(const VarDecl *V) {
  auto [At, IsNew] = Stores.try_emplace(V, Zero);
  if (!IsNew)
    std::erase_if(At->second, [&](const VarDecl *Flag) { return !Zero.count(Flag); });
}

std::map<const VarDecl *, KeptVariables::Variables>
KeptVariables::find(llvm::function_ref<bool(const VarDecl *)> HoldsData) const {
  std::map<const VarDecl *, Variables> Kept;
  Variables Loaded;
  for (const auto &[V, Flags] : Loads)
    if (mayHoldResults(*V))
      Loaded.insert(V);
  if (Loaded.size() != 1)
    return Kept;
  for (const auto &[V, Flags] : Loads)
    if (auto At = Stores.find(V); At != Stores.end() && HoldsData(V))
      for (const VarDecl *Flag : At->second)
        if (!Flags.count(Flag))
          Kept[Flag].insert(V);
  return Kept;
}

} // namespace cupel
