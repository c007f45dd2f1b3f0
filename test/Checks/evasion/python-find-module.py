# RUN: not %cupel lint --checks=evasion-python-dynamic-code %s | FileCheck %s --implicit-check-not='[evasion-python-dynamic-code]'
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


# To ask where a module is, or which version, imports none; to load what was found does.
import importlib
import importlib.metadata
import importlib.util
from importlib.util import find_spec

if importlib.util.find_spec("ninja") is None:               # accepted: a question
    print("ninja is missing")
for package in ("nvidia.cublas", "nvidia.cuda_runtime"):
    spec = find_spec(package)                               # accepted: of known names
    if spec is not None:
        print(spec.origin, spec.submodule_search_locations) # accepted: where it is
print(importlib.metadata.version("torch"))                  # accepted: a version
importlib.invalidate_caches()                               # accepted: imports nothing

if spec is not None:
    # CHECK: [[#@LINE+1]]:14: reject: {{.*}}load_module' imports {{.*}}[evasion-python-dynamic-code]
    helper = spec.loader.load_module()
# CHECK: [[#@LINE+1]]:10: reject: 'importlib.util.module_from_spec' imports {{.*}}[evasion-python-dynamic-code]
module = importlib.util.module_from_spec(spec)
# CHECK: [[#@LINE+1]]:1: reject: {{.*}}exec_module' imports {{.*}}[evasion-python-dynamic-code]
spec.loader.exec_module(module)
# CHECK: [[#@LINE+1]]:9: reject: 'importlib.util.find_spec' imports {{.*}}[evasion-python-dynamic-code]
other = importlib.util.find_spec(input())
# CHECK: [[#@LINE+1]]:8: reject: 'importlib.util.spec_from_file_location' imports {{.*}}[evasion-python-dynamic-code]
made = importlib.util.spec_from_file_location("made", "/tmp/made.so")


class ModelNew(nn.Module):
    def forward(self, x):
        return ext.twice(x)
