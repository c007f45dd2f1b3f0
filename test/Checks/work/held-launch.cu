// RUN: not %cupel lint --checks=work-*,reuse-deferred-work %s | FileCheck %s --implicit-check-not='reject:'
// REQUIRES: cupel, torch, cuda-headers
// Launches that a callable object holds.

#include <torch/extension.h>
#include <functional>
#include <map>
#include <tuple>
#include <variant>

__global__ void relu(const float *x, float *y, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n)
    y[i] = fmaxf(x[i], 0.f);
}
static void run(const torch::Tensor &x, torch::Tensor &y) {
  relu<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
}
static void raw(const float *x, float *y, int n) { relu<<<1, 256>>>(x, y, n); }
using Operator = std::function<void(const torch::Tensor &, torch::Tensor &)>;
struct Backend {
  Operator forward;
};
static Backend chosen{[](const torch::Tensor &x, torch::Tensor &y) { run(x, y); }};
struct Functor {
  torch::Tensor x, y;
  void operator()() { run(x, y); }
};
struct Launcher {
  Launcher(const torch::Tensor &x, torch::Tensor &y) { run(x, y); }
};
struct AtEnd {
  const torch::Tensor &x;
  torch::Tensor &y;
  AtEnd(const torch::Tensor &x, torch::Tensor &y) : x(x), y(y) {}
  ~AtEnd() { run(x, y); }
};
static void with(const std::function<void(int)> &launch, int blocks) { launch(blocks); }
static std::function<void()> prepared(torch::Tensor x, torch::Tensor y) {
  return [=]() mutable { run(x, y); };
}

torch::Tensor held(torch::Tensor x) { auto y = torch::empty_like(x); std::function<void()> go = [&] { run(x, y); }; go(); return y; }
torch::Tensor passed(torch::Tensor x) {
  auto y = torch::empty_like(x);
  with([&](int blocks) { relu<<<blocks, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), 256); }, 4);
  return y;
}
torch::Tensor named(torch::Tensor x) { auto y = torch::empty_like(x); Operator go = run; go(x, y); return y; }
torch::Tensor invoked(torch::Tensor x) { auto y = torch::empty_like(x); std::invoke(run, x, y); return y; }
torch::Tensor applied(torch::Tensor x) { auto y = torch::empty_like(x); std::apply(run, std::tie(x, y)); return y; }
torch::Tensor bound(torch::Tensor x) { auto y = torch::empty_like(x); auto go = std::bind(run, x, std::placeholders::_1); go(y); return y; }
torch::Tensor visited(torch::Tensor x) {
  auto y = torch::empty_like(x);
  std::variant<int, float> kind = 1;
  std::visit([&](auto) { run(x, y); }, kind);
  return y;
}
torch::Tensor table(torch::Tensor x) {
  static const std::vector<std::function<void(const float *, float *, int)>> all{raw};
  auto y = torch::empty_like(x); all[0](x.data_ptr<float>(), y.data_ptr<float>(), x.numel()); return y;
}
torch::Tensor named2(torch::Tensor x) {
  static std::map<int, Operator> all = {{1, run}};
  auto y = torch::empty_like(x); all.at(1)(x, y); return y;
}
torch::Tensor member(torch::Tensor x) { auto y = torch::empty_like(x); chosen.forward(x, y); return y; }
torch::Tensor functor(torch::Tensor x) { auto y = torch::empty_like(x); std::function<void()> go = Functor{x, y}; go(); return y; }
torch::Tensor constructed(torch::Tensor x) { auto y = torch::empty_like(x); Launcher go(x, y); return y; }
torch::Tensor destroyed(torch::Tensor x) { auto y = torch::empty_like(x); { AtEnd go(x, y); } return y; }
torch::Tensor twoClosures(torch::Tensor x) {
  auto a = torch::empty_like(x), b = torch::empty_like(x);
  auto first = prepared(x, a), second = prepared(a, b);
  first(); second();
  return b;
}
torch::Tensor renamed(torch::Tensor x) { auto y = torch::empty_like(x); auto go = [in = x, out = y]() mutable { run(in, out); }; go(); return y; }
torch::Tensor queue(torch::Tensor x) {
  auto y = torch::empty_like(x);
  std::vector<std::function<void()>> steps;
  steps.push_back([&] { run(x, y); });
  for (auto &step : steps) step();
  return y;
}

torch::Tensor heldOnly(torch::Tensor x) {
  auto y = torch::empty_like(x), z = torch::empty_like(x);
  std::function<void()> go = [&] { run(x, z); };
  go();
  // CHECK: held-launch.cu:[[#@LINE+1]]:3: reject: the returned tensor is never written [work-unwritten-output]
  return y;
}
torch::Tensor neverCalled(torch::Tensor x) {
  auto y = torch::empty_like(x), z = torch::empty_like(x);
  std::function<void()> go = [&] { run(x, y); };
  run(x, z);
  // CHECK: held-launch.cu:[[#@LINE+1]]:3: reject: the returned tensor is never written [work-unwritten-output]
  return y;
}
torch::Tensor boundOther(torch::Tensor x) {
  auto y = torch::empty_like(x), z = torch::empty_like(x);
  auto go = std::bind(run, x, z);
  go();
  // CHECK: held-launch.cu:[[#@LINE+1]]:3: reject: the returned tensor is never written [work-unwritten-output]
  return y;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("held", &held);
  m.def("passed", &passed);
  m.def("named", &named);
  m.def("invoked", &invoked);
  m.def("applied", &applied);
  m.def("bound", &bound);
  m.def("visited", &visited);
  m.def("table", &table);
  m.def("named2", &named2);
  m.def("member", &member);
  m.def("functor", &functor);
  m.def("constructed", &constructed);
  m.def("destroyed", &destroyed);
  m.def("twoClosures", &twoClosures);
  m.def("renamed", &renamed);
  m.def("queue", &queue);
  m.def("heldOnly", &heldOnly);
  m.def("neverCalled", &neverCalled);
  m.def("boundOther", &boundOther);
}
