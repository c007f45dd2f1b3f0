//===- KernelKept.h - what a kernel stores only until a flag is set ---------===//
#ifndef CUPEL_LIB_CHECKS_FLOW_KERNELKEPT_H
#define CUPEL_LIB_CHECKS_FLOW_KERNELKEPT_H

#include "KernelEffects.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace cupel {

/// The loads and stores of the device's variables, each with the flags that are certainly zero
/// where it runs.
class KeptVariables {
public:
  using Variables = KernelEffects::Variables;

  void load(const clang::VarDecl *V) { Loads.insert({V, Zero}); }
  void store(const clang::VarDecl *V);
  void storeAtAnyTime(const clang::VarDecl *V) { Stores[V].clear(); }

  const Variables &zeroFlags() const { return Zero; }
  void setZeroFlags(Variables Flags) { Zero = std::move(Flags); }

  /// The result for KernelEffects::Kept. Nothing where the kernel loads more than one variable with
  /// room for results: what is stored may come from the other, and not from the arguments.
  std::map<const clang::VarDecl *, Variables>
  find(llvm::function_ref<bool(const clang::VarDecl *)> HoldsData) const;

private:
  std::set<std::pair<const clang::VarDecl *, Variables>> Loads;
  std::map<const clang::VarDecl *, Variables> Stores; ///< Flags that are zero at each store.
  Variables Zero;                                     ///< Flags where the reader is now.
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_FLOW_KERNELKEPT_H
