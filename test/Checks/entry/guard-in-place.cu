// Tensors share what resize_ and its kin change.
// RUN: %cupel lint --checks=entry-guard --problem %S/../Inputs/rows.toml %s | FileCheck %s --implicit-check-not='[entry-guard]'
// REQUIRES: cupel, torch, cuda-headers

// CHECK: accepted: no findings

#include <torch/extension.h>

torch::Tensor forward(torch::Tensor x, torch::Tensor index, double scale, int64_t count) {
  auto alias = x;
  alias.unsqueeze_(0);
  TORCH_CHECK(x.dim() == 3, "unsqueezed"); // accepted: by the alias
  return x;
}
