// torch's own without handles of NVIDIA's libraries and their headers. See torch/extension.h.
#pragma once
#include <ATen/cuda/CUDAContextLight.h>
#include <ATen/cuda/Exceptions.h>
#include <c10/cuda/CUDAStream.h>
