// RUN: not %cupel lint --checks='entry-*' --problem %S/../Inputs/rows.toml %s | FileCheck %s --implicit-check-not='[entry-signature]'
// REQUIRES: cupel, torch, cuda-headers
//
// Overloads of one name: those that do not fit are passed over, and each of the others fits, which is
// ambiguous and nothing else.

#include <torch/extension.h>
#include <tuple>

using torch::Tensor;
Tensor f1(Tensor x, Tensor index, double scale, int64_t count);
Tensor f2(const at::Tensor &x, const at::Tensor &index, float scale, int count);
at::Tensor f3(at::Tensor &&x, std::optional<Tensor> index, c10::Scalar scale, c10::Scalar count);
std::tuple<Tensor, Tensor> f4(Tensor x, Tensor index, double scale, double count);
std::vector<Tensor> f5(Tensor x, Tensor index, double scale, int64_t count, bool fast = true);
Tensor f6(Tensor, Tensor, double, int64_t);
Tensor f7(Tensor input, Tensor positions, float factor, unsigned n);
std::pair<Tensor, Tensor> f8(Tensor x, const std::optional<Tensor> &index, double s, std::optional<int64_t> c);
Tensor wrong(Tensor x);

// CHECK: signature-accepted.cu:11:8: reject: several functions could be the entry (f1, f2, f3, f4, f5, f6, f7, f8, f9, f10): bind one as 'forward', or name it in the problem's [entry] [entry-ambiguous]
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("f1", &f1);       // accepted: exactly the problem's
  m.def("f2", &f2);       // accepted: references, float for double, int
  m.def("f3", &f3);       // accepted: optional tensor, Scalar
  m.def("f4", &f4);       // accepted: a double takes an int; a tuple of tensors
  m.def("f5", &f5);       // accepted: a default for what the problem does not give
  m.def("f6", &f6);       // accepted: no names
  m.def("f7", &f7);       // accepted: other names
  m.def("f8", &f8);       // accepted: an optional int; a pair of tensors
  m.def("f9", [](Tensor x, Tensor i, double s, int64_t c) { return x; }); // accepted: a lambda
  m.def("f10", static_cast<Tensor (*)(Tensor, Tensor, double, int64_t)>(&f1)); // accepted: a cast
  m.def("wrong", &wrong); // accepted: others fit
}
// CHECK: rejected: 1 reject
