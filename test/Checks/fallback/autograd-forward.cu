// What torch calls for `Function::apply` is the entry's work, and its result torch's.
// RUN: not %cupel lint --checks='fallback-tensor-method,work-returned-input' %s | FileCheck %s --implicit-check-not='[fallback-' --implicit-check-not='[work-'
// REQUIRES: cupel, torch, cuda-headers

#include <torch/extension.h>

struct Clamp : torch::autograd::Function<Clamp> {
  static at::Tensor forward(torch::autograd::AutogradContext *, at::Tensor x) {
    // CHECK: autograd-forward.cu:[[#@LINE+2]]:14: reject: 'at::Tensor::clamp' leaves the work to torch [fallback-tensor-method]
    // CHECK: note: 'Clamp::forward' is named here
    return x.clamp(0);
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext *,
                                                 torch::autograd::variable_list g) {
    // CHECK: :[[#@LINE+1]]:18: note: 'at::Tensor::clamp' leaves the work to torch; not judged: the entry never gets here [fallback-tensor-method]
    return {g[0].clamp(0)};
  }
};
struct Unused : torch::autograd::Function<Unused> {
  static at::Tensor forward(torch::autograd::AutogradContext *, at::Tensor x) {
    // CHECK: autograd-forward.cu:[[#@LINE+1]]:14: note: 'at::Tensor::relu' leaves the work to torch; not judged: the entry never gets here [fallback-tensor-method]
    return x.relu();
  }
};
at::Tensor forward(at::Tensor x) { return Clamp::apply(x); }
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
