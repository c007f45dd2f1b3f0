//===- Entry.cpp - the submission's library and its boxed function ----------===//

#include "Entry.h"
#include "Reference.h"
#include <c10/core/GradMode.h>
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <torch/headeronly/version.h>

using namespace cupel::worker;

static void requireAbi(void *Handle, const std::string &Library) {
  using AbiFunction = const char *();
  auto *Abi = reinterpret_cast<AbiFunction *>(dlsym(Handle, "cupel_adapter_abi"));
  if (!Abi)
    throw WorkerError("load", "load-failed",
                      Library + " has no cupel_adapter_abi(): it was not built by cupel");
  std::string Wanted = std::string("cupel-adapter-1 torch-") + TORCH_VERSION, Found = Abi();
  if (!Found.starts_with(Wanted)) // A local version such as +cu130 may follow.
    throw WorkerError("load", "wrong-torch",
                      Library + " is built for '" + Found + "', this worker is '" + Wanted + "'");
}

Entry::Entry(const std::string &Library, const std::string &Symbol) : Library(Library) {
  // Everything is resolved now, so that a missing symbol is an error here and no crash in a call.
  void *Handle = dlopen(Library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!Handle)
    throw WorkerError("load", "load-failed", dlerror());
  requireAbi(Handle, Library);
  Function = reinterpret_cast<decltype(Function)>(dlsym(Handle, Symbol.c_str()));
  if (!Function)
    throw WorkerError("load", "entry-missing", Library + " has no function " + Symbol);
}

c10::IValue Entry::launch(const std::vector<c10::IValue> &Arguments) const {
  at::NoGradGuard NoGrad;
  std::vector<c10::IValue> Stack = Arguments;
  Function(Stack);
  if (Stack.empty())
    return {};
  return std::move(Stack.back());
}

std::vector<at::Tensor> Entry::call(const std::vector<c10::IValue> &Arguments,
                                    Device &Device) const {
  std::vector<at::Tensor> Outputs;
  asCall(Device, [&] {
    c10::IValue Result = launch(Arguments);
    Device.synchronize();
    auto Tensors = tensorsOf(Result);
    if (!Tensors || Tensors->empty())
      throw WorkerError("call", "bad-result",
                        "the entry returns " + (Result.isNone() ? "nothing" : Result.tagKind()) +
                            "; a tensor or a tuple of tensors is expected");
    for (const at::Tensor &Tensor : *Tensors)
      if (!Tensor.defined() || Tensor.layout() != c10::kStrided)
        throw WorkerError("call", "bad-result", "the entry returns an undefined or sparse tensor");
    Outputs = std::move(*Tensors);
  });
  return Outputs;
}

/// torch throws CUDA's errors as text: "CUDA error: an illegal memory access was encountered".
static std::string cudaNameIn(const std::string &Text) {
  if (Text.find("CUDA error") == std::string::npos)
    return "";
  std::string Best, BestText;
  for (int Code = 1; Code < 1000; ++Code) {
    auto Error = static_cast<cudaError_t>(Code);
    std::string Known = cudaGetErrorString(Error);
    if (Known != "unrecognized error code" && Known.size() > BestText.size() &&
        Text.find(Known) != std::string::npos) {
      BestText = Known;
      Best = cudaGetErrorName(Error);
    }
  }
  return Best.empty() ? "cudaErrorUnknown" : Best;
}

/// What \p Text, thrown by a call, says about the device: a lost context counts more than the text.
static WorkerError callError(Device &Device, const std::string &Text) {
  WorkerError E("call", "exception", Text);
  E.CudaError = cudaNameIn(Text);
  if (Device.isCuda() && E.CudaError.empty())
    if (cudaError_t Left = cudaDeviceSynchronize(); Left != cudaSuccess)
      E.CudaError = cudaGetErrorName(Left);
  if (!E.CudaError.empty())
    E.Code = "cuda-error";
  return E;
}

void Entry::asCall(Device &Device, const std::function<void()> &Do) {
  try {
    Do();
  } catch (WorkerError &E) {
    E.Stage = "call";
    throw;
  } catch (const c10::OutOfMemoryError &E) {
    throw WorkerError("call", "out-of-memory", E.what_without_backtrace());
  } catch (const c10::Error &E) {
    throw callError(Device, E.what_without_backtrace());
  } catch (const std::bad_alloc &) {
    throw WorkerError("call", "out-of-memory", "std::bad_alloc");
  } catch (const std::exception &E) {
    throw callError(Device, E.what());
  } catch (...) {
    throw callError(Device, "an exception that is no std::exception");
  }
}
