// What the parse reads for torch/extension.h: all of ATen, so that every operator that a submission
// calls is known, and stand-ins for pybind11, whose binding templates are half the time of a warm
// parse. A source that needs what is not here (torch/nn.h, Python objects, ...) is parsed again with
// torch's own headers. The build has smaller ones (share/shadow); docs/frontend.md says why they
// differ.
#pragma once

#include <pybind11/pybind11.h>
#include <torch/types.h>

namespace py = pybind11;

namespace torch {
template <typename Function> Function &&wrap_pybind_function(Function &&F) {
  return std::forward<Function>(F);
}
template <typename Function> Function &&wrap_pybind_function_no_gil(Function &&F) {
  return std::forward<Function>(F);
}
} // namespace torch
