// pybind11's own header, with the binding block made idle: a template that nothing instantiates must
// compile but puts no reference to Python into the library, which is loaded without Python.
#pragma once
#include_next <pybind11/pybind11.h>
#undef PYBIND11_MODULE
#define CUPEL_JOIN_EXPANDED(a, b) a##b
#define CUPEL_JOIN(a, b) CUPEL_JOIN_EXPANDED(a, b)
#define PYBIND11_MODULE(name, variable, ...)                                                       \
  template <typename CupelModule>                                                                  \
  [[maybe_unused]] static void CUPEL_JOIN(cupel_idle_binding_, name)(CupelModule & variable)
