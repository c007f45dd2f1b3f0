//===- NvccPlan.h - nvcc's own steps, host and device side by side -----------===//
//
// For one architecture nvcc runs seven programs one after the other. The host half (cpp, cudafe++)
// and the device half (cpp, cicc, ptxas, fatbinary) need nothing of each other but the name by
// which both know the module, and each takes about a third of the time. `nvcc --dryrun` lists the
// programs (CUDA Compiler Driver NVCC, 4.2.8.1), so they can run side by side; given the same
// module name the object file is the same byte for byte (NvccPlanTest compares).
//
//===----------------------------------------------------------------------===//
#ifndef CUPEL_LIB_BUILD_NVCCPLAN_H
#define CUPEL_LIB_BUILD_NVCCPLAN_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace cupel {

struct NvccPlan {
  std::string Host, Device; ///< Shell scripts that can run at once.
  std::string Finish;       ///< Shell script for what comes after both.
  std::string ModuleIdFile; ///< To be written before, with the module's name.
};

/// Reads what `nvcc --dryrun --keep` printed. Nothing when it is not the seven steps that we know:
/// another version, several architectures; nvcc itself must run then.
std::optional<NvccPlan> readNvccPlan(llvm::StringRef Dryrun);

/// A module name of the form that cudafe++ makes, unique to \p Source.
std::string moduleName(llvm::StringRef Source);

} // namespace cupel

#endif // CUPEL_LIB_BUILD_NVCCPLAN_H
