// RUN: not %cupel lint --checks=fallback-tensor-operator %s | FileCheck %s --implicit-check-not='[fallback-tensor-operator]'
// REQUIRES: cupel, torch, cuda-headers

#include <torch/extension.h>
#include <array>
#include <functional>
#include <numeric>

using torch::indexing::Slice;

at::Tensor affine(at::Tensor x, at::Tensor w, at::Tensor b) {
  // CHECK: tensor-operator.cu:[[#@LINE+2]]:{{[0-9]+}}: reject: 'at::operator*' leaves the work to torch [fallback-tensor-operator]
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'at::operator+' leaves{{.*}}[fallback-tensor-operator]
  return x * w + b;
}

void compound(at::Tensor x, at::Tensor b) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'at::Tensor::operator+=' leaves{{.*}}[fallback-tensor-operator]
  x += b;
}

at::Tensor withScalar(at::Tensor x, float n) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'at::operator/' leaves{{.*}}[fallback-tensor-operator]
  return x / n;
}

at::Tensor unary(at::Tensor x) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'at::Tensor::operator-' leaves{{.*}}[fallback-tensor-operator]
  return -x;
}

at::Tensor comparison(at::Tensor x) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'at::operator>' leaves{{.*}}[fallback-tensor-operator]
  return x > 0;
}

at::Tensor subscript(at::Tensor x) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'at::Tensor::operator[]' leaves{{.*}}[fallback-tensor-operator]
  return x[0];
}

at::Tensor maskedSubscript(at::Tensor x, at::Tensor mask) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'at::Tensor::operator[]' leaves{{.*}}[fallback-tensor-operator]
  return x[mask];
}

float *pointerOfMasked(at::Tensor x, at::Tensor mask) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'at::Tensor::operator[]' leaves{{.*}}[fallback-tensor-operator]
  return x[mask].data_ptr<float>();
}

void storeInElement(at::Tensor x, at::Tensor y) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'at::Tensor::operator[]' leaves{{.*}}[fallback-tensor-operator]
  x[0] = y;
}

float *pointersOfElements(at::Tensor x, int n) { // accepted: views by a number
  at::Tensor first = x[0];
  const auto last = x[n - 1];
  if (last.numel() != x[n].size(0))
    return x[n].data_ptr<float>();
  return first.data_ptr<float>();
}

at::Tensor index(at::Tensor x, at::Tensor mask) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'at::Tensor::index' leaves{{.*}}[fallback-tensor-operator]
  return x.index({mask});
}

void indexPut(at::Tensor x, at::Tensor mask) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'at::Tensor::index_put_' leaves{{.*}}[fallback-tensor-operator]
  x.index_put_({mask, Slice()}, 1);
}

at::Tensor byName(at::Tensor x) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'at::Tensor::operator+=' leaves{{.*}}[fallback-tensor-operator]
  return x.operator+=(x);
}

at::Tensor algorithm(const std::vector<at::Tensor> &parts) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'at::operator+' leaves{{.*}}[fallback-tensor-operator]
  return std::accumulate(parts.begin(), parts.end(), parts.front());
}

at::Tensor functionObject(at::Tensor x) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'at::operator*' leaves{{.*}}[fallback-tensor-operator]
  return std::multiplies<at::Tensor>()(x, x);
}

template <typename T> T generic(T a, T b) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'at::operator-' leaves{{.*}}[fallback-tensor-operator]
  return a - b;
}
at::Tensor instantiates(at::Tensor x) { return generic(x, x); }

// Look-alikes. None of them may be reported.
struct Complex {
  float re, im;
  Complex operator*(Complex o) const { return {re * o.re, im * o.im}; }
  Complex &operator+=(Complex o) { re += o.re; return *this; }
  float operator[](int i) const { return i ? im : re; }
};
Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
__global__ void halves(const c10::Half *x, c10::Half *y) { y[0] = x[0] * x[1] + x[2]; } // accepted: c10::Half on the GPU

at::Tensor accepted(at::Tensor x, std::vector<at::Tensor> list, Complex c) {
  float mean = 1, sum = 2, var = mean * sum + mean / sum; // accepted: scalars of known names
  c = c * c + c;                                          // accepted: an own type
  c += c;                                                 // accepted: an own type
  c[0];                                                   // accepted: an own type
  list[0];                                                // accepted: indexing a container
  x.sizes()[0] * x.stride(0);                             // accepted: indexing sizes
  std::array<int, 2> a{1, 2};
  a[0] + a[1];                                            // accepted: indexing an array
  x.accessor<float, 2>()[0];                              // accepted: element access on the host
  at::Tensor y = x;                                       // accepted: another handle
  y = x;                                                  // accepted: rebinds the handle
  c10::Half h = c10::Half(var) * c10::Half(2);            // accepted: scalar arithmetic of c10
  x.scalar_type() == torch::kFloat;                       // accepted: comparing metadata
  x.device() != torch::Device(torch::kCPU);               // accepted: comparing metadata
  generic(3, 4);                                          // accepted: the instance for int
  using Sum = decltype(x + x);                            // accepted: not evaluated
  std::accumulate(a.begin(), a.end(), 0);                 // accepted: an algorithm over numbers
  return y;
}
// CHECK: rejected: 16 rejects
