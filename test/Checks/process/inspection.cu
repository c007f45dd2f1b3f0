// RUN: not %cupel lint --checks=process-inspection %s | FileCheck %s --implicit-check-not='[process-inspection]'
// REQUIRES: cupel, torch, cuda-headers

#include <cuda_runtime.h>
#include <execinfo.h>
#include <sys/utsname.h>
#include <torch/extension.h>
#include <unistd.h>

namespace own {
int uname(int x) { return x; }
struct Trace {
  void backtrace() {}
};
} // namespace own

torch::Tensor forward(torch::Tensor x) {
  char host[64];
  // CHECK: inspection.cu:[[#@LINE+1]]:3: reject: 'gethostname' tells one machine or caller from another [process-inspection]
  gethostname(host, sizeof(host));
  void *frames[8];
  // CHECK: :[[#@LINE+1]]:3: reject: 'backtrace' tells{{.*}}[process-inspection]
  backtrace(frames, 8);
  own::uname(1);                                                   // accepted: an own function
  own::Trace trace;                                                // accepted: an own class
  trace.backtrace();                                               // accepted: a method
  cudaDeviceProp properties;                                       // accepted: a type
  cudaGetDeviceProperties(&properties, 0);                         // accepted: the GPU's properties
  int sms = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0); // accepted: the GPU's SMs
  cudaGetDevice(&sms);                                             // accepted: the device's number
  cudaRuntimeGetVersion(&sms);                                     // accepted: a version
  x.get_device();                                                  // accepted: the tensor's device
  const char *text = "gethostname";                                // accepted: text
  using Type = decltype(getppid());                                // accepted: not evaluated
  return torch::empty_like(x);
}
