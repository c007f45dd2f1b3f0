// RUN: not %cupel lint --checks=work-* %s | FileCheck %s --implicit-check-not='reject:'
// REQUIRES: cupel, torch, cuda-headers
// Tensors as parts of pairs, tuples, structs, arrays and lists.

#include <torch/extension.h>
#include <array>
#include <tuple>
#include <vector>

__global__ void relu(const float *x, float *y, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n)
    y[i] = fmaxf(x[i], 0.f);
}
static void run(const torch::Tensor &x, torch::Tensor &y) {
  relu<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
}
static std::tuple<torch::Tensor, int64_t> sized(const torch::Tensor &x) { return {x.contiguous(), x.numel()}; }
static std::pair<torch::Tensor, torch::Tensor> withOutput(const torch::Tensor &x) { auto c = x.contiguous(); return {c, torch::empty_like(c)}; }
struct Plan { torch::Tensor in, out, spare; int64_t n; };
static Plan plan(const torch::Tensor &x) { return {x, torch::empty_like(x), torch::empty_like(x), x.numel()}; }
struct Made {
  torch::Tensor in, out, spare;
  explicit Made(const torch::Tensor &x) : in(x), out(torch::empty_like(x)), spare(torch::empty_like(x)) {}
};
static std::vector<torch::Tensor> two(const torch::Tensor &x) {
  auto y = torch::empty_like(x), mask = torch::empty_like(x);
  run(x, y);
  return {y, mask};
}
static std::vector<torch::Tensor> grown(const torch::Tensor &x) {
  std::vector<torch::Tensor> all;
  auto y = torch::empty_like(x), mask = torch::empty_like(x);
  run(x, y);
  all.push_back(y);
  all.push_back(mask);
  return all;
}

torch::Tensor bindTuple(torch::Tensor a) { auto [x, n] = sized(a); auto y = torch::empty_like(x); relu<<<n, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n); return y; }
torch::Tensor bindPair(torch::Tensor a) { auto [x, y] = withOutput(a); run(x, y); return y; }
torch::Tensor bindStruct(torch::Tensor a) { auto [x, y, spare, n] = plan(a); run(x, y); return y; }
torch::Tensor field(torch::Tensor a) { auto p = plan(a); run(p.in, p.out); return p.out; }
torch::Tensor made(torch::Tensor a) { Made p(a); run(p.in, p.out); return p.out; }
torch::Tensor tied(torch::Tensor a) { torch::Tensor x; int64_t n; std::tie(x, n) = sized(a); auto y = torch::empty_like(x); run(x, y); return y; }
torch::Tensor pointers(torch::Tensor x) {
  auto y = torch::empty_like(x);
  auto [p, q] = std::make_pair(x.data_ptr<float>(), y.data_ptr<float>());
  relu<<<1, 256>>>(p, q, 256); return y;
}
torch::Tensor boundArray(torch::Tensor x) {
  torch::Tensor both[2] = {x, torch::empty_like(x)};
  auto &[p, q] = both; run(p, q); return both[1];
}
torch::Tensor copiedArray(torch::Tensor x) { torch::Tensor both[2] = {x, torch::empty_like(x)}; auto [p, q] = both; run(p, q); return q; }
torch::Tensor first(torch::Tensor x) { return two(x)[0]; }
torch::Tensor firstAt(torch::Tensor x) { auto all = two(x); return all.at(0); }
torch::Tensor firstGrown(torch::Tensor x) { return grown(x)[0]; }
torch::Tensor got(torch::Tensor x) { auto t = std::make_tuple(torch::empty_like(x), x, torch::empty_like(x)); run(std::get<1>(t), std::get<0>(t)); return std::get<0>(t); }

torch::Tensor second(torch::Tensor x) {
  // CHECK: parts.cu:[[#@LINE+1]]:3: reject: the returned tensor is never written [work-unwritten-output]
  return two(x)[1];
}
torch::Tensor spare(torch::Tensor a) {
  auto [x, y, spare, n] = plan(a);
  relu<<<1, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  // CHECK: parts.cu:[[#@LINE+1]]:3: reject: the returned tensor is never written [work-unwritten-output]
  return spare;
}
torch::Tensor gotOther(torch::Tensor x) {
  auto t = std::make_tuple(torch::empty_like(x), x, torch::empty_like(x));
  run(std::get<1>(t), std::get<0>(t));
  // CHECK: parts.cu:[[#@LINE+1]]:3: reject: the returned tensor is never written [work-unwritten-output]
  return std::get<2>(t);
}
std::vector<torch::Tensor> both(torch::Tensor x) {
  // CHECK: parts.cu:[[#@LINE+1]]:3: reject: the returned tensor is never written [work-unwritten-output]
  return two(x);
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("bindTuple", &bindTuple);
  m.def("bindPair", &bindPair);
  m.def("bindStruct", &bindStruct);
  m.def("field", &field);
  m.def("made", &made);
  m.def("tied", &tied);
  m.def("pointers", &pointers);
  m.def("boundArray", &boundArray);
  m.def("copiedArray", &copiedArray);
  m.def("first", &first);
  m.def("firstAt", &firstAt);
  m.def("firstGrown", &firstGrown);
  m.def("got", &got);
  m.def("second", &second);
  m.def("spare", &spare);
  m.def("gotOther", &gotOther);
  m.def("both", &both);
}
