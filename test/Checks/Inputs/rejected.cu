#include <torch/extension.h>
static torch::Tensor helper(torch::Tensor x) { return at::relu(x); }
torch::Tensor forward(torch::Tensor x) { return helper(x); }
