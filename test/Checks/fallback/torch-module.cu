// RUN: not %cupel lint --checks=fallback-torch-module %s | FileCheck %s --implicit-check-not='[fallback-torch-module]'
// REQUIRES: cupel, torch, cuda-headers

#include <torch/extension.h>
#include <torch/jit.h>

namespace F = torch::nn::functional;

at::Tensor functional(at::Tensor x, at::Tensor w) {
  // CHECK: torch-module.cu:[[#@LINE+1]]:{{[0-9]+}}: reject: 'torch::nn::functional::linear' leaves the work to torch [fallback-torch-module]
  return F::linear(x, w);
}

at::Tensor module(at::Tensor x) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'torch::nn::{{.*}}Linear{{.*}}' leaves{{.*}}[fallback-torch-module]
  static torch::nn::Linear layer(4, 4);
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: reject: 'torch::nn::ModuleHolder::operator->' leaves{{.*}}[fallback-torch-module]
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'torch::nn::LinearImpl::forward' leaves{{.*}}[fallback-torch-module]
  return layer->forward(x);
}

at::Tensor script(at::Tensor x) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'torch::jit::compile' leaves{{.*}}[fallback-torch-module]
  auto unit = torch::jit::compile("def f(x):\n  return x.sum(1)\n");
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'torch::jit::CompilationUnit::run_method' leaves{{.*}}[fallback-torch-module]
  return unit->run_method("f", x).toTensor();
}

struct Square : torch::autograd::Function<Square> {
  static at::Tensor forward(torch::autograd::AutogradContext *, at::Tensor x) { return x; }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext *,
                                                 torch::autograd::variable_list g) {
    return g;
  }
};
at::Tensor autograd(at::Tensor x) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'torch::autograd::Function::apply' leaves{{.*}}[fallback-torch-module]
  return Square::apply(x);
}

// Look-alikes. None of them may be reported.
namespace nn {
struct Linear {
  at::Tensor forward(at::Tensor x) { return x; }
  at::Tensor operator()(at::Tensor x) { return x; }
};
namespace functional {
at::Tensor linear(at::Tensor x, at::Tensor) { return x; }
} // namespace functional
} // namespace nn
namespace jit {
int compile(const char *) { return 0; }
} // namespace jit
struct Function {
  static at::Tensor apply(at::Tensor x) { return x; }
};

at::Tensor accepted(at::Tensor x) {
  nn::Linear layer;                          // accepted: an own class
  layer.forward(x);                          // accepted: an own class's method
  layer(x);                                  // accepted: an own class's operator
  nn::functional::linear(x, x);              // accepted: an own function
  jit::compile("");                          // accepted: an own function
  Function::apply(x);                        // accepted: an own class
  torch::NoGradGuard guard;                  // accepted: a switch
  using T = decltype(F::linear(x, x));       // accepted: not evaluated
  sizeof(torch::nn::LinearImpl);             // accepted: not evaluated
  torch::jit::Stack stack;                   // accepted: a list of values
  torch::jit::push(stack, x);                // accepted: the stack of a boxed kernel
  torch::jit::pop(stack);                    // accepted: the stack of a boxed kernel
  return torch::empty_like(x);               // accepted: allocation
}
// CHECK: rejected:
