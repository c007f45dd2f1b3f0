// See extension.h beside this file.
#pragma once
#include <torch/types.h>
