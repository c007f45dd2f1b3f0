//===- KernelEffects.h - what a kernel does with data -----------------------===//
//
// Read off the body, without regard to order: which device variables it touches, and how much work
// is in what it stores. Whatever is not understood computes, so that "only copies" and "only
// constants" are said where the code shows it.
//
//===----------------------------------------------------------------------===//
#ifndef CUPEL_LIB_CHECKS_FLOW_KERNELEFFECTS_H
#define CUPEL_LIB_CHECKS_FLOW_KERNELEFFECTS_H

#include "cupel/Checks/CheckContext.h"
#include <map>
#include <set>

namespace cupel {

struct KernelEffects {
  /// The most that is in any value which reaches global memory.
  enum class Work {
    Nothing,   ///< Nothing is stored.
    Constants, ///< What depends on no data: literals, indices, scalar arguments.
    Copies,    ///< What was loaded, unchanged.
    Computes,  ///< Anything else.
  };
  Work Stored = Work::Nothing;

  using Variables = std::set<const clang::VarDecl *>;
  Variables Read;    ///< Of `__device__` and `__constant__` variables: only read.
  Variables Written; ///< Perhaps read as well.
  Variables Gates;   ///< The kernel does nothing when one of these is not zero.
  Variables Raised;  ///< Set to a constant other than zero, whatever the data are.
  Variables Changed; ///< Stored to in any other way.
  /// By flag: those that data are stored to only while it is zero, and that are read even
  /// otherwise.
  std::map<const clang::VarDecl *, Variables> Kept;
};

/// Of \p Kernel in blocks of at most so many threads.
KernelEffects effectsOf(const clang::FunctionDecl &Kernel, int64_t Threads, CheckContext &Context);

/// A variable of the device's memory: `__device__`, `__constant__`, at namespace scope or static.
bool isDeviceVariable(const clang::ValueDecl *D);

/// Whether \p V has room for results: floating-point data, or integers that are no flags, counters
/// or epochs.
bool mayHoldResults(const clang::VarDecl &V);

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_FLOW_KERNELEFFECTS_H
