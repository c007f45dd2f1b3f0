// RUN: %cupel lint --checks=fallback-tensor-copy %s | FileCheck %s --implicit-check-not='[fallback-tensor-copy]'
// REQUIRES: cupel, torch, cuda-headers

#include <torch/extension.h>

at::Tensor copies(at::Tensor x, at::Tensor y) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: warn: 'at::Tensor::clone' moves or fills data with torch's kernels [fallback-tensor-copy]
  auto c = x.clone();
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: warn: 'at::Tensor::copy_' moves{{.*}}[fallback-tensor-copy]
  y.copy_(x);
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: warn: 'at::Tensor::item' moves{{.*}}[fallback-tensor-copy]
  float s = x.item<float>();
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: warn: 'at::Tensor::to' moves{{.*}}[fallback-tensor-copy]
  x.to(torch::kCUDA);
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: warn: 'at::Tensor{{(Base)?}}::zero_' moves{{.*}}[fallback-tensor-copy]
  y.zero_();
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: warn: 'at::Tensor::fill_' moves{{.*}}[fallback-tensor-copy]
  y.fill_(s);
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: warn: 'at::Tensor::cpu' moves{{.*}}[fallback-tensor-copy]
  x.cpu();
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: warn: 'at::Tensor::operator=' moves{{.*}}[fallback-tensor-copy]
  x.select(0, 0) = y;
  return c;
}

struct Own {
  Own clone() const { return {}; }
  int item() const { return 0; }
};
at::Tensor accepted(at::Tensor x, Own own) {
  own.clone();                // accepted: an own type's method
  own.item();                 // accepted: an own type's method
  at::Tensor y = x;           // accepted: another handle
  y = x;                      // accepted: rebinds the handle
  x.contiguous();             // accepted: layout
  x.to(torch::kHalf);         // accepted: a conversion, another check's reject
  using T = decltype(x.clone()); // accepted: not evaluated
  return torch::empty_like(x); // accepted: allocation
}
// CHECK: accepted: 8 warnings
