// What only looks as if it could not be reached, and the way to it.
//
// RUN: not %cupel lint --checks=fallback-aten-call %s | FileCheck %s --implicit-check-not='[fallback-aten-call]'
// REQUIRES: cupel, torch, cuda-headers

#include <torch/extension.h>

// CHECK: aten-call-reached.cu:[[#@LINE+2]]:{{[0-9]+}}: reject: 'at::rand' leaves the work to torch{{.*}}[fallback-aten-call]
// CHECK: aten-call-reached.cu:[[#@LINE+1]]:{{[0-9]+}}: note: the initialiser of 'loaded' runs when the library is loaded
static at::Tensor loaded = at::rand({4});

// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'at::randn' leaves{{.*}}[fallback-aten-call]
__attribute__((constructor)) static void atLoad() { loaded = at::randn({4}); }

static at::Tensor deepest(at::Tensor x) {
  // CHECK: :[[#@LINE+4]]:{{[0-9]+}}: reject: 'at::relu' leaves{{.*}}[fallback-aten-call]
  // CHECK: :[[#@LINE+5]]:{{[0-9]+}}: note: 'deepest' is called here
  // CHECK: note: 'middle' is named here
  // CHECK: note: 'forward' is the entry
  return at::relu(x);
}
static at::Tensor middle(at::Tensor x) { return deepest(x); }

struct Base {
  virtual at::Tensor run(at::Tensor x) = 0;
  virtual ~Base() = default;
};
struct Derived : Base {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'at::exp' leaves{{.*}}[fallback-aten-call]
  at::Tensor run(at::Tensor x) override { return at::exp(x); }
};

at::Tensor forward(at::Tensor x, at::Tensor changed) {
  at::Tensor (*pointer)(at::Tensor) = middle;
  Derived derived;
  Base &base = derived;
  at::Tensor own = at::empty({1});
  // A tensor of the function's own making proves nothing about where the entry's tensors are.
  if (!own.is_cuda())
    // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'at::sin' leaves{{.*}}[fallback-aten-call]
    return at::sin(x);
  changed = own;
  if (!changed.is_cuda())
    // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'at::cos' leaves{{.*}}[fallback-aten-call]
    return at::cos(x);
  if (false) {
  label:
    // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'at::tan' leaves{{.*}}[fallback-aten-call]
    return at::tan(x);
  }
  if (x.dim() == 3)
    goto label;
  try {
    pointer(x);
  } catch (...) {
    // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'at::log' leaves{{.*}}[fallback-aten-call]
    return at::log(x);
  }
  return base.run(x);
}
// CHECK: rejected: 8 rejects
