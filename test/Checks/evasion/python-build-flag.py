# RUN: not %cupel lint --checks=evasion-python-build-flag,fallback-aten-call %s | FileCheck %s --implicit-check-not=": {{error|warn|reject}}: "
# REQUIRES: cupel, torch, cuda-headers
#
# Macros of flags are part of the source: TILE is declared by none but a flag, and what RESULT stands
# for is judged.

import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

SRC = """
#include <torch/extension.h>
#ifndef RESULT
#define RESULT y
#endif
__global__ void scale(const float *x, float *y, int n) {
  int i = blockIdx.x * TILE + threadIdx.x;
  if (i < n)
    y[i] = x[i] * WEIGHT(3);
}
// CHECK: python-build-flag.py:[[#@LINE+4]]:10: reject: 'at::relu' {{.*}}[fallback-aten-call]
torch::Tensor run(torch::Tensor x) {
  auto y = torch::empty_like(x);
  scale<<<(x.numel() + TILE - 1) / TILE, TILE>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return RESULT;
}
"""
DECL = "torch::Tensor run(torch::Tensor x);"
TILE = 256

honest = load_inline(
    name="honest", cpp_sources=DECL, cuda_sources=SRC, functions=["run"],
    extra_cflags=["-O2", "-fopenmp"],                      # accepted: code generation
    extra_cuda_cflags=["-O3",
                       "--use_fast_math",                  # accepted: arithmetic
                       "-std=c++17",                       # accepted: the language
                       f"-DTILE={TILE}",                   # accepted: a macro
                       "-D", "'WEIGHT(n)=n'",              # accepted: a macro with a parameter
                       "-U__CUDA_NO_HALF_OPERATORS__",     # accepted: a macro less
                       "-Xcompiler", "-fPIC",              # accepted: the host compiler's
                       "-gencode", "arch=compute_90,code=sm_90",  # accepted: the architecture
                       "--ptxas-options=-v"],              # accepted: the assembler's
    extra_ldflags=["-lcuda", "-lcudart",                   # accepted: CUDA's own libraries
                   "-Wl,-rpath,/usr/local/cuda/lib64"])    # accepted: where they are found

# CHECK: python-build-flag.py:[[#@LINE+4]]:{{[0-9]+}}: reject: '-include' adds code that is not in this file [evasion-python-build-flag]
# CHECK: python-build-flag.py:[[#@LINE+4]]:{{[0-9]+}}: reject: 'build/more.so' is not built from this file [evasion-python-build-flag]
more = load_inline(
    name="more", cpp_sources=DECL, cuda_sources=SRC, functions=["run"],
    extra_cuda_cflags=["-DTILE=128 '-DWEIGHT(n)=n'", "-include", "more.h"],
    extra_ldflags=["-lcudart", "build/more.so"])

hidden = load_inline(
    name="hidden", cpp_sources=DECL, cuda_sources=SRC, functions=["run"],
    extra_cuda_cflags=["-DTILE=64", "-DWEIGHT(n)=n", "-DRESULT=at::relu(x)"])


class ModelNew(nn.Module):
    def forward(self, x):
        return hidden.run(more.run(honest.run(x)))
