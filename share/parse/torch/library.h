// Stand-ins for torch/library.h: a TORCH_LIBRARY block compiles and registers nothing, as the
// binding block of pybind11/pybind11.h. cupel calls the functions that the block names directly.
#pragma once

#include <torch/types.h>

#define TORCH_FN(function) (function)
#define CUPEL_CONCAT_(first, second) first##second
#define CUPEL_CONCAT(first, second) CUPEL_CONCAT_(first, second)
#define CUPEL_LIBRARY_BLOCK(function, m)                                                           \
  [[maybe_unused]] static void function(::torch::Library &);                                       \
  [[maybe_unused]] static void function([[maybe_unused]] ::torch::Library &m)
#define TORCH_LIBRARY(ns, m) CUPEL_LIBRARY_BLOCK(CUPEL_CONCAT(TORCH_LIBRARY_init_, ns), m)
#define CUPEL_LIBRARY_FRAGMENT(ns, m, number)                                                      \
  CUPEL_LIBRARY_BLOCK(CUPEL_CONCAT(TORCH_LIBRARY_FRAGMENT_init_##ns##_, number), m)
#define TORCH_LIBRARY_FRAGMENT(ns, m) CUPEL_LIBRARY_FRAGMENT(ns, m, __COUNTER__)
#define CUPEL_LIBRARY_IMPL(ns, k, m, number)                                                       \
  CUPEL_LIBRARY_BLOCK(CUPEL_CONCAT(TORCH_LIBRARY_IMPL_init_##ns##_##k##_, number), m)
#define TORCH_LIBRARY_IMPL(ns, k, m) CUPEL_LIBRARY_IMPL(ns, k, m, __COUNTER__)

namespace torch {

template <typename Key, typename Function> Function &&dispatch(Key, Function &&F) {
  return std::forward<Function>(F);
}

class Library {
public:
  template <typename Schema, typename... Rest> Library &def(Schema &&, Rest &&...) & {
    return *this;
  }
  template <typename Name, typename... Rest> Library &impl(Name &&, Rest &&...) & { return *this; }
  template <typename Module> Library &set_python_module(Module &&, const char * = "") & {
    return *this;
  }
};

} // namespace torch
