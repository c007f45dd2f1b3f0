//===- Baseline.h - what a submission's time is compared with ---------------===//
//
// `eager` and `graphed` need nothing but the reference. `compiled` and `compiled-autotune` are
// packages of torch's compiler, made once by Python for a problem's benchmark case, a GPU and a
// torch (share/python/make_baseline.py), kept in the cache and timed in C++. Behind each name may
// stand `-tf32`: float32 products on tensor cores, which torch does not do by itself.
//
//===----------------------------------------------------------------------===//
#ifndef CUPEL_RUNNER_BASELINE_H
#define CUPEL_RUNNER_BASELINE_H

#include "cupel/Problem/ProblemSpec.h"
#include "cupel/Runner/WorkerPair.h"

namespace cupel {

struct BaselineKind {
  enum class Maker { Eager, Graphed, Compiled };
  Maker How = Maker::Eager;
  bool Autotune = false; ///< Of Compiled.
  bool Tf32 = false;

  std::string name() const;
  /// What the worker calls it, which does not care how a package was made.
  std::string workerName() const;
  bool needsPackage() const { return How == Maker::Compiled; }
};

/// Every name that parseBaseline takes.
std::vector<std::string> baselineNames();
std::optional<BaselineKind> parseBaseline(llvm::StringRef Name);

/// The compiled packages of one GPU and one torch in the user's cache.
class BaselinePackages {
public:
  /// \p DeviceName and \p TorchVersion: as the worker says them.
  BaselinePackages(std::string DeviceName, std::string TorchVersion)
      : DeviceName(std::move(DeviceName)), TorchVersion(std::move(TorchVersion)) {}

  /// The package's file, if it was made.
  std::optional<std::string> find(const ProblemSpec &Problem, const CaseSpec &Case,
                                  const BaselineKind &Kind) const;

  struct Made {
    std::string Path;
    bool Cached = false; ///< It was there before.
    double Seconds = 0;
  };
  /// Finds or makes it; the first takes minutes, since torch then compiles its own headers too.
  /// Errors: `baseline-failed` with the end of Python's output, `python-missing`, those of
  /// CacheDirectory::getOrCreate.
  llvm::Expected<Made> make(const ProblemSpec &Problem, const CaseSpec &Case,
                            const BaselineKind &Kind, double TimeoutSeconds) const;

private:
  std::string key(const llvm::json::Object &Request) const;

  std::string DeviceName, TorchVersion;
};

/// Asks a worker for the GPU's name and torch's version. Error: `device-unavailable`, `worker-...`.
llvm::Expected<BaselinePackages> openBaselinePackages(const WorkerOptions &Options);

} // namespace cupel

#endif // CUPEL_RUNNER_BASELINE_H
