// Each line below binds several functions of which one is meant.
// RUN: %python %S/Inputs/each-way.py %cupel %s level1/relu %t.cu | FileCheck %s
// REQUIRES: cupel, torch, cuda-headers

// CHECK: 10 ways, none reported

#include <torch/extension.h>
#include <torch/library.h>

using torch::Tensor;
Tensor fast(Tensor x) { return x; }
Tensor slow(Tensor x) { return x; }
Tensor pair(Tensor x, Tensor y) { return x; }
Tensor scaled(Tensor x, double s) { return x; }
void check(Tensor x) {}
int64_t count(Tensor x) { return x.numel(); }
Tensor overloaded(Tensor x) { return x; }
Tensor overloaded(Tensor x, double s) { return x; }

#if 0
PYBIND11_MODULE(m, m) { m.def("forward", &fast); m.def("slow", &slow); } // accepted: forward is meant
PYBIND11_MODULE(m, m) { m.def("slow", &slow); m.def("forward", &fast); } // accepted: in any order
PYBIND11_MODULE(m, m) { m.def("forward", &fast); m.def("backward", &pair); } // accepted: a backward
PYBIND11_MODULE(m, m) { m.def("relu", &fast); m.def("pair", &pair); } // accepted: one fits
PYBIND11_MODULE(m, m) { m.def("relu", &fast); m.def("scaled", &scaled); } // accepted: one fits
PYBIND11_MODULE(m, m) { m.def("relu", &fast); m.def("check", &check); } // accepted: one returns a tensor
PYBIND11_MODULE(m, m) { m.def("relu", &fast); m.def("count", &count); } // accepted: one returns a tensor
PYBIND11_MODULE(m, m) { m.def("forward", py::overload_cast<Tensor>(&overloaded)); m.def("forward", py::overload_cast<Tensor, double>(&overloaded)); } // accepted: one overload fits
TORCH_LIBRARY(a, m) { m.def("forward", &fast); m.def("slow", &slow); } // accepted: forward is meant
Tensor forward(Tensor x) { return fast(x); } Tensor helper(Tensor x) { return slow(x); } // accepted: by its name
#endif
