//===- Baseline.cpp - what a submission's time is compared with -------------===//

#include "Baseline.h"
#include <ATen/Context.h>
#include <ATen/core/grad_mode.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAGuard.h>
#include <cuda_runtime_api.h>
#include <torch/csrc/inductor/aoti_package/model_package_loader.h>

using namespace cupel::worker;
namespace allocator = c10::cuda::CUDACachingAllocator;

CompiledModels::CompiledModels() = default;
CompiledModels::~CompiledModels() = default;

torch::inductor::AOTIModelPackageLoader &CompiledModels::load(const std::string &Package) {
  auto &Loader = Loaded[Package];
  try {
    // A model that threads share records an event after its kernels, which a timed call would pay
    // for.
    if (!Loader)
      Loader = std::make_unique<torch::inductor::AOTIModelPackageLoader>(
          Package, "model", /*run_single_threaded=*/true);
  } catch (const std::exception &E) {
    throw WorkerError("baseline", "package-unusable", E.what());
  }
  return *Loader;
}

Tf32Allowed::Tf32Allowed(bool Allowed)
    : Cublas(at::globalContext().allowTF32CuBLAS()), Cudnn(at::globalContext().allowTF32CuDNN()) {
  if (!Allowed)
    return;
  at::globalContext().setAllowTF32CuBLAS(true);
  at::globalContext().setAllowTF32CuDNN(true);
}

Tf32Allowed::~Tf32Allowed() {
  at::globalContext().setAllowTF32CuBLAS(Cublas);
  at::globalContext().setAllowTF32CuDNN(Cudnn);
}

namespace {

class Eager : public Baseline {
public:
  Eager(const Reference &Ref, const Inputs &Arguments) : Ref(Ref), Arguments(Arguments) {}
  void call() override { Outputs = Ref.run(Arguments); }

private:
  const Reference &Ref;
  const Inputs &Arguments;
  std::vector<at::Tensor> Outputs; // Freed after the call, as Python does.
};

//===----------------------------------------------------------------------===//
// graphed
//===----------------------------------------------------------------------===//

/// A part of the allocator's memory that a graph's replays alone use.
class GraphMemory {
public:
  explicit GraphMemory(cudaStream_t Stream) : Id(0, NextId++) {
    // torch numbers its own from 1.
    allocator::beginAllocateToPool(0, Id,
                                   [Stream](cudaStream_t Asking) { return Asking == Stream; });
  }
  void close() {
    if (!std::exchange(Closed, true))
      allocator::endAllocateToPool(0, Id);
  }
  ~GraphMemory() {
    close();
    allocator::releasePool(0, Id);
  }
  GraphMemory(const GraphMemory &) = delete;

private:
  static inline c10::CaptureId_t NextId = c10::CaptureId_t(1) << 40;
  c10::MempoolId_t Id;
  bool Closed = false;
};

class Graphed : public Baseline {
public:
  Graphed(const Reference &Ref, const Inputs &Arguments, Device &Device) {
    // Not the default stream, which cannot be captured.
    c10::cuda::CUDAStream Side = c10::cuda::getStreamFromPool();
    Device.synchronize();
    c10::cuda::CUDAStreamGuard OnSide(Side);
    // Handles, workspaces and lazily loaded kernels are made before, since a capture may not.
    for (int I = 0; I < 3; ++I)
      Ref.run(Arguments);
    Device.synchronize();
    Memory.emplace(Side);
    checkCuda(cudaStreamBeginCapture(Side, cudaStreamCaptureModeThreadLocal), "baseline",
              "beginning a graph");
    std::string Failed;
    try {
      Outputs = Ref.run(Arguments);
    } catch (const std::exception &E) {
      Failed = E.what();
    }
    cudaError_t Ended = cudaStreamEndCapture(Side, &Graph);
    Memory->close();
    if (Failed.empty() && Ended == cudaSuccess)
      Ended = cudaGraphInstantiate(&Runnable, Graph, 0);
    if (Failed.empty() && Ended != cudaSuccess)
      Failed = cudaGetErrorString(Ended);
    if (Failed.empty())
      return;
    cudaGetLastError();
    release();
    throw WorkerError("baseline", "not-capturable", Failed);
  }
  ~Graphed() override { release(); }

  void call() override {
    checkCuda(cudaGraphLaunch(Runnable, c10::cuda::getCurrentCUDAStream()), "baseline",
              "launching a graph");
  }

private:
  void release() {
    if (Runnable)
      cudaGraphExecDestroy(Runnable);
    if (Graph)
      cudaGraphDestroy(Graph);
    Runnable = nullptr;
    Graph = nullptr;
  }

  std::optional<GraphMemory> Memory; // Goes after the outputs that lie in it.
  std::vector<at::Tensor> Outputs;
  cudaGraph_t Graph = nullptr;
  cudaGraphExec_t Runnable = nullptr;
};

//===----------------------------------------------------------------------===//
// compiled
//===----------------------------------------------------------------------===//

class Compiled : public Baseline {
public:
  Compiled(torch::inductor::AOTIModelPackageLoader &Model, const Inputs &Arguments) : Model(Model) {
    // The package's own arguments: every tensor, inputs first; numbers are constants in it.
    for (const TensorPlan *Tensor : Arguments.plan().tensors())
      Tensors.push_back(*Arguments.tensor(Tensor->Name));
  }

  void call() override {
    at::NoGradGuard NoGrad;
    try {
      Outputs = Model.run(Tensors);
    } catch (const std::exception &E) {
      throw WorkerError("baseline", "package-unusable", E.what());
    }
  }

private:
  torch::inductor::AOTIModelPackageLoader &Model;
  std::vector<at::Tensor> Tensors, Outputs;
};

} // namespace

std::unique_ptr<Baseline> cupel::worker::makeBaseline(const std::string &Kind,
                                                      const std::string &Package,
                                                      const Reference &Ref, const Inputs &Arguments,
                                                      Device &Device, CompiledModels &Models) {
  if (Kind == "eager")
    return std::make_unique<Eager>(Ref, Arguments);
  if (Kind == "graphed" && Device.isCuda())
    return std::make_unique<Graphed>(Ref, Arguments, Device);
  if (Kind == "compiled" && Device.isCuda())
    return std::make_unique<Compiled>(Models.load(Package), Arguments);
  throw WorkerError("request", "bad-request", "there is no baseline '" + Kind + "' on this device");
}
