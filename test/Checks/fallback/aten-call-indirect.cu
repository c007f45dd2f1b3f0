// Work that is left to torch behind what headers make and look up.
//
// RUN: not %cupel lint --checks=fallback-aten-call,fallback-tensor-method %s | FileCheck %s --implicit-check-not='[fallback-'
// REQUIRES: cupel, torch, cuda-headers

#include <ATen/TensorIterator.h>
#include <ATen/native/BinaryOps.h>
#include <memory>
#include <torch/extension.h>

__global__ void scale(const float *x, float *y, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n)
    y[i] = x[i] * 2;
}
static torch::Tensor own(torch::Tensor x) {
  auto y = torch::empty_like(x);
  scale<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}

struct Step {
  virtual torch::Tensor run(torch::Tensor x) = 0;
  virtual ~Step() = default;
};
struct Summed : Step {
  // CHECK: aten-call-indirect.cu:[[#@LINE+1]]:{{[0-9]+}}: reject: 'at::Tensor::sum' leaves the work to torch [fallback-tensor-method]
  torch::Tensor run(torch::Tensor x) override { return x.sum(); }
};
struct Scaled : Step {
  torch::Tensor run(torch::Tensor x) override { return own(x); }
};
struct NeverMade : Step {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: note: 'at::Tensor::relu' leaves{{.*}}never gets here [fallback-tensor-method]
  torch::Tensor run(torch::Tensor x) override { return x.relu(); }
};

torch::Tensor forward(torch::Tensor x) {
  std::unique_ptr<Step> first = std::make_unique<Scaled>();
  std::shared_ptr<Step> second = std::make_shared<Summed>();
  auto y = first->run(x);
  auto iterator = at::TensorIterator::binary_op(y, x, x);
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'at::native::DispatchStub{{.*}}leaves the work to torch [fallback-aten-call]
  at::native::add_stub(iterator.device_type(), iterator, 1);
  return second->run(y);
}
