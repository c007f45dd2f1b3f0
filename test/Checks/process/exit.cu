// RUN: not %cupel lint --checks=process-exit %s | FileCheck %s --implicit-check-not='[process-exit]'
// REQUIRES: cupel, torch, cuda-headers

#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <torch/extension.h>
#include <unistd.h>

#define CUDA_OR_EXIT(call)                                                                         \
  if (cudaError_t status = (call); status != cudaSuccess)                                          \
  exit(EXIT_FAILURE)

namespace own {
int exit(int x) { return x; }
struct Door {
  void exit() {}
};
} // namespace own

struct Guard {
  // CHECK: exit.cu:[[#@LINE+1]]:14: reject: 'exit' ends the process while objects are destroyed or made [process-exit]
  ~Guard() { exit(3); }
};
static Guard guard;

void report() {}

torch::Tensor forward(torch::Tensor x, int64_t code) {
  if (x.numel() == 7)
    // CHECK: :[[#@LINE+1]]:5: reject: 'exit' ends the process with the status of success{{.*}}[process-exit]
    exit(0);
  if (x.numel() == 8)
    // CHECK: :[[#@LINE+1]]:5: reject: '_exit' ends the process without running destructors{{.*}}[process-exit]
    _exit(1);
  // CHECK: :[[#@LINE+1]]:3: reject: 'atexit' runs code at the process's end{{.*}}[process-exit]
  atexit(report);
  // CHECK: :[[#@LINE+1]]:3: reject: 'raise' sends or catches signals{{.*}}[process-exit]
  raise(SIGTERM);
  CUDA_OR_EXIT(cudaGetLastError());        // accepted: an error status in a macro
  if (x.numel() == 9)
    exit(EXIT_FAILURE);                    // accepted: an error status
  if (x.numel() == 10)
    exit(2);                               // accepted: an error status
  if (x.numel() == 11)
    exit(static_cast<int>(code));          // accepted: a status that the caller chooses
  if (x.numel() == 12)
    abort();                               // accepted: no success
  if (x.numel() == 13)
    throw std::runtime_error("bad");       // accepted: an exception
  TORCH_CHECK(x.is_cuda(), "on the GPU");  // accepted: a check of torch
  own::exit(0);                            // accepted: an own function
  own::Door door;
  door.exit();                             // accepted: a method
  const char *text = "exit(0)";            // accepted: text
  using Type = decltype(exit(0));          // accepted: not evaluated
  return torch::empty_like(x);
}
