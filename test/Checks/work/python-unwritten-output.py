# RUN: not %cupel lint --checks=work-python-unwritten-output %s | FileCheck %s --implicit-check-not='[work-python-unwritten-output]'
# REQUIRES: cupel, torch, cuda-headers

import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SRC = """
#include <torch/extension.h>
__global__ void k(float *y, int n) { if (threadIdx.x < n) y[threadIdx.x] = 1; }
torch::Tensor run(torch::Tensor x) {
  k<<<1, 32>>>(x.data_ptr<float>(), x.numel());
  return x;
}
"""

ext = load_inline(name="ext", cpp_sources="torch::Tensor run(torch::Tensor x);",
                  cuda_sources=SRC, functions=["run"])


class ModelNew(nn.Module):
    def __init__(self, size=4):
        super().__init__()
        self.calls = 0
        self.out = torch.empty(4, 4)

    def forward(self, x):
        y = torch.empty_like(x)
        if x.numel() == 0:
            return torch.empty_like(x)     # accepted: nothing to compute
        if not x.size(0):
            return x.new_empty(x.shape)    # accepted: no rows
        if x.dim() == 1:
            ext.run(y)
            return y                       # accepted: a kernel was given it
        if x.dim() == 2:
            ext.run(y[0].view(-1))
            return y                       # accepted: a kernel was given a view of it
        if x.dim() == 3:
            ext.run(x.data_ptr(), y.data_ptr())
            return y                       # accepted: a kernel was given its address
        if x.dim() == 4:
            ext.run(self.out)
            return self.out                # accepted: a buffer of the model
        if x.dim() == 5:
            return ext.run(x)              # accepted: the extension allocates
        if x.dim() == 6:
            ext.run([y, x])
            return [y]                     # accepted: in a list
        if x.dim() == 7:
            ext.Plan(y).run(x)
            return y                       # accepted: by an object of the extension
        if x.dim() == 8:
            return ext.run(x), torch.empty(0) # accepted: a placeholder
        self.calls += 1
        if self.calls > 3:
            # CHECK: python-unwritten-output.py:[[#@LINE+1]]:{{[0-9]+}}: reject: {{.*}}[work-python-unwritten-output]
            return torch.empty_like(x)
        return ext.run(x)
