// RUN: not %cupel lint --checks=fallback-aten-call %s | FileCheck %s --implicit-check-not='[fallback-aten-call]'
// REQUIRES: cupel, torch, cuda-headers
// CHECK-NOT: error:

#include <torch/extension.h>
#include <ATen/cuda/Exceptions.h>
#include <ATen/ops/layer_norm_ops.h>
#include <numeric>
#include <functional>

// Function and namespace aliases.
namespace ops = at::_ops;
namespace t = torch;
using at::softmax;

at::Tensor qualified(at::Tensor a) {
  // CHECK: aten-call.cu:[[#@LINE+1]]:{{[0-9]+}}: reject: 'at::matmul' leaves the work to torch [fallback-aten-call]
  return at::matmul(a, a);
}

at::Tensor usingDeclaration(at::Tensor a) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'at::softmax' leaves the work to torch [fallback-aten-call]
  return softmax(a, 1);
}

at::Tensor usingDirective(at::Tensor a) {
  using namespace torch;
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'at::relu' leaves{{.*}}[fallback-aten-call]
  return relu(a);
}

at::Tensor argumentDependent(at::Tensor a) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'at::sigmoid' leaves{{.*}}[fallback-aten-call]
  return sigmoid(a);
}

at::Tensor namespaceAlias(at::Tensor a) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'at::exp' leaves{{.*}}[fallback-aten-call]
  return t::exp(a);
}

at::Tensor operatorStruct(at::Tensor a) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'at::_ops::layer_norm::call' leaves{{.*}}[fallback-aten-call]
  return ops::layer_norm::call(a, c10::SymInt(4), {}, {}, 1e-5, false);
}

#define PASTE(x, y) x##y
#define PRODUCT(a, b) at::PASTE(m, m)(a, b)
at::Tensor macro(at::Tensor a) {
  // CHECK: :[[#@LINE+2]]:{{[0-9]+}}: reject: 'at::mm' leaves{{.*}}[fallback-aten-call]
  // CHECK: note: expanded from macro 'PRODUCT'
  return PRODUCT(a, a);
}

at::Tensor digraphs(at::Tensor a) <%
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'at::tanh' leaves{{.*}}[fallback-aten-call]
  return at:: tanh(a);
%>

using Binary = at::Tensor (*)(const at::Tensor &, const at::Tensor &);
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'at::bmm' is named here to be called, and leaves the work to torch{{.*}}[fallback-aten-call]
static Binary const table[] = {&at::bmm, nullptr};
at::Tensor pointerTable(at::Tensor a) { return table[0](a, a); }

at::Tensor chosenOverload(at::Tensor a) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'at::erf' is named{{.*}}[fallback-aten-call]
  auto f = static_cast<at::Tensor (*)(const at::Tensor &)>(&at::erf);
  return f(a);
}

struct Work {
  template <typename T> T operator()(const T &x) const {
    // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'at::gelu' leaves{{.*}}[fallback-aten-call]
    return at::gelu(x);
  }
};
template <typename F> at::Tensor launch(F f, at::Tensor x) { return f(x); }
at::Tensor functor(at::Tensor a) { return launch(Work{}, a); }

template <at::Tensor (*Function)(const at::Tensor &)> at::Tensor run(at::Tensor x) {
  return Function(x);
}
// CHECK: reject: 'at::abs'{{.*}}[fallback-aten-call]
at::Tensor templateArgument(at::Tensor a) { return run<&at::abs>(a); }

at::Tensor lambda(at::Tensor a) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'at::sqrt' leaves{{.*}}[fallback-aten-call]
  std::function<at::Tensor(at::Tensor)> f = [](auto x) { return at::sqrt(x); };
  return f(a);
}

at::Tensor identity(at::Tensor a) { return a; }
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'at::cos' leaves{{.*}}[fallback-aten-call]
at::Tensor defaultArgument(at::Tensor a = at::cos(at::empty({1}))) { return a; }
at::Tensor useDefault() { return defaultArgument(); }

struct Guard {
  at::Tensor x;
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'at::sin_' leaves{{.*}}[fallback-aten-call]
  ~Guard() { at::sin_(x); }
};
at::Tensor destructor(at::Tensor a) {
  Guard g{a};
  return a;
}

struct Member {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'at::arange' leaves{{.*}}[fallback-aten-call]
  at::Tensor x = at::arange(4);
};
at::Tensor memberInitialiser() { return Member().x; }

// A declaration of torch's function by hand is torch's, in its namespace and under a linker's name.
namespace at {
Tensor my_private_operator(const Tensor &);
}
at::Tensor byHand(const at::Tensor &) __asm__("_ZN2at4_ops4relu4callERKNS_6TensorE");
at::Tensor declaredHere(at::Tensor a) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'at::my_private_operator' leaves{{.*}}[fallback-aten-call]
  return at::my_private_operator(a);
}
at::Tensor labelled(at::Tensor a) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'byHand', which links to '_ZN2at4_ops4relu4callERKNS_6TensorE', leaves{{.*}}[fallback-aten-call]
  return byHand(a);
}

// Look-alikes. None of them may be reported.
namespace own {
at::Tensor matmul(at::Tensor a, at::Tensor) { return a; }
at::Tensor relu(at::Tensor a) { return a; }
struct Tensor {
  Tensor mm(Tensor) const { return {}; }
};
Tensor softmax(Tensor x, int) { return x; }
} // namespace own
__global__ void copy(const float *in, float *out) { out[threadIdx.x] = in[threadIdx.x]; }
template <typename T> auto resultOf(T x) -> decltype(at::relu(x)) { return x; }
namespace at {
Tensor my_defined_function(const Tensor &x) { return x; }
}

at::Tensor accepted(at::Tensor a) {
  own::matmul(a, a);                                       // accepted: own function of a known name
  own::relu(a);                                            // accepted: own function found before torch's
  own::softmax(own::Tensor(), 1);                          // accepted: own type of a known name
  using Result = decltype(at::relu(a));                    // accepted: not evaluated
  static_assert(sizeof(at::relu(a)) == sizeof(Result));    // accepted: operand of sizeof
  bool throws = noexcept(at::relu(a));                     // accepted: operand of noexcept
  auto y = torch::empty_like(a);                           // accepted: allocation
  auto z = at::empty({2, 3}, a.options());                 // accepted: allocation
  auto w = torch::zeros({4});                              // accepted: allocation with a fill
  auto v = at::reshape(a, {-1});                           // accepted: a view
  auto u = at::transpose(a, 0, 1);                         // accepted: a view
  TORCH_CHECK(a.dim() == 2, "two dimensions expected");    // accepted: a check
  TORCH_CUDABLAS_CHECK(CUBLAS_STATUS_SUCCESS);             // accepted: tells an error's name
  auto options = torch::TensorOptions().dtype(at::kFloat); // accepted: options
  resultOf(a);                                             // accepted: torch's name in a return type
  at::my_defined_function(a);                              // accepted: defined here, in torch's namespace
  copy<<<1, 32>>>(a.data_ptr<float>(), y.data_ptr<float>()); // accepted: own kernel
  torch::NoGradGuard guard;                                // accepted: a switch
  return y;
}
// CHECK: rejected: 18 rejects
