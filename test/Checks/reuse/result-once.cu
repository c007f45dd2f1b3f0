// What a once-flag or an object on the heap carries from one call to the next.
//
// RUN: not %cupel lint --checks=reuse-result,reuse-prepared-input %s | FileCheck %s --implicit-check-not='[reuse-'
// REQUIRES: cupel, torch, cuda-headers

#include <map>
#include <memory>
#include <mutex>
#include <torch/extension.h>

__global__ void relu(const float *x, float *y, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n)
    y[i] = fmaxf(x[i], 0.f);
}
static void run(const torch::Tensor &x, const torch::Tensor &y) {
  relu<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
}
static torch::Tensor computed(const torch::Tensor &x) {
  auto y = torch::empty_like(x);
  run(x, y);
  return y;
}

struct Plan {
  torch::Tensor packed, scratch, table;
  std::once_flag flag;
  std::vector<torch::Tensor> list;
  int threads = 0, blocks = 0;
  float *raw = nullptr;
  bool ready = false;
  void prepare(const torch::Tensor &x) { packed = computed(x); }
};

static std::once_flag first;
static torch::Tensor result;
torch::Tensor onceLambda(torch::Tensor x) {
  std::call_once(first, [&] {
    result = torch::empty_like(x);
    run(x, result);
  });
  // CHECK: result-once.cu:[[#@LINE+1]]:3: reject: the second call can return a tensor that the first one made{{.*}}[reuse-result]
  return result;
}
static torch::Tensor kept;
// CHECK: :[[#@LINE+1]]:48: reject: what a kernel makes from an input is kept here{{.*}}[reuse-prepared-input]
static void fillKept(const torch::Tensor &x) { kept = computed(x); }
torch::Tensor onceFunction(torch::Tensor x) {
  static std::once_flag flag;
  std::call_once(flag, fillKept, x);
  auto y = torch::empty_like(x);
  run(kept, y);
  return y;
}
torch::Tensor onceMember(torch::Tensor x) {
  static Plan plan;
  std::call_once(plan.flag, &Plan::prepare, &plan, x);
  // CHECK: :[[#@LINE+1]]:3: reject: the second call can return{{.*}}[reuse-result]
  return plan.packed;
}
torch::Tensor onceComma(torch::Tensor x) {
  static torch::Tensor held;
  static bool done = (held = computed(x), true);
  // CHECK: :[[#@LINE+1]]:3: reject: the second call can return{{.*}}[reuse-result]
  return held;
}

static Plan *leaked() {
  static Plan *plan = new Plan;
  return plan;
}
torch::Tensor heapWeights(torch::Tensor x) {
  auto *plan = leaked();
  if (!plan->ready) {
    // CHECK: :[[#@LINE+1]]:11: reject: what a kernel makes from an input is kept here{{.*}}[reuse-prepared-input]
    plan->packed = torch::empty_like(x);
    run(x, plan->packed);
    plan->ready = true;
  }
  auto y = torch::empty_like(x);
  run(plan->packed, y);
  return y;
}
static Plan &unique() {
  static auto plan = std::make_unique<Plan>();
  return *plan;
}
torch::Tensor heapReference(torch::Tensor x) {
  auto &packed = unique().packed;
  if (!packed.defined())
    packed = computed(x);
  // CHECK: :[[#@LINE+1]]:3: reject: the second call can return{{.*}}[reuse-result]
  return packed;
}
torch::Tensor heapMethod(torch::Tensor x) {
  static auto &plan = *new Plan;
  if (!plan.ready)
    plan.prepare(x);
  // CHECK: :[[#@LINE+1]]:3: reject: the second call can return{{.*}}[reuse-result]
  return plan.packed;
}
torch::Tensor heapShared(torch::Tensor x) {
  static std::map<int64_t, std::shared_ptr<Plan>> plans;
  auto plan = plans[x.numel()];
  if (!plan) {
    plan = std::make_shared<Plan>();
    plan->list.push_back(computed(x));
    plans[x.numel()] = plan;
  }
  // CHECK: :[[#@LINE+1]]:3: reject: the second call can return{{.*}}[reuse-result]
  return plan->list.back();
}
torch::Tensor heapTensor(torch::Tensor x) {
  static auto *held = new torch::Tensor(computed(x));
  // CHECK: :[[#@LINE+1]]:3: reject: the second call can return{{.*}}[reuse-result]
  return *held;
}

// Look-alikes.
static std::once_flag configured;
torch::Tensor configure(torch::Tensor x) {
  static int sms = 0;
  std::call_once(configured, [&] {
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, 0);
    sms = properties.multiProcessorCount;
    cudaFuncSetAttribute(relu, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024);
  });
  return computed(x); // accepted: a number and an attribute
}
torch::Tensor onceWorkspace(torch::Tensor x) {
  static std::once_flag flag;
  static torch::Tensor scratch;
  std::call_once(flag, [&] { scratch = torch::empty({1 << 22}, x.options()); });
  auto y = torch::empty_like(x);
  run(x, scratch);
  run(scratch, y);
  return y; // accepted: a workspace
}
torch::Tensor onceLocal(torch::Tensor x) {
  std::once_flag flag;
  torch::Tensor y;
  std::call_once(flag, [&] { y = computed(x); });
  return y; // accepted: a flag of this call
}
torch::Tensor heapWorkspace(torch::Tensor x) {
  auto *plan = leaked();
  if (plan->scratch.numel() < x.numel())
    plan->scratch = torch::empty_like(x);
  auto &scratch = plan->scratch;
  auto y = torch::empty_like(x);
  run(x, scratch);
  run(scratch, y);
  return y; // accepted: a workspace
}
torch::Tensor heapTable(torch::Tensor x) {
  static auto *plan = new Plan;
  if (!plan->table.defined()) {
    plan->table = torch::zeros({256}, x.options());
    plan->scratch = torch::empty_like(x);
    plan->threads = 256;
  }
  auto y = torch::empty_like(x);
  relu<<<1, plan->threads>>>(plan->table.data_ptr<float>(), y.data_ptr<float>(), 256);
  run(x, plan->scratch);
  run(plan->scratch, y);
  return y; // accepted: a constant table beside a workspace, and a launch plan
}
torch::Tensor heapRaw(torch::Tensor x) {
  auto &plan = unique();
  if (!plan.raw)
    cudaMalloc(&plan.raw, 1 << 24);
  auto y = torch::empty_like(x);
  relu<<<1, 256>>>(x.data_ptr<float>(), plan.raw, 256);
  relu<<<1, 256>>>(plan.raw, y.data_ptr<float>(), 256);
  return y; // accepted: a workspace
}
torch::Tensor heapOutput(torch::Tensor x) {
  auto *plan = leaked();
  plan->table = computed(x);
  return plan->table; // accepted: made anew
}
torch::Tensor heapLocal(torch::Tensor x) {
  auto plan = std::make_unique<Plan>();
  plan->prepare(x);
  std::array<torch::Tensor, 2> both{x, plan->packed};
  return both.back(); // accepted: of this call
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("onceLambda", &onceLambda);
  m.def("onceFunction", &onceFunction);
  m.def("onceMember", &onceMember);
  m.def("onceComma", &onceComma);
  m.def("heapWeights", &heapWeights);
  m.def("heapReference", &heapReference);
  m.def("heapMethod", &heapMethod);
  m.def("heapShared", &heapShared);
  m.def("heapTensor", &heapTensor);
  m.def("configure", &configure);
  m.def("onceWorkspace", &onceWorkspace);
  m.def("onceLocal", &onceLocal);
  m.def("heapWorkspace", &heapWorkspace);
  m.def("heapTable", &heapTable);
  m.def("heapRaw", &heapRaw);
  m.def("heapOutput", &heapOutput);
  m.def("heapLocal", &heapLocal);
}
