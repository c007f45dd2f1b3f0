# RUN: not %cupel lint --checks=fallback-python-* %s | FileCheck %s --implicit-check-not='[fallback-'
# REQUIRES: cupel, torch, cuda-headers

# A setting of torch may be anything: both sides of a test of it can run.

import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SRC = """
#include <torch/extension.h>
__global__ void twiceKernel(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2.0f * x[i];
}
torch::Tensor twice(torch::Tensor x) {
  auto y = torch::empty_like(x);
  twiceKernel<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(),
                                                x.numel());
  return y;
}
"""

ext = load_inline(name="ext", cpp_sources="torch::Tensor twice(torch::Tensor x);",
                  cuda_sources=SRC, functions=["twice"])


class ModelNew(nn.Module):
    def forward(self, x):
        if torch.version.hip:                      # accepted: the kernel may follow
            raise RuntimeError("this is for CUDA")
        if not torch.backends.cuda.matmul.allow_tf32:
            return ext.twice(x)
        # CHECK: [[#@LINE+1]]:16: reject: forward leaves work to 'torch.add' [fallback-python-torch-call]
        return torch.add(x, x)
