# Forward returns what it gave to an extension: right when the extension writes it, and nothing was done when it only
# reads it and its result is dropped. The C++ decides; what cannot be followed there is no finding.
#
# RUN: not %cupel lint --checks=work-python-returns-input,work-python-unwritten-output %s | FileCheck %s --implicit-check-not='[work-python-'
# REQUIRES: cupel, torch, cuda-headers

import torch
import torch.nn as nn
from torch.utils.cpp_extension import load, load_inline

SRC = """
#include <torch/extension.h>

__global__ void relu(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] > 0 ? x[i] : 0;
}

void launch(const torch::Tensor &x, const torch::Tensor &y) {
  relu<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
}

torch::Tensor fresh(torch::Tensor x) {
  auto y = torch::empty_like(x);
  launch(x, y);
  return y;
}

torch::Tensor in_place(torch::Tensor x) {
  launch(x, x);
  return x;
}

torch::Tensor through_view(torch::Tensor x) {
  auto flat = x.view({-1});
  launch(flat, flat);
  return x;
}

void into(torch::Tensor x, torch::Tensor y) { launch(x, y); }

static torch::Tensor kept;
void keep(torch::Tensor x) { kept = x; }
void finish() { launch(kept, kept); }

extern void elsewhere(torch::Tensor x);
void unknown(torch::Tensor x) { elsewhere(x); }

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("fresh", &fresh);
  m.def("in_place", &in_place);
  m.def("through_view", &through_view);
  m.def("into", &into);
  m.def("unknown", &unknown);
  m.def("keep", &keep);
  m.def("finish", &finish);
  m.def("either", [](torch::Tensor x) { launch(x, x); });
  m.def("either", [](torch::Tensor x, torch::Tensor y) { launch(x, y); });
}
"""

ext = load_inline(name="ext", cpp_sources="", cuda_sources=SRC)
other = load(name="other", sources=["other.cu"])


class ModelNew(nn.Module):
    def forward(self, a, b, c, d, e, f, g, h, i, j, k, l, m):
        if a.dim() == 1:
            ext.fresh(a)
            # CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: forward returns its argument unchanged [work-python-returns-input]
            return a
        if a.dim() == 2:
            y = torch.empty_like(b)
            ext.into(b, y)
            # CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: forward returns its argument unchanged [work-python-returns-input]
            return b
        if a.dim() == 3:
            c = c.contiguous()
            getattr(ext, "fresh")(*[c])
            # CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: forward returns its argument unchanged [work-python-returns-input]
            return c.view(-1)
        if a.dim() == 4:
            y = torch.empty_like(a)
            ext.into(y, torch.empty_like(a))
            # CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: forward returns a tensor that nothing has written [work-python-unwritten-output]
            return y
        if a.dim() == 5:
            ext.in_place(d)
            return d                    # accepted: written in place
        if a.dim() == 6:
            ext.through_view(e)
            return e                    # accepted: written through a view
        if a.dim() == 7:
            ext.into(a, f)
            return f                    # accepted: the second argument is written
        if a.dim() == 8:
            ext.unknown(g)
            return g                    # accepted: by code that is not here
        if a.dim() == 9:
            ext.either(h)
            return h                    # accepted: one of two functions of that name writes it
        if a.dim() == 10:
            ext.fresh(i)
            ext.in_place(i)
            return i                    # accepted: the second call writes it
        if a.dim() == 11:
            ext.fresh(x=j)
            return j                    # accepted: by name, which parameter is not followed
        if a.dim() == 12:
            y = torch.empty_like(a)
            ext.into(a, y)
            return y                    # accepted: the kernel writes it
        if a.dim() == 13:
            ext.keep(l)
            ext.finish()
            return l                    # accepted: it is kept, and written later
        if a.dim() == 14:
            for _ in range(a.size(0)):
                m = ext.fresh(m)
            return m                    # accepted: the last result
        if a.dim() == 15:
            y = torch.empty_like(a)
            other.fill(y)
            return y                    # accepted: there is no source of what is given it
        ext.fresh(k)
        ext.in_place(k.view(-1)[1:])
        return k                        # accepted: a part is written
