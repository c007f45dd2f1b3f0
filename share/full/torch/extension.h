// Torch's own torch/extension.h for the build with full headers, with the binding block made idle.
#pragma once
#include_next <torch/extension.h>
#include <pybind11/pybind11.h>
