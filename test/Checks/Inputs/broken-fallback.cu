#include <torch/extension.h>
torch::Tensor forward(torch::Tensor x) {
  auto y = at::relu(undeclared);
  return x.sum(1, missing);
}
