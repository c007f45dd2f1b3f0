#include <torch/extension.h>
#include <cublas_v2.h>
void forward(torch::Tensor x) {
  cublasSgemm(nullptr, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, nullptr, nullptr, 1, nullptr, 1, nullptr, nullptr, 1);
  at::bmm(x, x);
  at::mm(x, x);
}
