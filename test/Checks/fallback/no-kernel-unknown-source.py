# RUN: not %cupel lint --checks=fallback-no-kernel %s | FileCheck %s --implicit-check-not='[fallback-no-kernel]'
# REQUIRES: cupel, torch, cuda-headers

# What an entry does not launch may be launched by a source that only running the file gives. A
# flag that is not known adds no source.

import os

import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

BINDING = """
void scale(const float *x, float *y, int n);
torch::Tensor %s(torch::Tensor x) {
  auto y = torch::empty_like(x);
  scale(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}
"""

KERNEL = """
__global__ void scaleKernel(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = FACTOR * x[i];
}
void scale(const float *x, float *y, int n) { scaleKernel<<<(n + 255) / 256, 256>>>(x, y, n); }
"""


def factor():
    return str(1 + len(os.listdir("/proc")) % 2)


# CHECK: no-kernel-unknown-source.py:[[#@LINE+1]]:{{[0-9]+}}: warn: the entry launches no kernel {{.*}}[fallback-no-kernel]
made = load_inline(name="made", cpp_sources=BINDING % "made",
                   cuda_sources=KERNEL.replace("FACTOR", factor()), functions=["made"])

HOST = """
void scale(const float *x, float *y, int n) { for (int i = 0; i < n; ++i) y[i] = 2 * x[i]; }
torch::Tensor flagged(torch::Tensor x) {
  auto y = torch::empty_like(x);
  scale(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}
"""

# CHECK: no-kernel-unknown-source.py:[[#@LINE-7]]:{{[0-9]+}}: reject: the entry launches no kernel {{.*}}[fallback-no-kernel]
flagged = load_inline(name="flagged", cpp_sources="", cuda_sources=HOST, functions=["flagged"],
                      extra_cuda_cflags=[os.environ.get("EXTRA", "-O3")])


class ModelNew(nn.Module):
    def forward(self, x):
        return flagged.flagged(made.made(x))
