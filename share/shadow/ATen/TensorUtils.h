// Included by each of torch's function headers, which use nothing of it. See torch/extension.h.
#pragma once
#include <c10/macros/Macros.h>
