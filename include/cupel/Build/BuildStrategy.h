//===- BuildStrategy.h - one way from source to objects ---------------------===//
//
// The ways differ in speed and in what they can compile; the builder tries them in order and logs
// why one was left for the next. Linking is common to all.
//
//===----------------------------------------------------------------------===//
#ifndef CUPEL_BUILD_BUILDSTRATEGY_H
#define CUPEL_BUILD_BUILDSTRATEGY_H

#include "cupel/Build/Builder.h"
#include "cupel/Support/Process.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <chrono>
#include <memory>

namespace cupel {

/// What the strategies of one build share.
struct BuildContext {
  const BuildRequest &Request;
  std::string Folder;     ///< Working folder; compilers run in it.
  std::string SourceFile; ///< Name in Folder: the judged bytes and the adapter's tail.
  std::chrono::steady_clock::time_point Deadline;

  double secondsLeft() const;
};

/// How a tool ended.
struct ToolOutcome {
  bool Succeeded = false;
  Reason Why;         ///< Unless Succeeded: `compile-error`, `build-timeout`, ...
  std::string Output; ///< Standard output and error.
};

/// What a strategy made of the source.
struct StrategyResult {
  ToolOutcome Outcome;
  std::vector<std::string> Command;
  std::vector<std::string> Objects; ///< Paths, when it succeeded.
  /// The failure can come from what this strategy leaves out (headers, whole files), so the next
  /// one may do better.
  bool MayBeHeaders = false;
};

class BuildStrategy {
public:
  virtual ~BuildStrategy();
  virtual llvm::StringRef name() const = 0;
  /// Why it cannot be used with these tools; empty when it can.
  virtual std::string unusable(const Toolchain &Tools) const = 0;
  /// Everything outside the source that its objects depend on, for the cache's key.
  virtual llvm::Expected<std::string> fingerprint(const BuildRequest &Request) const = 0;
  virtual llvm::Expected<StrategyResult> compile(const BuildContext &Context) const = 0;
};

/// All strategies that build for a GPU, fastest first.
std::vector<std::unique_ptr<BuildStrategy>> allBuildStrategies();

/// The strategy `split`, for requests that have a BuildRequest::Split.
std::unique_ptr<BuildStrategy> splitStrategy();

/// The strategy `emulated`, which compiles BuildRequest::EmulatedSource for the CPU.
std::unique_ptr<BuildStrategy> emulatedStrategy();

/// nvcc's command for the device code alone, with the slim headers: no host compiler runs.
std::vector<std::string> deviceOnlyCommand(const BuildRequest &Request, llvm::StringRef Source,
                                           llvm::StringRef Object);

/// Runs a compiler or linker in the build's folder under its limits and an environment of our own:
/// variables like NVCC_APPEND_FLAGS or CPATH would change what is built.
llvm::Expected<ToolOutcome> runTool(const BuildContext &Context, llvm::StringRef FailureCode,
                                    llvm::ArrayRef<std::string> Command);

/// The two halves of a build, done at the same time.
struct HalvesOutcome {
  ToolOutcome Device, Host;
};
llvm::Expected<HalvesOutcome> runHalves(llvm::function_ref<llvm::Expected<ToolOutcome>()> Device,
                                        llvm::function_ref<llvm::Expected<ToolOutcome>()> Host);

} // namespace cupel

#endif // CUPEL_BUILD_BUILDSTRATEGY_H
