# RUN: not %cupel lint --checks=process-python-native %s | FileCheck %s --implicit-check-not='[process-python-native]'
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


# Types of numbers are no way to native code; an address that they are put at is.
import ctypes


class Header(ctypes.Structure):
    _fields_ = [("size", ctypes.c_int), ("rows", ctypes.c_int64)]


def look(address):
    # CHECK: [[#@LINE+1]]:5: reject: 'ctypes.c_float.from_address' reaches {{.*}}[process-python-native]
    ctypes.c_float.from_address(address)
    # CHECK: [[#@LINE+1]]:5: reject: 'ctypes.from_address' reaches {{.*}}[process-python-native]
    type(ctypes.c_int(0)).from_address(address)
    # CHECK: [[#@LINE+1]]:5: reject: 'ctypes.from_address' reaches {{.*}}[process-python-native]
    (ctypes.c_char * 64).from_address(address)
    # CHECK: [[#@LINE+1]]:5: reject: 'ctypes.from_address' reaches {{.*}}[process-python-native]
    Header.from_address(address)
    # CHECK: [[#@LINE+1]]:5: reject: 'ctypes.c_char_p' reaches {{.*}}[process-python-native]
    ctypes.c_char_p(address)
    # CHECK: [[#@LINE+1]]:5: reject: 'ctypes.CDLL' reaches {{.*}}[process-python-native]
    ctypes.CDLL("libcudart.so")


class ModelNew(nn.Module):
    def forward(self, x):
        bits = ctypes.c_uint32(x.numel())             # accepted: a number of so many bits
        wrapped = ctypes.c_int(bits.value << 3).value # accepted
        pointer = ctypes.c_void_p(x.data_ptr())       # accepted: a number
        size = ctypes.sizeof(ctypes.c_float)          # accepted
        if wrapped < 0 or size != 4 or not pointer.value:
            look(x.data_ptr())
        return ext.twice(x)
