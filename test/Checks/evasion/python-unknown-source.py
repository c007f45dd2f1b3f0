# RUN: %cupel lint --checks=evasion-python-unknown-source %s | FileCheck %s --implicit-check-not='[evasion-python-unknown-source]'
# REQUIRES: cupel, torch, cuda-headers

import string
import tempfile
from pathlib import Path

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.cpp_extension import load, load_inline

SRC = """
#include <torch/extension.h>
__global__ void k(const float *x, float *y, int n) {}
torch::Tensor run(torch::Tensor x) { return x; }
"""

ext = load_inline(name="ext", cpp_sources="torch::Tensor run(torch::Tensor x);",
                  cuda_sources=SRC, functions=["run"])

TEMPLATE = SRC.replace("k(", "$name(").replace("run", "%(function)s")
path = Path(tempfile.mkdtemp()) / "written.cu"
path.write_text(string.Template(TEMPLATE).substitute(name="l") % {"function": "go"})
written = load(name="written", sources=[str(path)])                  # accepted: the text is known
# CHECK: python-unknown-source.py:[[#@LINE+1]]:{{[0-9]+}}: warn: {{.*}}[evasion-python-unknown-source]
other = load_inline(name='b', cpp_sources='', cuda_sources=open('k.cu').read(), functions=['run'])
class ModelNew(nn.Module):
    def __init__(self, size=4):
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
