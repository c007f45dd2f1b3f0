// RUN: not %cupel lint --checks=process-dynamic-library %s | FileCheck %s --implicit-check-not='[process-dynamic-library]'
// REQUIRES: cupel, torch, cuda-headers

#include <cuda.h>
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <torch/extension.h>

namespace own {
void *dlopen(int) { return nullptr; }
struct Loader {
  void dlsym() {}
};
} // namespace own

__global__ void kernel(float *y) { y[0] = 1; }

torch::Tensor forward(torch::Tensor x) {
  // CHECK: dynamic-library.cu:[[#@LINE+1]]:16: reject: 'dlopen' reaches code that is not in this file [process-dynamic-library]
  void *blas = dlopen("libcublas.so.13", RTLD_NOW);
  // CHECK: :[[#@LINE+1]]:3: reject: 'dlsym' reaches{{.*}}[process-dynamic-library]
  dlsym(blas, "cublasSgemm_v2");
  CUmodule module;
  // CHECK: :[[#@LINE+1]]:3: reject: 'cuModuleLoad' reaches{{.*}}[process-dynamic-library]
  cuModuleLoad(&module, "a.cubin");
  void *f = nullptr;
  std::string computed = std::string("cu") + "MemAlloc";
  const char *name = computed.c_str();
  cudaDriverEntryPointQueryResult found;
  // CHECK: :[[#@LINE+1]]:3: reject: 'cudaGetDriverEntryPointByVersion' looks up a driver function by a name that is not a literal{{.*}}[process-dynamic-library]
  cudaGetDriverEntryPointByVersion(name, &f, 12000, cudaEnableDefault, &found);
  // CHECK: :[[#@LINE+1]]:3: warn: 'cudaGetDriverEntryPointByVersion' looks up a driver function 'cuMemAlloc'{{.*}}[process-dynamic-library]
  cudaGetDriverEntryPointByVersion("cuMemAlloc", &f, 12000, cudaEnableDefault, &found);
  cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &f, 12000, cudaEnableDefault, &found); // accepted: a tensor map encoder
  own::dlopen(1);                                  // accepted: an own function
  own::Loader loader;                              // accepted: an own class
  loader.dlsym();                                  // accepted: a method
  const char *text = "dlopen";                     // accepted: text
  using Type = decltype(dlopen("", 0));            // accepted: not evaluated
  cudaFuncAttributes attributes;
  cudaFuncGetAttributes(&attributes, kernel);      // accepted: attributes of an own kernel
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 0); // accepted
  void *pointer = (void *)kernel;                  // accepted: a pointer to an own kernel
  cudaLaunchKernel(pointer, 1, 1, nullptr, 0, 0);  // accepted: a launch by pointer
  // accepted: dlopen in a comment
  cudaRuntimeGetVersion(nullptr);                  // accepted: a version
  // accepted: the driver's own look-up of tensor maps above
  return torch::empty_like(x);
}
