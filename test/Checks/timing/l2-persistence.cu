// RUN: not %cupel lint --checks=timing-l2-persistence %s | FileCheck %s --implicit-check-not='[timing-l2-persistence]'
// REQUIRES: cupel, torch, cuda-headers

#include <torch/extension.h>

__global__ void kernel(const float *x, float *y) {
  y[0] = __ldcg(x);                                            // accepted: a load's cache hint
  y[1] = __ldcs(x);                                            // accepted: a load's cache hint
}

void stream(cudaStream_t s, void *p) {
  cudaStreamAttrValue value = {};
  value.accessPolicyWindow.base_ptr = p;
  value.accessPolicyWindow.hitProp = cudaAccessPropertyStreaming;
  // CHECK: l2-persistence.cu:[[#@LINE+1]]:3: warn: 'cudaStreamSetAttribute' says how the L2 cache treats a stream, here that it may drop lines [timing-l2-persistence]
  cudaStreamSetAttribute(s, cudaStreamAttributeAccessPolicyWindow, &value);
}

void launch(cudaLaunchAttributeID id, cudaLaunchAttributeValue value) {
  cudaLaunchAttribute attribute = {id, {}, value};
  cudaLaunchConfig_t config = {1, 1};
  config.attrs = &attribute;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, kernel, (const float *)nullptr, (float *)nullptr); // accepted: no window here
}

void launchWithWindow(void *p) {
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeAccessPolicyWindow;
  attribute.val.accessPolicyWindow = {p, 1 << 20, 1.f, cudaAccessPropertyPersisting, cudaAccessPropertyStreaming};
  cudaLaunchConfig_t config = {1, 1};
  config.attrs = &attribute;
  config.numAttrs = 1;
  // CHECK: :[[#@LINE+1]]:3: reject: 'cudaLaunchKernelEx' keeps data{{.*}}[timing-l2-persistence]
  cudaLaunchKernelEx(&config, kernel, (const float *)nullptr, (float *)nullptr);
}

torch::Tensor forward(torch::Tensor x) {
  launch(cudaLaunchAttributePriority, {});
  launchWithWindow(x.data_ptr());
  // CHECK: l2-persistence.cu:[[#@LINE+1]]:3: reject: 'cudaDeviceSetLimit' keeps data in the L2 cache, and nothing resets it before the call returns [timing-l2-persistence]
  cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 1 << 20);
  stream(0, nullptr);
  cudaStreamAttrValue value;
  // CHECK: :[[#@LINE+1]]:3: reject: 'cudaStreamSetAttribute' keeps data{{.*}}[timing-l2-persistence]
  cudaStreamSetAttribute(0, cudaStreamAttributeAccessPolicyWindow, &value);
  cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20);        // accepted: another limit
  cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 20);        // accepted: another limit
  cudaStreamSetAttribute(0, cudaStreamAttributePriority, &value); // accepted: another attribute
  size_t size;
  cudaDeviceGetLimit(&size, cudaLimitPersistingL2CacheSize);   // accepted: a query
  cudaFuncSetCacheConfig(kernel, cudaFuncCachePreferL1);       // accepted: L1 and shared memory
  cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 50); // accepted: shared memory
  auto limit = cudaLimitPersistingL2CacheSize;                 // accepted: a value by itself
  const char *text = "cudaLimitPersistingL2CacheSize";         // accepted: text
  kernel<<<1, 1>>>(nullptr, nullptr);                          // accepted: a launch
  return torch::empty_like(x);
}
