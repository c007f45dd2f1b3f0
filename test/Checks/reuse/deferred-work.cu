// RUN: not %cupel lint --checks=reuse-deferred-work %s | FileCheck %s --implicit-check-not='[reuse-deferred-work]'
// REQUIRES: cupel, torch, cuda-headers

#include <torch/extension.h>
#include <map>
#include <vector>

__global__ void relu(const float *x, float *y, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n)
    y[i] = fmaxf(x[i], 0.f);
}
static void run(const torch::Tensor &x, torch::Tensor &y) {
  relu<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
}

torch::Tensor plain(torch::Tensor x) { auto y = torch::empty_like(x); run(x, y); return y; }          // accepted: nothing is kept
torch::Tensor workspace(torch::Tensor x) {
  static torch::Tensor scratch;
  if (!scratch.defined() || scratch.numel() < x.numel()) scratch = torch::empty_like(x);
  auto y = torch::empty_like(x); run(x, scratch); run(scratch, y);
  return y;                                                                                            // accepted: written before it is read
}
torch::Tensor outputBuffer(torch::Tensor x) {
  static torch::Tensor out = torch::empty_like(x);
  run(x, out);
  return out;                                                                                          // accepted: written in each call
}
torch::Tensor smCount(torch::Tensor x) {
  static int sms = 0;
  if (sms == 0) cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  return plain(x);                                                                                     // accepted: a number
}
torch::Tensor onceFlag(torch::Tensor x) {
  static bool configured = false;
  if (!configured) { cudaFuncSetAttribute(relu, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024); configured = true; }
  return plain(x);                                                                                     // accepted: a flag
}
torch::Tensor launchPlan(torch::Tensor x) {
  static std::map<int64_t, int> plans;
  auto it = plans.find(x.numel());
  if (it == plans.end()) it = plans.emplace(x.numel(), 256).first;
  auto y = torch::empty_like(x);
  relu<<<1, it->second>>>(x.data_ptr<float>(), y.data_ptr<float>(), 1);
  return y;                                                                                            // accepted: a launch plan
}
static const float table[4] = {1, 2, 3, 4};
torch::Tensor constants(torch::Tensor x) { (void)table[0]; return plain(x); }                          // accepted: a constant table
static long long calls = 0;
torch::Tensor counted(torch::Tensor x) { ++calls; return plain(x); }                                   // accepted: counted and not used
torch::Tensor logged(torch::Tensor x) { if (++calls % 1000 == 0) printf("%lld\n", calls); return plain(x); } // accepted: printed
struct Planner {
  torch::Tensor run1(const torch::Tensor &x) { auto y = torch::empty_like(x); run(x, y); return y; }
  int last = 0;
};
static Planner planner;
torch::Tensor member(torch::Tensor x) { planner.last = x.numel(); return planner.run1(x); }            // accepted: nothing of a tensor is kept
torch::Tensor localMap(torch::Tensor x) {
  std::map<int, torch::Tensor> outputs; outputs[0] = torch::empty_like(x); run(x, outputs[0]);
  return outputs[0];                                                                                   // accepted: local
}

torch::Tensor writtenWhereMade(torch::Tensor x) {
  static torch::Tensor y;
  if (!y.defined()) { y = torch::empty_like(x); run(x, y); }
  return y;                                                                                            // accepted: here; the first call's work is done in it, see reuse-result
}

static std::vector<std::pair<torch::Tensor, torch::Tensor>> pending;
torch::Tensor later(torch::Tensor x) {
  auto y = torch::empty_like(x);
  pending.emplace_back(x, y);
  if (pending.size() == 16) {
    for (auto &[in, out] : pending)
      run(in, out);
    pending.clear();
  }
  // CHECK: deferred-work.cu:[[#@LINE+1]]:3: reject: the call can return this tensor unwritten and leave the work to a later one [reuse-deferred-work]
  return y;
}
torch::Tensor laterByOther(torch::Tensor x) {
  static torch::Tensor y;
  if (!y.defined())
    y = torch::empty_like(x);
  else
    run(x, y);
  // CHECK: deferred-work.cu:[[#@LINE+1]]:3: reject: the call can return this tensor unwritten and leave the work to a later one [reuse-deferred-work]
  return y;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("plain", &plain);
  m.def("workspace", &workspace);
  m.def("outputBuffer", &outputBuffer);
  m.def("smCount", &smCount);
  m.def("onceFlag", &onceFlag);
  m.def("launchPlan", &launchPlan);
  m.def("constants", &constants);
  m.def("counted", &counted);
  m.def("logged", &logged);
  m.def("member", &member);
  m.def("localMap", &localMap);
  m.def("writtenWhereMade", &writtenWhereMade);
  m.def("laterByOther", &laterByOther);
  m.def("later", &later);
}
