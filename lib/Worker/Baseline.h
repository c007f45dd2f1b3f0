//===- Baseline.h - what a submission's time is compared with ---------------===//
//
// `eager`: the reference's operators one by one, at torch's own settings. `graphed`: the same,
// captured once into a CUDA graph, so that launching costs nothing. `compiled`: the reference as
// torch's compiler makes it, from a package (share/python/make_baseline.py). Behind each name may
// stand `-tf32`: float32 products on tensor cores, which torch does not do by itself.
//
//===----------------------------------------------------------------------===//
#ifndef CUPEL_WORKER_BASELINE_H
#define CUPEL_WORKER_BASELINE_H

#include "Reference.h"
#include <map>

namespace torch::inductor {
class AOTIModelPackageLoader;
}

namespace cupel::worker {

class Baseline {
public:
  virtual ~Baseline() = default;
  /// Queues one run on the current stream.
  virtual void call() = 0;
};

/// Packages that are loaded. Unpacking one takes a second, and a timing asks for it block after
/// block.
class CompiledModels {
public:
  CompiledModels();
  ~CompiledModels();
  /// Throws `package-unusable` with the loader's text.
  torch::inductor::AOTIModelPackageLoader &load(const std::string &Package);

private:
  std::map<std::string, std::unique_ptr<torch::inductor::AOTIModelPackageLoader>> Loaded;
};

/// Float32 products in TF32, in cuBLAS and in cuDNN, while it lives.
class Tf32Allowed {
public:
  explicit Tf32Allowed(bool Allowed);
  ~Tf32Allowed();
  Tf32Allowed(const Tf32Allowed &) = delete;

private:
  bool Cublas, Cudnn;
};

/// Makes the baseline \p Kind, a name without `-tf32`, for \p Arguments, whose values may change in
/// place but not their addresses. \p Package is for `compiled`. Throws `bad-request` for another
/// name, `not-capturable`, `package-unusable`, and what Reference::run throws.
std::unique_ptr<Baseline> makeBaseline(const std::string &Kind, const std::string &Package,
                                       const Reference &Ref, const Inputs &Arguments,
                                       Device &Device, CompiledModels &Models);

} // namespace cupel::worker

#endif // CUPEL_WORKER_BASELINE_H
