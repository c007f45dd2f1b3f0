// CUB, emulated; all parts are in one header.
#pragma once
#include <cuda/functional>
#include <cuda_runtime.h>
#include "cupel/emulate/Cub.h"
