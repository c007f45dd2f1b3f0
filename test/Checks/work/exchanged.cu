// Tensors that change places: std::swap, std::exchange and assignments to parts of aggregates.
// RUN: not %cupel lint --checks='work-returned-input,work-unwritten-output,work-input-modified,reuse-result' %s \
// RUN:   | FileCheck %s --implicit-check-not=reject: --implicit-check-not=warn:
// REQUIRES: cupel, torch, cuda-headers

#include <array>
#include <deque>
#include <functional>
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
  return b;                                                                    // accepted: the written one
}
static void rotate(torch::Tensor &a, torch::Tensor &b, torch::Tensor &c) { auto t = a; a = b; b = c; c = t; }
torch::Tensor rotated(torch::Tensor x) {
  auto a = torch::empty_like(x), b = torch::empty_like(x), c = torch::empty_like(x);
  run(x, b);
  rotate(a, b, c);
  return a;                                                                    // accepted: b's
}
static void compute(const torch::Tensor &x, torch::Tensor *out) { auto y = torch::empty_like(x); run(x, y); *out = y; }
torch::Tensor byPointer(torch::Tensor x) {
  torch::Tensor out = x;
  compute(x, &out);
  return out;                                                                  // accepted: stored through a pointer
}
torch::Tensor localPointer(torch::Tensor x) {
  auto a = torch::empty_like(x), b = torch::empty_like(x);
  torch::Tensor *slot = &a;
  run(x, b);
  *slot = b;
  return a;                                                                    // accepted: likewise
}
torch::Tensor localReference(torch::Tensor x) {
  auto a = torch::empty_like(x), b = torch::empty_like(x);
  torch::Tensor &slot = a;
  run(x, b);
  slot = b;
  return a;                                                                    // accepted: through a reference
}
torch::Tensor memberByPointer(torch::Tensor x) {
  struct { torch::Tensor in, out; } state{x, x}, *p = &state;
  auto y = torch::empty_like(x);
  run(x, y);
  p->out = y;
  return state.out;                                                            // accepted: a part through a pointer
}
torch::Tensor byIterator(torch::Tensor x) {
  std::vector<torch::Tensor> list(2, x);
  auto y = torch::empty_like(x);
  run(x, y);
  for (auto it = list.begin(); it != list.end(); ++it) *it = y;
  return list[0];                                                              // accepted: through an iterator
}
torch::Tensor inClosure(torch::Tensor x) {
  auto y = torch::empty_like(x), z = torch::empty_like(x);
  std::function<void(torch::Tensor &)> take = [&](torch::Tensor &t) { t = z; };
  run(x, z);
  take(y);
  return y;                                                                    // accepted: the closure's parameter is y
}
static torch::Tensor &either(torch::Tensor &a, torch::Tensor &b, bool first) { return first ? a : b; }
torch::Tensor bySelection(torch::Tensor x) {
  auto a = torch::empty_like(x), b = torch::empty_like(x), y = torch::empty_like(x);
  run(x, y);
  either(a, b, true) = y;
  return a;                                                                    // accepted: a function says which
}
torch::Tensor queued(torch::Tensor x) {
  std::deque<std::pair<torch::Tensor, torch::Tensor>> jobs;
  auto y = torch::empty_like(x);
  jobs.push_back({x, y});
  while (!jobs.empty()) { auto [in, out] = jobs.front(); jobs.pop_front(); run(in, out); }
  return y;                                                                    // accepted: the pair's second part
}
torch::Tensor listed(torch::Tensor x) {
  std::vector<std::tuple<torch::Tensor, torch::Tensor, int>> jobs;
  auto y = torch::empty_like(x);
  jobs.push_back({x, y, 1});
  for (auto [in, out, n] : jobs) run(in, out);
  return y;                                                                    // accepted: likewise
}
struct Outputs { torch::Tensor main, aux; };
static void produce(const torch::Tensor &x, Outputs &o) { o.aux = torch::empty_like(x); o.main = torch::empty_like(x); run(x, o.main); }
torch::Tensor outParameter(torch::Tensor x) {
  Outputs o;
  produce(x, o);
  return o.main;                                                               // accepted: the part that is written
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
torch::Tensor turnedOnce(torch::Tensor x) {
  auto a = torch::empty_like(x), b = torch::empty_like(x);
  run(x, a);
  turn(a, b);
  // CHECK: :[[#@LINE+1]]:3: reject: the returned tensor is never written [work-unwritten-output]
  return a;
}
static void turnOn(torch::Tensor &a, torch::Tensor &b) { turn(b, a); }
torch::Tensor turnedTwoDeep(torch::Tensor x) {
  auto y = torch::empty_like(x);
  run(x, y);
  turnOn(x, y);
  // CHECK: :[[#@LINE+1]]:3: reject: the entry returns its argument unchanged [work-returned-input]
  return y;
}
torch::Tensor rotatedAway(torch::Tensor x) {
  auto a = torch::empty_like(x), b = torch::empty_like(x), c = torch::empty_like(x);
  run(x, a);
  rotate(a, b, c);
  // CHECK: :[[#@LINE+1]]:3: reject: the returned tensor is never written [work-unwritten-output]
  return b;
}
torch::Tensor queuedWithout(torch::Tensor x) {
  std::deque<std::pair<torch::Tensor, torch::Tensor>> jobs;
  auto y = torch::empty_like(x), z = torch::empty_like(x);
  jobs.push_back({x, z});
  auto [in, out] = jobs.front();
  run(in, out);
  // CHECK: :[[#@LINE+1]]:3: reject: the returned tensor is never written [work-unwritten-output]
  return y;
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
  m.def("rotated", &rotated);
  m.def("byPointer", &byPointer);
  m.def("localPointer", &localPointer);
  m.def("localReference", &localReference);
  m.def("memberByPointer", &memberByPointer);
  m.def("byIterator", &byIterator);
  m.def("inClosure", &inClosure);
  m.def("bySelection", &bySelection);
  m.def("queued", &queued);
  m.def("listed", &listed);
  m.def("outParameter", &outParameter);
  m.def("turnedOnce", &turnedOnce);
  m.def("turnedTwoDeep", &turnedTwoDeep);
  m.def("rotatedAway", &rotatedAway);
  m.def("queuedWithout", &queuedWithout);
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
