# RUN: not %cupel lint --checks=fallback-python-inherited-forward %s | FileCheck %s --implicit-check-not='[fallback-python-inherited-forward]'
# RUN: sed 's/(Model):/(Own):/' %s > %t.py && %cupel lint --checks=fallback-python-inherited-forward %t.py | FileCheck %s --check-prefix=OWN
# REQUIRES: cupel, torch, cuda-headers
# OWN: accepted

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.cpp_extension import load_inline

SRC = """
#include <torch/extension.h>
__global__ void k(const float *x, float *y, int n) {}
torch::Tensor run(torch::Tensor x) { return x; }
"""

ext = load_inline(name="ext", cpp_sources="torch::Tensor run(torch::Tensor x);",
                  cuda_sources=SRC, functions=["run"])


class Model(nn.Module):
    def forward(self, x):
        return torch.relu(x)


class Own(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(4, 4))

    def forward(self, x):
        rows, cols = x.shape                                          # accepted: a shape
        half = cols // 2 + rows * 3                                   # accepted: arithmetic on integers
        z = torch.empty((rows, cols), device=x.device, dtype=x.dtype) # accepted: an allocation
        v = x.contiguous().view(-1).unsqueeze(0)[:, 0:half]           # accepted: views
        text = "torch.relu(x) * 2"                                    # accepted: text
        if not x.is_cuda:
            return torch.relu(x)                                      # accepted: never on the GPU
        ext.run(z)                                                    # accepted: an own kernel
        getattr(ext, "run")(v)                                        # accepted: a known name
        size = x.numel() * x.element_size()                           # accepted: numbers
        with torch.no_grad():                                         # accepted: no gradients
            ext.run(self.w)                                           # accepted: a parameter is passed
        return ext.run(x)


# CHECK: python-inherited-forward.py:[[#@LINE+1]]:{{[0-9]+}}: reject: {{.*}}[fallback-python-inherited-forward]
class ModelNew(Model):
    pass
