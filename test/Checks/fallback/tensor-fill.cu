// RUN: %cupel lint --checks=fallback-tensor-fill %s | FileCheck %s --implicit-check-not='[fallback-tensor-fill]'
// REQUIRES: cupel, torch, cuda-headers

#include <torch/extension.h>

void fills(at::Tensor x) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: note: '{{at|torch}}::zeros' fills with a kernel of torch, whose share of GPU time is torch's [fallback-tensor-fill]
  torch::zeros({4}, x.options());
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: note: 'at::zeros_like' fills{{.*}}[fallback-tensor-fill]
  at::zeros_like(x);
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: note: '{{at|torch}}::full' fills{{.*}}[fallback-tensor-fill]
  torch::full({2, 2}, 1.0f);
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: note: 'at::Tensor::new_zeros' fills{{.*}}[fallback-tensor-fill]
  x.new_zeros({3});
}

namespace own {
int zeros(int n) { return n; }
} // namespace own
void accepted(at::Tensor x) {
  own::zeros(3);                             // accepted: an own function
  torch::empty({4});                         // accepted: no fill
  x.new_empty({4});                          // accepted: no fill
  using T = decltype(torch::zeros({4}));     // accepted: not evaluated
  cudaMemsetAsync(x.data_ptr(), 0, 4, nullptr); // accepted: CUDA's own
}
// CHECK: accepted: 4 notes
