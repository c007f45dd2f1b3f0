// Fragments of matrices, emulated.
#pragma once
#include <cuda_runtime.h>
#include "cupel/emulate/Fragments.h"
