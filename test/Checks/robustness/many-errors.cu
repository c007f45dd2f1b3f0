// The parse breaks off at the limit of errors, with the tree unfinished. Checks that ask for more of
// the headers then must not write into what the parser left behind (use after free).
// RUN: %python -c "import sys; t = open(sys.argv[1]).read(); open(sys.argv[2], 'w').write(t.replace('@@', 'undeclared, ' * 300))" %s %t.cu
// RUN: not %cupel lint %t.cu > %t 2>&1
// RUN: FileCheck %s --implicit-check-not=crash < %t
// REQUIRES: cupel, torch, cuda-headers

#include <torch/extension.h>

__global__ void identity(const float *in, float *out, int64_t n) {
  int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i];
}

torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  auto probs = at::softmax(x, 1);
  f(@@);
  identity<<<1, 256>>>(probs.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}

// CHECK: error: use of undeclared identifier 'undeclared'
// CHECK: many-errors.cu{{.*}}: rejected:
