// Stands in for torch's header of Python bindings, which has all of torch/extension.h (see there).
#pragma once
#include <torch/extension.h>
