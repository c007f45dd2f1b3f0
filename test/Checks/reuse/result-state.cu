// State that outlives a call behind pointers, iterators and closures.
//
// RUN: not %cupel lint --checks=reuse-result,reuse-prepared-input,reuse-call-counter %s | FileCheck %s --implicit-check-not='[reuse-'
// REQUIRES: cupel, torch, cuda-headers

#include <functional>
#include <map>
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
  torch::Tensor result;
  bool isDone = false;
};

torch::Tensor heapPlan(torch::Tensor x) {
  static Plan *plan = new Plan;
  if (plan->isDone)
    // CHECK: result-state.cu:[[#@LINE+1]]:5: reject: the second call can return a tensor that the first one made{{.*}}[reuse-result]
    return plan->result;
  plan->result = computed(x);
  plan->isDone = true;
  return plan->result;
}
torch::Tensor triedEmplace(torch::Tensor x) {
  static std::map<int64_t, torch::Tensor> memo;
  auto [it, isNew] = memo.try_emplace(x.numel());
  if (isNew)
    it->second = computed(x);
  // CHECK: :[[#@LINE+1]]:3: reject: the second call can return{{.*}}[reuse-result]
  return it->second;
}
torch::Tensor emplaced(torch::Tensor x) {
  static std::map<int64_t, torch::Tensor> memo;
  auto found = memo.emplace(x.numel(), torch::Tensor());
  if (found.second)
    found.first->second = computed(x);
  // CHECK: :[[#@LINE+1]]:3: reject: the second call can return{{.*}}[reuse-result]
  return found.first->second;
}
torch::Tensor inserted(torch::Tensor x) {
  static std::map<int64_t, int> seen;
  static torch::Tensor y;
  if (seen.insert({x.numel(), 1}).second)
    y = computed(x);
  // CHECK: :[[#@LINE+1]]:3: reject: the second call can return{{.*}}[reuse-result]
  return y;
}
torch::Tensor mutableClosure(torch::Tensor x) {
  static auto once = [y = torch::Tensor(), isDone = false](const torch::Tensor &x) mutable {
    if (!isDone)
      y = computed(x);
    isDone = true;
    return y;
  };
  // CHECK: :[[#@LINE+1]]:3: reject: the second call can return{{.*}}[reuse-result]
  return once(x);
}
torch::Tensor heldClosure(torch::Tensor x) {
  static std::function<torch::Tensor(const torch::Tensor &)> once =
      [y = torch::Tensor()](const torch::Tensor &x) mutable {
        if (!y.defined())
          y = computed(x);
        return y;
      };
  // CHECK: :[[#@LINE+1]]:3: reject: the second call can return{{.*}}[reuse-result]
  return once(x);
}
torch::Tensor countedInMap(torch::Tensor x) {
  static std::map<int64_t, int> calls;
  auto y = torch::empty_like(x);
  // CHECK: :[[#@LINE+1]]:3: reject: the number of calls, counted in 'calls', decides what is launched [reuse-call-counter]
  if (calls[x.numel()]++ < 10)
    run(x, y);
  return y;
}

// Look-alikes.
torch::Tensor pool(torch::Tensor x) {
  static std::map<int64_t, torch::Tensor> buffers;
  auto [it, isNew] = buffers.try_emplace(x.numel());
  if (isNew)
    it->second = torch::empty_like(x);
  run(x, it->second);
  return it->second; // accepted: written in each call
}
torch::Tensor heapWorkspace(torch::Tensor x) {
  static Plan *plan = new Plan;
  if (!plan->isDone)
    plan->result = torch::empty_like(x);
  plan->isDone = true;
  run(x, plan->result);
  return computed(plan->result); // accepted: a workspace
}
torch::Tensor configured(torch::Tensor x) {
  static std::map<int64_t, int> blocks;
  auto [it, isNew] = blocks.try_emplace(x.numel(), 128);
  if (isNew)
    cudaFuncSetAttribute(relu, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024);
  auto y = torch::empty_like(x);
  relu<<<(x.numel() + 127) / 128, it->second>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y; // accepted: a plan for each size
}
torch::Tensor workspaceClosure(torch::Tensor x) {
  static auto take = [held = torch::Tensor()](const torch::Tensor &x) mutable {
    if (!held.defined() || held.numel() < x.numel())
      held = torch::empty_like(x);
    return held;
  };
  auto scratch = take(x);
  run(x, scratch);
  return computed(scratch); // accepted: written before it is read
}
torch::Tensor turns(torch::Tensor x) {
  static torch::Tensor first = torch::empty_like(x), second = torch::empty_like(x);
  torch::Tensor *from = &first, *to = &second;
  run(x, *from);
  for (int round = 0; round < 4; ++round) {
    run(*from, *to);
    std::swap(from, to);
  }
  return computed(*from); // accepted: buffers in turn
}
torch::Tensor logged(torch::Tensor x) {
  static std::map<int64_t, int> calls;
  if (++calls[x.numel()] % 1000 == 0)
    printf("%d\n", calls[x.numel()]);
  return computed(x); // accepted: counted for a message
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("heapPlan", &heapPlan); m.def("triedEmplace", &triedEmplace); m.def("emplaced", &emplaced);
  m.def("inserted", &inserted); m.def("mutableClosure", &mutableClosure);
  m.def("heldClosure", &heldClosure); m.def("countedInMap", &countedInMap); m.def("pool", &pool);
  m.def("heapWorkspace", &heapWorkspace); m.def("configured", &configured);
  m.def("workspaceClosure", &workspaceClosure); m.def("turns", &turns); m.def("logged", &logged);
}
