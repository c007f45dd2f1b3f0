# RUN: not %cupel lint --checks=work-python-global-precision %s | FileCheck %s --implicit-check-not='[work-python-global-precision]'
# REQUIRES: cupel, torch, cuda-headers

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



# A setting gets back what it had, or what torch starts with.
def exactly(x):
    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("highest")    # accepted: torch's own
    try:
        return ext.twice(x)
    finally:
        torch.set_float32_matmul_precision(before)   # accepted: as it was


def without_tf32(x):
    before = torch.backends.cuda.matmul.allow_tf32
    torch.backends.cuda.matmul.allow_tf32 = False    # accepted: torch's own
    y = ext.twice(x)
    torch.backends.cuda.matmul.allow_tf32 = before   # accepted: as it was
    return y


def coarsely(x):
    before = torch.get_float32_matmul_precision()
    # CHECK: [[#@LINE+1]]:5: reject: 'torch.set_float32_matmul_precision' {{.*}}[work-python-global-precision]
    torch.set_float32_matmul_precision("high" if before else "medium")
    # CHECK: [[#@LINE+1]]:5: reject: 'torch.backends.cuda.matmul.allow_tf32' {{.*}}[work-python-global-precision]
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32
    # CHECK: [[#@LINE+1]]:5: reject: 'torch.backends.cuda.matmul.allow_tf32' {{.*}}[work-python-global-precision]
    torch.backends.cuda.matmul.allow_tf32 = not torch.backends.cuda.matmul.allow_tf32
    return ext.twice(x)


class ModelNew(nn.Module):
    def forward(self, x):
        return coarsely(without_tf32(exactly(x)))
