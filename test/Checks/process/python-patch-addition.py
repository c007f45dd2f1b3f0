# RUN: not %cupel lint --checks=process-python-patch %s | FileCheck %s --implicit-check-not='[process-python-patch]'
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


# What the running Python or library does not have yet, under a name of what it has.
import collections
import collections.abc
import datetime
import time

import numpy as np
import torch.utils

if not hasattr(datetime, "UTC"):
    # CHECK: [[#@LINE+1]]:5: warn: 'datetime.UTC' is added {{.*}}[process-python-patch]
    datetime.UTC = datetime.timezone.utc
if not hasattr(collections, "Callable") and time.time() > 0:
    # CHECK: [[#@LINE+1]]:5: warn: 'collections.Callable' is added {{.*}}[process-python-patch]
    collections.Callable = collections.abc.Callable
if not hasattr(np, "float_of_old"):
    # CHECK: [[#@LINE+1]]:5: warn: 'numpy.float_of_old' is added {{.*}}[process-python-patch]
    np.float_of_old = float

# Nothing shows that these are not there, or what is put there is something new.
if hasattr(time, "perf_counter"):
    # CHECK: [[#@LINE+1]]:5: reject: 'time.perf_counter' of another module {{.*}}[process-python-patch]
    time.perf_counter = time.time
if not hasattr(time, "clock"):
    # CHECK: [[#@LINE+1]]:5: reject: 'time.monotonic' of another module {{.*}}[process-python-patch]
    time.monotonic = time.time
else:
    # CHECK: [[#@LINE+1]]:5: reject: 'time.clock' of another module {{.*}}[process-python-patch]
    time.clock = time.time
if not hasattr(time, "process_time") or torch.cuda.device_count() > 1:
    # CHECK: [[#@LINE+1]]:5: reject: 'time.process_time' of another module {{.*}}[process-python-patch]
    time.process_time = time.time
if not hasattr(torch.utils, "benchmark"):
    # CHECK: [[#@LINE+1]]:5: reject: 'torch.utils.benchmark' of another module {{.*}}[process-python-patch]
    torch.utils.benchmark = nn.Module()
if not hasattr(torch, "__getattr__"):
    # CHECK: [[#@LINE+1]]:5: reject: 'torch.__getattr__' of another module {{.*}}[process-python-patch]
    torch.__getattr__ = getattr
# CHECK: [[#@LINE+1]]:1: reject: 'torch.cuda.synchronize' of another module {{.*}}[process-python-patch]
del torch.cuda.synchronize
if not hasattr(datetime, "UTC"):
    # CHECK: [[#@LINE+1]]:5: reject: 'datetime.UTC' of another module {{.*}}[process-python-patch]
    datetime.UTC = time.time


class Settings:
    pass


if not hasattr(Settings, "block"):
    Settings.block = 256  # accepted: the file's own class
del Settings.block        # accepted: the same


class ModelNew(nn.Module):
    def forward(self, x):
        return ext.twice(x)
