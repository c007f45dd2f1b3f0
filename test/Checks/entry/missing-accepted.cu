// Each line below is another way to have an entry.
// RUN: %python %S/Inputs/each-way.py %cupel %s level1/relu %t.cu | FileCheck %s
// REQUIRES: cupel, torch, cuda-headers

// CHECK: 11 ways, none reported

#include <torch/extension.h>
#include <torch/library.h>

namespace inner {
torch::Tensor run(torch::Tensor x) { return x; }
} // namespace inner

#if 0
torch::Tensor forward(torch::Tensor x) { return x; } // accepted: by its name
at::Tensor forward(at::Tensor input) { return inner::run(input); } // accepted: by its name, in other words
extern "C" torch::Tensor forward(torch::Tensor x) { return x; } // accepted: extern "C"
static torch::Tensor forward(const torch::Tensor &x) { return x; } // accepted: static
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &inner::run); } // accepted: bound
PYBIND11_MODULE(m, m) { m.def("relu", &inner::run, "doc"); } // accepted: the only bound one
PYBIND11_MODULE(m, m) { m.def("forward", [](torch::Tensor x) { return x; }); } // accepted: a lambda
PYBIND11_MODULE(m, m) { auto f = &inner::run; m.def("forward", f); } // accepted: a variable
TORCH_LIBRARY(a, m) { m.def("forward", &inner::run); } // accepted: torch's library
TORCH_LIBRARY(b, m) { m.def("relu(Tensor x) -> Tensor"); } TORCH_LIBRARY_IMPL(b, CUDA, m) { m.impl("relu", &inner::run); } // accepted: an implementation
namespace deep { torch::Tensor forward(torch::Tensor x) { return x; } } // accepted: in a namespace
#endif
