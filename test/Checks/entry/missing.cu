// RUN: sed 's/@@//' %s > %t.cu
// RUN: not %cupel lint --checks='entry-*' --problem level1/relu %t.cu | FileCheck %s --check-prefix=CHECK-MISSING
// RUN: %cupel lint --checks='entry-*' %t.cu | FileCheck %s --check-prefix=ALONE
// RUN: sed 's/@@/PYBIND11_MODULE(m, m) { m.def("relu_", \&inner::run); }/' %s > %t.cu
// RUN: sed 's/^name = "ReLU"/name = "Named"/; s/^\[tolerance\]//' %S/../Inputs/rows.toml > %t.toml
// RUN: %python -c "print('\n[entry]\nname = \"relu\"')" >> %t.toml
// RUN: not %cupel lint --checks='entry-*' --problem %t.toml %t.cu | FileCheck %s --check-prefix=NAMED
// RUN: sed 's/@@/PYBIND11_MODULE(m, m) { m.def("relu", \&inner::ran); }/' %s > %t.cu
// RUN: not %cupel lint --checks='entry-*' --problem level1/relu %t.cu | FileCheck %s --check-prefix=BROKEN --implicit-check-not=reject:
// REQUIRES: cupel, torch, cuda-headers

// CHECK-MISSING: missing.cu.tmp.cu:1:1: reject: no entry: bind a host function that takes and returns tensors with PYBIND11_MODULE, or call it 'forward' [entry-missing]
// CHECK-MISSING: rejected: 1 reject
// ALONE: missing.cu.tmp.cu:1:1: note: no function is bound, so every function counts as called [entry-missing]
// ALONE: accepted: 1 note
// NAMED: reject: no entry is called 'relu'; did you mean 'relu_'?; bound: relu_ [entry-missing]
// NAMED: note: bound as 'relu_'
// BROKEN: error: no member named 'ran' in namespace 'inner'
// BROKEN: could not judge

#include <torch/extension.h>

namespace inner {
torch::Tensor run(torch::Tensor x) { return x; }
torch::Tensor walk(torch::Tensor x) { return x; }
} // namespace inner

@@
