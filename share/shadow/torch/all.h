// See torch/extension.h.
#pragma once
#include <cupel/torch-slim.h>
