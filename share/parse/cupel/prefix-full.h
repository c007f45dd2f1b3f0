// What is precompiled for a submission that needs all of torch.
#pragma once
#include "prefix-cuda.h"

#include <torch/extension.h>

#include "prefix-torch.h"
