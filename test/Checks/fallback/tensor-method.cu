// RUN: not %cupel lint --checks=fallback-tensor-method %s | FileCheck %s --implicit-check-not='[fallback-tensor-method]'
// REQUIRES: cupel, torch, cuda-headers

#include <torch/extension.h>
#include <functional>

at::Tensor direct(at::Tensor x) {
  // CHECK: tensor-method.cu:[[#@LINE+1]]:{{[0-9]+}}: reject: 'at::Tensor::sum' leaves the work to torch [fallback-tensor-method]
  return x.sum(1);
}

at::Tensor onSeveralLines(at::Tensor x) {
  return x
      .contiguous()
      // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'at::Tensor::softmax' leaves{{.*}}[fallback-tensor-method]
      .softmax(-1);
}

void inPlace(at::Tensor x) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'at::Tensor::clamp_min_' leaves{{.*}}[fallback-tensor-method]
  x.clamp_min_(0);
}

using Fold = at::Tensor (at::Tensor::*)(at::OptionalIntArrayRef, bool,
                                        std::optional<at::ScalarType>) const;
at::Tensor memberPointer(at::Tensor x) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'at::Tensor::sum' is named here to be called, and leaves the work to torch{{.*}}[fallback-tensor-method]
  Fold fold = &at::Tensor::sum;
  return (x.*fold)({}, false, {});
}

at::Tensor genericLambda(at::Tensor x) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'at::Tensor::exp' leaves{{.*}}[fallback-tensor-method]
  std::function<at::Tensor(at::Tensor)> f = [](auto t) { return t.exp(); };
  return f(x);
}

template <typename T> T inTemplate(T x) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'at::Tensor::relu' leaves{{.*}}[fallback-tensor-method]
  return x.relu();
}
at::Tensor instantiates(at::Tensor x) { return inTemplate(x); }

#define CALL(object, name) (object).name()
at::Tensor macro(at::Tensor x) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: reject: 'at::Tensor::tanh' leaves{{.*}}[fallback-tensor-method]
  // CHECK: note: expanded from macro 'CALL'
  return CALL(x, tanh);
}

at::Tensor byPointer(const at::Tensor *x) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'at::Tensor::mm' leaves{{.*}}[fallback-tensor-method]
  return x->mm(*x);
}

struct Derived : at::Tensor {};
at::Tensor inherited(const Derived &x) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'at::Tensor::abs' leaves{{.*}}[fallback-tensor-method]
  return x.abs();
}

at::Tensor conversion(at::Tensor x) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'at::Tensor::to' leaves{{.*}}[fallback-tensor-method]
  return x.to(torch::kHalf);
}

at::Tensor conversionByOptions(at::Tensor x) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'at::Tensor::to' leaves{{.*}}[fallback-tensor-method]
  return x.to(x.options().dtype(torch::kDouble));
}

bool readsData(at::Tensor x) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'at::Tensor::is_nonzero' leaves{{.*}}[fallback-tensor-method]
  return x.is_nonzero();
}

// Look-alikes. None of them may be reported.
struct Vec {
  float v[4];
  float sum() const { return v[0] + v[1]; }
  Vec &add_(float) { return *this; }
  Vec exp() const { return *this; }
  Vec to(int) const { return *this; }
};
namespace other {
struct Tensor {
  Tensor relu() const { return *this; }
};
} // namespace other
template <typename T> T neverInstantiated(T x) { return x.relu(); } // accepted: no instance

at::Tensor accepted(at::Tensor x, Vec v) {
  v.sum();                                  // accepted: an own type's method
  v.add_(1).exp();                          // accepted: an own type's methods
  v.to(1);                                  // accepted: an own type's `to`
  other::Tensor().relu();                   // accepted: another class of that name
  inTemplate(other::Tensor());              // accepted: the template's instance for an own type
  x.contiguous();                           // accepted: layout
  x.view({-1});                             // accepted: a view
  x.t().unsqueeze(0).permute({2, 1, 0});    // accepted: views
  x.size(0) + x.numel() + x.dim();          // accepted: metadata
  x.data_ptr<float>();                      // accepted: the data's address
  x.options().dtype(torch::kHalf);          // accepted: options, not the tensor
  x.packed_accessor32<float, 2>();          // accepted: element access in a kernel
  x.is_cuda() && x.is_contiguous();         // accepted: questions
  using Result = decltype(x.sum());         // accepted: not evaluated
  x.to(torch::kCUDA);                       // accepted: moves data, another check's warning
  x.sizes().vec();                          // accepted: a method of another class
  return x;
}
// CHECK: rejected: 12 rejects
