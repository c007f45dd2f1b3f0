# Forward calls a function that is bound by Python's own interface, beside one that pybind11 binds.
# RUN: %cupel lint --checks=fallback-no-kernel %s | FileCheck %s
# REQUIRES: cupel, torch, cuda-headers
# CHECK: accepted

import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SRC = """
#include <torch/extension.h>
__global__ void k(const float *x, float *y, int n) { y[threadIdx.x] = x[threadIdx.x]; }
int64_t blocks(int64_t n) { return (n + 255) / 256; }
torch::Tensor run(torch::Tensor x) {
  auto y = torch::empty_like(x);
  k<<<1, 32>>>(x.data_ptr<float>(), y.data_ptr<float>(), 32);
  return y;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("blocks", &blocks);
  m.def("run", &run);
  m.attr("fast_run") = m.attr("run");
}
"""

ext = load_inline(name="ext", cpp_sources="", cuda_sources=SRC)


class ModelNew(nn.Module):
    def forward(self, x):
        assert ext.blocks(x.numel()) > 0
        return ext.fast_run(x)
