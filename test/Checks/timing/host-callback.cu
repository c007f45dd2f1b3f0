// RUN: not %cupel lint --checks=timing-host-callback %s | FileCheck %s --implicit-check-not='[timing-host-callback]'
// REQUIRES: cupel, torch, cuda-headers

#include <torch/extension.h>

__global__ void kernel(float *y) { y[0] = 1; }
static void CUDART_CB later(void *) {}
static float *memory;

static void launchAgain(void *p) { kernel<<<1, 1>>>(static_cast<float *>(p)); }
static void release(void *p) { cudaFree(p); }

namespace own {
void cudaLaunchHostFunc(int) {}
} // namespace own

torch::Tensor forward(torch::Tensor x) {
  // CHECK: host-callback.cu:[[#@LINE+1]]:3: reject: 'cudaLaunchHostFunc' runs host code when the call may be over [timing-host-callback]
  cudaLaunchHostFunc(0, later, nullptr);
  // CHECK: :[[#@LINE+1]]:12: reject: the deleter that is given to '{{at|torch}}::from_blob' launches a kernel{{.*}}[timing-host-callback]
  auto a = torch::from_blob(memory, {1}, [](void *p) { launchAgain(p); }, x.options());
  auto b = torch::from_blob(memory, {1}, release, x.options());                     // accepted: frees memory
  auto c = torch::from_blob(memory, {1}, [](void *p) { cudaFree(p); }, x.options()); // accepted: frees memory
  auto d = torch::from_blob(memory, {1}, x.options());                              // accepted: no deleter
  own::cudaLaunchHostFunc(1);                                                       // accepted: an own function
  launchAgain(memory);                                                              // accepted: a launch in the call
  cudaEvent_t event;
  cudaEventCreate(&event);                                                          // accepted: an event
  cudaEventRecord(event, 0);                                                        // accepted: an event
  auto callback = [](int y) { return y; };                                          // accepted: a lambda
  callback(1);                                                                      // accepted: called at once
  std::function<void(void *)> held = release;                                       // accepted: a function object
  using Type = decltype(cudaLaunchHostFunc(0, later, nullptr));                     // accepted: not evaluated
  return b;
}
