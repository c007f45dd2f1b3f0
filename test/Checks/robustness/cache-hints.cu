// Loads and stores with a cache hint, which nvcc knows for all these types.
// RUN: %cupel lint %s | FileCheck %s
// REQUIRES: cupel, torch, cuda-headers
// CHECK: accepted

#include <torch/extension.h>

template <typename T> __device__ void each(const T *x, T *y) {
  __stcg(y, __ldca(x));
  __stcs(y + 1, __ldlu(x));
  __stwb(y + 2, __ldcg(x));
  __stwt(y + 3, __ldcs(x));
}
__global__ void hints(const float *x, float *y, unsigned long long *u, const unsigned long *l) {
  each(x, y);
  each(u, u);
  each(l, (unsigned long *)u);
  each((const float4 *)x, (float4 *)y);
  each((const uint2 *)x, (uint2 *)y);
  each((const double2 *)x, (double2 *)y);
  each((const signed char *)x, (signed char *)y);
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  hints<<<1, 1>>>(x.data_ptr<float>(), y.data_ptr<float>(),
                  reinterpret_cast<unsigned long long *>(y.data_ptr<float>()),
                  reinterpret_cast<unsigned long *>(x.data_ptr<float>()));
  return y;
}
