# What a call of the object runs is named, and the call that works instead of a kernel.
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
        return ext.run(x)  # accepted: never called

    # CHECK: python-no-kernel-call.py:[[#@LINE+1]]:5: reject: __call__ calls no function of a CUDA extension of this file [fallback-python-no-kernel]
    def __call__(self, x):
        # CHECK: python-no-kernel-call.py:[[#@LINE+1]]:16: note: 'torch.relu' does the work
        return torch.relu(x)
