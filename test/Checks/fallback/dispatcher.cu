// RUN: not %cupel lint --checks=fallback-dispatcher %s | FileCheck %s --implicit-check-not='[fallback-dispatcher]'
// REQUIRES: cupel, torch, cuda-headers

#include <torch/extension.h>
#include <torch/library.h>
#include <ATen/core/dispatch/Dispatcher.h>

at::Tensor lookup(at::Tensor a) {
  // CHECK: dispatcher.cu:[[#@LINE+1]]:{{[0-9]+}}: reject: 'c10::Dispatcher::singleton' leaves the work to torch [fallback-dispatcher]
  static auto op = c10::Dispatcher::singleton()
                       // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'c10::Dispatcher::findSchemaOrThrow' leaves{{.*}}[fallback-dispatcher]
                       .findSchemaOrThrow("aten::relu", "")
                       // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'c10::OperatorHandle::typed' leaves{{.*}}[fallback-dispatcher]
                       .typed<at::Tensor(const at::Tensor &)>();
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'c10::TypedOperatorHandle::call' leaves{{.*}}[fallback-dispatcher]
  return op.call(a);
}

// Look-alikes. None of them may be reported.
namespace own {
struct Dispatcher {
  static Dispatcher &singleton() {
    static Dispatcher d;
    return d;
  }
  int findSchemaOrThrow(const char *, const char *) { return 0; }
  int call() { return 0; }
};
int getOperation(const char *) { return 0; }
} // namespace own
template <typename T> __global__ void copy(const T *in, T *out) { out[0] = in[0]; }

at::Tensor accepted(at::Tensor x) {
  own::Dispatcher::singleton();                              // accepted: an own class
  own::Dispatcher d;
  d.call();                                                  // accepted: an own class's method
  d.findSchemaOrThrow("aten::mm", "");                       // accepted: an own class's method
  own::getOperation("aten::mm");                             // accepted: an own function
  const char *name = "aten::mm";                             // accepted: a text by itself
  using T = decltype(c10::Dispatcher::singleton());          // accepted: not evaluated
  auto y = at::empty_like(x);                                // accepted: allocation
  AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "copy", [&] {  // accepted: dispatch over types
    copy<scalar_t><<<1, 1>>>(x.data_ptr<scalar_t>(), y.data_ptr<scalar_t>());
  });
  c10::DispatchKeySet keys = x.key_set();                    // accepted: metadata
  at::AutoDispatchBelowAutograd guard;                       // accepted: a guard
  return y;
}

TORCH_LIBRARY(cupel_test, m) { // accepted: binding
  m.def("f(Tensor x) -> Tensor", &accepted);
  m.def("g(Tensor x) -> Tensor", &lookup);
}
// CHECK: rejected:
