//===- BuildRecord.h - the output of the build phase ------------------------===//
#ifndef CUPEL_BUILD_BUILDRECORD_H
#define CUPEL_BUILD_BUILDRECORD_H

#include "cupel/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <string>
#include <vector>

namespace cupel {

enum class BuildState { Built, Cached, Failed, Skipped };
llvm::StringRef toString(BuildState State);

/// What ptxas says of one kernel.
struct KernelResources {
  std::string MangledName, Name, Architecture;
  unsigned Registers = 0;
  unsigned SharedBytes = 0, ConstantBytes = 0, StackBytes = 0;
  unsigned SpillStoreBytes = 0, SpillLoadBytes = 0;
};

struct BuildDiagnostic {
  std::string Severity; ///< `error`, `warning` or `note`.
  SourcePlace Place;    ///< In the submission, or empty.
  std::string Message;
};

/// One way of building that was tried before the one that worked.
struct BuildAttempt {
  std::string Strategy, Reason;
  double Seconds = 0;
};

struct BuildRecord {
  BuildState State = BuildState::Skipped;
  std::string Strategy; ///< `nvcc-slim`, `nvcc-full` or `emulated`; more may come.
  double Seconds = 0;
  std::vector<std::string> Command;
  std::string Library;     ///< The shared library; empty unless Built or Cached.
  std::string LibraryHash; ///< Of its contents.
  std::string Key;         ///< Content hash that names the cache entry.
  std::vector<BuildDiagnostic> Diagnostics;
  std::vector<KernelResources> Kernels;
  std::vector<BuildAttempt> Attempts;
  /// Why, when Failed or Skipped: `compile-error`, `link-error`, `build-timeout`, ...
  std::vector<Reason> Reasons;
};

llvm::json::Value toJson(const BuildRecord &Record);
llvm::Expected<BuildRecord> buildRecordFromJson(const llvm::json::Value &Value);

} // namespace cupel

#endif // CUPEL_BUILD_BUILDRECORD_H
