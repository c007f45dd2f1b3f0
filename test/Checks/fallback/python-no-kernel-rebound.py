# A forward that is assigned to the class is its own and not inherited.
# RUN: not %cupel lint --checks='fallback-python-no-kernel,fallback-python-inherited-forward' %s | FileCheck %s --implicit-check-not='reject:'
# REQUIRES: cupel, torch, cuda-headers

import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SRC = """
#include <torch/extension.h>
__global__ void k(const float *x, float *y, int n) {}
torch::Tensor run(torch::Tensor x) { return x; }
"""

ext = load_inline(name="ext", cpp_sources="torch::Tensor run(torch::Tensor x);",
                  cuda_sources=SRC, functions=["run"])


class ModelNew(nn.Module):
    def forward(self, x):
        return ext.run(x)  # accepted: replaced by what comes later


# CHECK: python-no-kernel-rebound.py:[[#@LINE+2]]:20: reject: forward calls no function of a CUDA extension of this file [fallback-python-no-kernel]
# CHECK: python-no-kernel-rebound.py:[[#@LINE+1]]:36: note: 'relu' does the work
ModelNew.forward = lambda self, x: x.relu()
