# A kernel that one bound function puts into a graph and another one launches.
# RUN: %cupel lint --checks=fallback-no-kernel %s | FileCheck %s
# RUN: sed 's/ext.make_plan(4)/4/' %s > %t.decoy.py && not %cupel lint --checks=fallback-no-kernel %t.decoy.py | FileCheck %s --check-prefix=DECOY
# RUN: sed 's/cudaGraphLaunch(exec, nullptr);//' %s > %t.idle.py && not %cupel lint --checks=fallback-no-kernel %t.idle.py | FileCheck %s --check-prefix=DECOY
# REQUIRES: cupel, torch, cuda-headers
# CHECK: accepted
# DECOY: reject: the entry launches no kernel of this submission [fallback-no-kernel]

import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SRC = """
#include <torch/extension.h>
__global__ void k(const float *x, float *y, int n) { y[threadIdx.x] = x[threadIdx.x]; }
static cudaGraphExec_t exec;
static cudaGraphNode_t node;
int64_t make_plan(int64_t n) {
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaKernelNodeParams p = {};
  p.func = (void *)k;
  cudaGraphAddKernelNode(&node, graph, nullptr, 0, &p);
  cudaGraphInstantiate(&exec, graph, 0);
  return n;
}
torch::Tensor run(torch::Tensor x) {
  auto y = torch::empty_like(x);
  cudaGraphLaunch(exec, nullptr);
  return y;
}
"""

ext = load_inline(name="ext", cpp_sources="int64_t make_plan(int64_t n); torch::Tensor run(torch::Tensor x);",
                  cuda_sources=SRC, functions=["run", "make_plan"])


class ModelNew(nn.Module):
    def __init__(self, size=4):
        super().__init__()
        self.plan = ext.make_plan(4)

    def forward(self, x):
        return ext.run(x)
