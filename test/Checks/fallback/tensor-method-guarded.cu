// A conversion behind a test of the type that it converts to.
// RUN: not %cupel lint --checks=fallback-tensor-method,fallback-tensor-copy %s | FileCheck %s --implicit-check-not=reject:
// RUN: not %cupel lint --problem %problems/level1/relu.toml --checks=fallback-tensor-method %s | FileCheck %s --check-prefix=FLOAT
// REQUIRES: cupel, torch, cuda-headers
// The problem's input is float32, so a test for half does not keep it from being converted.
// FLOAT: guarded.cu:18:{{[0-9]+}}: reject: 'at::Tensor::to' leaves the work to torch

#include <torch/extension.h>

torch::Tensor forward(torch::Tensor x) {
  // CHECK: [[#@LINE+1]]:{{[0-9]+}}: warn: {{.*}}[fallback-tensor-copy]
  auto a = x.scalar_type() == torch::kFloat ? x : x.to(torch::kFloat);
  if (x.dtype() != torch::kInt || a.dtype() != torch::kInt)
    // CHECK: [[#@LINE+1]]:{{[0-9]+}}: warn: {{.*}}[fallback-tensor-copy]
    a = x.to(torch::kInt);
  if (!(x.scalar_type() == at::ScalarType::Half))
    // CHECK: [[#@LINE+1]]:{{[0-9]+}}: warn: {{.*}}[fallback-tensor-copy]
    a = (*&x).to(at::kHalf);
  if (x.scalar_type() != torch::kInt && x.numel() > 4)
    // CHECK: [[#@LINE+1]]:{{[0-9]+}}: warn: {{.*}}[fallback-tensor-copy]
    a = x.to(torch::kInt);
  if (x.scalar_type() != torch::kFloat)
    // CHECK: [[#@LINE+1]]:{{[0-9]+}}: warn: {{.*}}[fallback-tensor-copy]
    a = a.to(x.scalar_type());
  if (x.numel() > 7)
    // CHECK: [[#@LINE+1]]:{{[0-9]+}}: reject: {{.*}}[fallback-tensor-method]
    a = a.to(x.scalar_type());
  if (x.scalar_type() != torch::kFloat)
    // CHECK: [[#@LINE+1]]:{{[0-9]+}}: reject: {{.*}}[fallback-tensor-method]
    a = x.to(torch::kHalf);
  if (x.scalar_type() == torch::kHalf)
    // CHECK: [[#@LINE+1]]:{{[0-9]+}}: reject: {{.*}}[fallback-tensor-method]
    a = x.to(torch::kHalf);
  if (x.scalar_type() != torch::kHalf || x.numel() > 4)
    // CHECK: [[#@LINE+1]]:{{[0-9]+}}: reject: {{.*}}[fallback-tensor-method]
    a = x.to(torch::kHalf);
  if (x.numel() != 5)
    // CHECK: [[#@LINE+1]]:{{[0-9]+}}: reject: {{.*}}[fallback-tensor-method]
    a = x.to(torch::kHalf);
  return a;
}
