//===- Builder.h - a judged submission to a loadable library ----------------===//
#ifndef CUPEL_BUILD_BUILDER_H
#define CUPEL_BUILD_BUILDER_H

#include "cupel/Build/BuildRecord.h"
#include "cupel/Frontend/Entry.h"
#include "cupel/Frontend/SourceSymbols.h"
#include "cupel/Support/CacheDirectory.h"
#include "cupel/Support/Toolchain.h"
#include <functional>

namespace cupel {

/// What one build may take. Template recursion and constexpr loops can cost any amount.
struct BuildLimits {
  double TimeoutSeconds = 300;              ///< Of all attempts together.
  uint64_t MemoryBytes = uint64_t(8) << 30; ///< Of a compiler with its children.
  unsigned MaxProcesses = 64;
  uint64_t MaxFileBytes = uint64_t(1) << 30; ///< Of one file that a compiler writes.
  unsigned MaxDiagnostics = 50;
};

/// What a split build needs: device code as a source of its own for nvcc, and how Clang read the
/// host code, which it compiles in a process of its own (Split/DeviceSource.h, Split/HostObject.h).
struct SplitRequest {
  std::string DeviceSource;
  std::string WhyNot;   ///< Why this submission has no device source; then it has none.
  std::string Compiler; ///< Path of cupel, whose `host-object` compiles host code.
  std::vector<std::string> Arguments; ///< Of `clang -cc1`.
  std::string Pch;
};

/// An error that Clang has found with torch's own headers.
struct SourceError {
  SourcePlace Place;
  std::string Message;
  bool IsSure = false; ///< Every compiler has it: none is asked.
};

struct BuildRequest {
  std::string File;   ///< As the user named it; diagnostics say it.
  std::string Source; ///< The bytes that were judged. The file is not read again.
  /// What rewriteForEmulation made of Source. Unless empty, this is what is built, for the CPU,
  /// with the one strategy `emulated`.
  std::string EmulatedSource;
  /// Where a compiler with fewer headers than torch's own finds fault on the same line, no other is
  /// asked.
  std::vector<SourceError> Errors;
  /// What the submission declares and uses, for messages that name symbols. Asked when there are
  /// any.
  std::function<std::vector<SourceSymbol>()> Symbols;
  /// Without it there is no strategy `split`.
  std::optional<SplitRequest> Split;
  std::vector<EntrySignature> Entries;
  Toolchain Tools;
  std::vector<std::string> Architectures = {"sm_90a"};
  /// Libraries that the problem's policy allows: `cublas`, `cudnn`, ... Nothing else is linked.
  std::vector<std::string> Libraries;
  /// Names of strategies in the order to try; empty: all of them (see BuildStrategy.h).
  std::vector<std::string> Strategies;
  CacheDirectory Cache = CacheDirectory::standard();
  BuildLimits Limits;
};

/// Builds the submission, or finds it built. A submission that cannot be built and a tool that is
/// missing are records (Failed, Skipped) with reasons. Errors are about cupel itself: a cache that
/// cannot be written, an unknown strategy, library or architecture in the request.
/// Safe to call from many threads and processes.
llvm::Expected<BuildRecord> buildSubmission(BuildRequest Request);

/// What ptxas says of the kernels of \p Request's source, which nothing else is made of: the
/// figures of a submission that is emulated. Errors: `nvcc-missing`, `nvcc-failed`.
llvm::Expected<std::vector<KernelResources>> deviceFigures(BuildRequest Request);

/// The architecture to build for on a GPU of compute capability \p Capability (`90` as the worker's
/// hello says): `sm_90a` from 9.0 on, where instructions exist that only the exact chip has.
std::string architectureFor(unsigned Capability);

} // namespace cupel

#endif // CUPEL_BUILD_BUILDER_H
