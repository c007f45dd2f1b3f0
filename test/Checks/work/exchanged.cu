// Tensors that change places: std::swap, std::exchange and assignments to parts of aggregates.
// RUN: not %cupel lint --checks='work-returned-input,work-unwritten-output,work-input-modified,reuse-result' %s \
// RUN:   | FileCheck %s --implicit-check-not=reject: --implicit-check-not=warn:
// REQUIRES: cupel, torch, cuda-headers

#include <array>
#include <memory>
#include <torch/extension.h>
#include <tuple>
#include <utility>
#include <vector>

__global__ void relu(const float *x, float *y, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n)
    y[i] = fmaxf(x[i], 0.f);
}
static void run(const torch::Tensor &x, torch::Tensor &y) {
  relu<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
}

torch::Tensor pingPong(torch::Tensor x) {
  auto a = torch::empty_like(x), b = torch::empty_like(x);
  run(x, a);
  for (int i = 1; i < x.size(0); i *= 2) { run(a, b); std::swap(a, b); }
  return a;                                                                    // accepted: written in either round
}
torch::Tensor fromInput(torch::Tensor x) {
  auto y = torch::empty_like(x);
  run(x, y);
  std::swap(x, y);
  return x;                                                                    // accepted: what was written
}
torch::Tensor evenRounds(torch::Tensor x) {
  auto a = torch::empty_like(x), b = torch::empty_like(x);
  for (int i = 0; i < 2; ++i) { run(x, a); std::swap(a, b); }
  return a;                                                                    // accepted: written in the first round
}
torch::Tensor layers(torch::Tensor x, std::vector<torch::Tensor> weights) {
  auto in = x, out = torch::empty_like(x), spare = torch::empty_like(x);
  for (const auto &w : weights) { run(in, out); in = std::exchange(out, spare); spare = torch::empty_like(x); run(w, spare); }
  return in;                                                                   // accepted: the last layer's
}
torch::Tensor exchanged(torch::Tensor x) {
  auto a = torch::empty_like(x), b = torch::empty_like(x);
  run(x, a);
  while (b.size(0) > x.size(1)) { run(a, b); a = std::exchange(b, a); }
  return a;                                                                    // accepted: the same by exchange
}
torch::Tensor pointers(torch::Tensor x) {
  auto a = torch::empty_like(x), b = torch::empty_like(x);
  float *from = a.data_ptr<float>(), *to = b.data_ptr<float>();
  run(x, a);
  do { relu<<<1, 256>>>(from, to, 256); std::swap(from, to); } while (x.dim() > 5);
  return b;                                                                    // accepted: pointers change places
}
torch::Tensor conditional(torch::Tensor x) {
  auto a = torch::empty_like(x), b = torch::empty_like(x);
  run(x, a); run(a, b);
  if (x.size(0) % 2) std::swap(a, b);
  return b;                                                                    // accepted: both are written
}
torch::Tensor inPair(torch::Tensor x) {
  auto both = std::make_pair(torch::empty_like(x), torch::empty_like(x));
  run(x, both.first);
  std::swap(both.first, both.second);
  return both.second;                                                          // accepted: the written part
}
torch::Tensor inStruct(torch::Tensor x) {
  struct { torch::Tensor in, out; } state{x, torch::empty_like(x)};
  run(state.in, state.out);
  std::swap(state.in, state.out);
  return state.in;                                                             // accepted: likewise
}
static void turn(torch::Tensor &a, torch::Tensor &b) { std::swap(a, b); }
torch::Tensor byReference(torch::Tensor x) {
  auto a = torch::empty_like(x), b = torch::empty_like(x);
  run(x, a);
  turn(a, b);
  return b;                                                                    // accepted: not followed, so no claim
}
torch::Tensor released(torch::Tensor x) {
  auto y = torch::empty_like(x), z = torch::empty_like(x);
  run(x, z);
  y = std::exchange(z, {});
  return y;                                                                    // accepted: moved out
}
std::vector<torch::Tensor> lists(torch::Tensor x) {
  std::vector<torch::Tensor> done, open = {torch::empty_like(x)};
  run(x, open[0]);
  done.swap(open);
  return done;                                                                 // accepted: written
}
torch::Tensor anyElement(torch::Tensor x) {
  std::vector<torch::Tensor> list = {torch::empty_like(x), torch::empty_like(x)};
  for (int i = 0; i < 2; ++i) { run(x, list[i]); std::swap(list[i], list[1 - i]); }
  return list[0];                                                              // accepted: which element is not known
}
torch::Tensor inputForOutput(torch::Tensor x) {
  auto y = torch::empty_like(x);
  run(x, y);
  std::swap(x, y);
  // CHECK: :[[#@LINE+1]]:3: reject: the entry returns its argument unchanged [work-returned-input]
  return y;
}
torch::Tensor viewForOutput(torch::Tensor x) {
  auto y = torch::empty_like(x), view = x.view(x.sizes());
  run(x, y);
  using std::swap;
  swap(view, y);
  // CHECK: :[[#@LINE+1]]:3: reject: the entry returns its argument unchanged [work-returned-input]
  return y;
}
torch::Tensor exchangedForOutput(torch::Tensor x) {
  auto y = torch::empty_like(x);
  run(x, y);
  std::exchange(y, x.view(x.sizes()));
  // CHECK: :[[#@LINE+1]]:3: reject: the entry returns its argument unchanged [work-returned-input]
  return y;
}
torch::Tensor unwritten(torch::Tensor x) {
  auto y = torch::empty_like(x), z = torch::empty_like(x);
  run(x, y);
  std::swap(y, z);
  // CHECK: :[[#@LINE+1]]:3: reject: the returned tensor is never written [work-unwritten-output]
  return y;
}
torch::Tensor oldValue(torch::Tensor x) {
  auto y = torch::empty_like(x), z = torch::empty_like(x);
  run(x, y);
  // CHECK: :[[#@LINE+1]]:3: reject: the returned tensor is never written [work-unwritten-output]
  return std::exchange(z, y);
}
torch::Tensor partOfTuple(torch::Tensor x) {
  auto parts = std::make_tuple(x, torch::empty_like(x));
  run(x, std::get<1>(parts));
  std::swap(std::get<0>(parts), std::get<1>(parts));
  // CHECK: :[[#@LINE+1]]:3: reject: the entry returns its argument unchanged [work-returned-input]
  return std::get<1>(parts);
}
torch::Tensor elementOfList(torch::Tensor x) {
  std::vector<torch::Tensor> list = {torch::empty_like(x), torch::empty_like(x)};
  relu<<<1, 256>>>(x.data_ptr<float>(), list[0].data_ptr<float>(), 256);
  std::swap(list[0], list[1]);
  // CHECK: :[[#@LINE+1]]:3: reject: the returned tensor is never written [work-unwritten-output]
  return list[0];
}
torch::Tensor assignedPart(torch::Tensor x) {
  std::array<torch::Tensor, 2> list = {x, torch::empty_like(x)};
  relu<<<1, 256>>>(x.data_ptr<float>(), list[1].data_ptr<float>(), 256);
  list[1] = list[0];
  // CHECK: :[[#@LINE+1]]:3: reject: the entry returns its argument unchanged [work-returned-input]
  return list[1];
}
torch::Tensor onHeap(torch::Tensor x) {
  struct State { torch::Tensor in, out; };
  auto state = std::make_unique<State>();
  state->in = x; state->out = torch::empty_like(x);
  run(state->in, state->out);
  std::swap(state->in, state->out);
  // CHECK: :[[#@LINE+1]]:3: reject: the entry returns its argument unchanged [work-returned-input]
  return state->out;
}
torch::Tensor lists2(torch::Tensor x) {
  std::vector<torch::Tensor> done = {torch::empty_like(x)}, open = {torch::empty_like(x)};
  run(x, open[0]);
  open.swap(done);
  // CHECK: :[[#@LINE+1]]:3: reject: the returned tensor is never written [work-unwritten-output]
  return open[0];
}
torch::Tensor kept(torch::Tensor x) {
  static torch::Tensor last;
  auto y = torch::empty_like(x);
  if (!last.defined()) { last = torch::empty_like(x); run(x, last); }
  std::swap(last, y);
  // CHECK: :[[#@LINE+1]]:3: reject: the second call can return a tensor that the first one made and no kernel of the second has written [reuse-result]
  return y;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("pingPong", &pingPong);
  m.def("fromInput", &fromInput);
  m.def("evenRounds", &evenRounds);
  m.def("layers", &layers);
  m.def("exchanged", &exchanged);
  m.def("pointers", &pointers);
  m.def("conditional", &conditional);
  m.def("inPair", &inPair);
  m.def("inStruct", &inStruct);
  m.def("byReference", &byReference);
  m.def("released", &released);
  m.def("lists", &lists);
  m.def("anyElement", &anyElement);
  m.def("inputForOutput", &inputForOutput);
  m.def("viewForOutput", &viewForOutput);
  m.def("exchangedForOutput", &exchangedForOutput);
  m.def("unwritten", &unwritten);
  m.def("oldValue", &oldValue);
  m.def("partOfTuple", &partOfTuple);
  m.def("elementOfList", &elementOfList);
  m.def("assignedPart", &assignedPart);
  m.def("onHeap", &onHeap);
  m.def("lists2", &lists2);
  m.def("kept", &kept);
}
