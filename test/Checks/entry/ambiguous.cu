// RUN: not %cupel lint --checks='entry-*' --problem level1/relu %s | FileCheck %s
// RUN: %cupel lint --checks='entry-*' %s | FileCheck %s --check-prefix=ALONE
// REQUIRES: cupel, torch, cuda-headers

#include <torch/extension.h>

// CHECK: ambiguous.cu:[[#@LINE+1]]:15: reject: several functions could be the entry (fast, slow): bind one as 'forward', or name it in the problem's [entry] [entry-ambiguous]
torch::Tensor fast(torch::Tensor x) { return x; }
// CHECK: ambiguous.cu:[[#@LINE+1]]:15: note: bound as 'slow'
torch::Tensor slow(torch::Tensor x) { return x; }

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("fast", &fast);
  m.def("slow", &slow);
}
// CHECK: rejected: 1 reject
// ALONE: accepted: no findings
