// Stands in for torch/extension.h where nvcc compiles a submission. Torch's own header costs nvcc a
// minute, for the autograd, neural network, compiler and Python parts that kernels do not use. What
// this set lacks is a compile error, and then the build tries torch's own headers: whatever compiles
// here must mean the same there.
#pragma once
#include <cupel/torch-slim.h>
#include <pybind11/pybind11.h>
