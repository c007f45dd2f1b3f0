// What is precompiled for most submissions.
#pragma once
#include "prefix-cuda.h"

#include <pybind11/functional.h>
#include <pybind11/stl.h>
#include <torch/extension.h>
#include <torch/library.h>
#include <torch/torch.h>

#include "prefix-torch.h"
