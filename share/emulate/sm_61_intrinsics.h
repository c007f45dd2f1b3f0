// Its functions are the emulation's.
#pragma once
#include <cuda_runtime.h>
