#include <torch/extension.h>

// Its kernel is in a header that is not there.

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  missing_kernel<<<1, 256>>>(x.data_ptr<float>(), y.data_ptr<float>());
  return y;
}
