// RUN: not %cupel lint --checks=reuse-call-counter %s | FileCheck %s --implicit-check-not='[reuse-call-counter]'
// REQUIRES: cupel, torch, cuda-headers

#include <ATen/cuda/CUDAContext.h>
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

static int g_calls = 0;
torch::Tensor steady(torch::Tensor x) {
  auto y = torch::empty_like(x);
  ++g_calls;
  // CHECK: call-counter.cu:[[#@LINE+1]]:3: reject: the number of calls, counted in 'g_calls', decides what is launched [reuse-call-counter]
  if (g_calls <= 10)
    relu<<<256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  else
    relu<<<1, 32>>>(x.data_ptr<float>(), y.data_ptr<float>(), 32);
  return y;
}
static int next() {
  static int count = 0;
  return ++count;
}
torch::Tensor byFunction(torch::Tensor x) {
  auto y = torch::empty_like(x);
  // CHECK: :[[#@LINE+1]]:3: reject: the number of calls, counted in 'count', decides{{.*}}[reuse-call-counter]
  if (next() < 5)
    run(x, y), relu<<<1, 32>>>(x.data_ptr<float>(), y.data_ptr<float>(), 32);
  return y;
}
torch::Tensor byCopy(torch::Tensor x) {
  static int seen = 0;
  const int now = seen++;
  auto y = torch::empty_like(x);
  // CHECK: :[[#@LINE+1]]:3: reject: the number of calls, counted in 'now', decides{{.*}}[reuse-call-counter]
  if (now > 20)
    return y;
  run(x, y);
  return y;
}
torch::Tensor byLambda(torch::Tensor x) {
  static auto step = [n = 0]() mutable { return ++n; };
  auto y = torch::empty_like(x);
  // CHECK: :[[#@LINE+1]]:3: reject: the number of calls, counted in 'n', decides{{.*}}[reuse-call-counter]
  if (step() > 20)
    return y;
  run(x, y);
  return y;
}
static unsigned epoch = 0;
torch::Tensor barrier(torch::Tensor x) {
  auto y = torch::empty_like(x);
  const unsigned now = ++epoch;                                                                        // accepted: an epoch that a kernel is given
  relu<<<1, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), now);
  if (x.numel() > 256)
    run(x, y);
  return y;
}
torch::Tensor pieces(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int done = 0;                                                                                        // accepted: a count of this call
  auto piece = [&done, n = 0]() mutable { return ++done + ++n; };
  while (piece() < 8)
    if (done < 3)
      relu<<<1, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), done);
  return y;
}

// Other steps and ways of a count.
static int g_step = 0;
torch::Tensor bySum(torch::Tensor x) {
  auto y = torch::empty_like(x);
  g_step = g_step + 1;
  // CHECK: :[[#@LINE+1]]:3: reject: the number of calls, counted in 'g_step', decides what is launched [reuse-call-counter]
  if (g_step < 7)
    run(x, y);
  return y;
}
static int g_flagged = 0;
torch::Tensor byTruth(torch::Tensor x) {
  auto y = torch::empty_like(x);
  const bool early = (g_flagged += 1) < 9;
  // CHECK: :[[#@LINE+1]]:3: reject: the number of calls, counted in 'early', decides what is launched{{.*}}[reuse-call-counter]
  if (early)
    relu<<<256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}
static int g_sized = 0;
torch::Tensor bySize(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int64_t n = x.numel();
  const int now = ++g_sized;
  const int64_t part = now < 6 ? n : 32;
  // CHECK: :[[#@LINE+1]]:10: reject: the number of calls, counted in 'part', decides the size of a launch{{.*}}[reuse-call-counter]
  relu<<<(part + 31) / 32, 32>>>(x.data_ptr<float>(), y.data_ptr<float>(), part);
  return y;
}
torch::Tensor byAssignment(torch::Tensor x) {
  static int turn = 0;
  auto y = torch::empty_like(x);
  int blocks = 256;
  if (turn++ > 12)
    blocks = 1;
  // CHECK: :[[#@LINE+1]]:10: reject: the number of calls, counted in 'blocks', decides the size of a launch{{.*}}[reuse-call-counter]
  relu<<<blocks, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), 1);
  return y;
}
struct Phase {
  int seen = 0;
  bool isFirst() { return seen++ < 4; }
};
static Phase phase;
torch::Tensor byMember(torch::Tensor x) {
  auto y = torch::empty_like(x);
  // CHECK: :[[#@LINE+1]]:3: reject: the number of calls, counted in 'seen', decides what is launched{{.*}}[reuse-call-counter]
  if (phase.isFirst())
    run(x, y);
  return y;
}
static int g_helper = 0;
static bool isWarm() {
  const int next = g_helper + 1;
  g_helper = next;
  if (g_helper > 5)
    return true;
  return false;
}
torch::Tensor byHelper(torch::Tensor x) {
  auto y = torch::empty_like(x);
  // CHECK: :[[#@LINE+1]]:12: reject: the number of calls, counted in 'g_helper', decides what is launched{{.*}}[reuse-call-counter]
  isWarm() ? void() : run(x, y);
  return y;
}
torch::Tensor byKernel(torch::Tensor x) {
  static int turn = 0;
  auto y = torch::empty_like(x);
  // CHECK: :[[#@LINE+1]]:28: reject: the number of calls, counted in 'turn', decides what is launched{{.*}}[reuse-call-counter]
  auto kernel = ++turn < 3 ? relu : nullptr;
  kernel<<<256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
  return y;
}
static void part(const torch::Tensor &x, torch::Tensor &y, bool isWhole) {
  // CHECK: :[[#@LINE+1]]:3: reject: the number of calls, counted in 'isWhole', decides what is launched{{.*}}[reuse-call-counter]
  if (isWhole)
    run(x, y);
}
torch::Tensor byParameter(torch::Tensor x) {
  static int turn = 0;
  auto y = torch::empty_like(x);
  turn += 1;
  part(x, y, turn < 8);
  return y;
}

// Counts, and what only looks like them.
static void report(const char *what) {
  static int shown = 0;
  if (++shown > 10)
    return;                                                                                            // accepted: a message is printed ten times
  printf("%s\n", what);
}
torch::Tensor reported(torch::Tensor x) { report("called"); return plain(x); }
torch::Tensor seeded(torch::Tensor x) {
  static int64_t offset = 0;
  const int64_t mine = offset;                                                                         // accepted: an offset of random numbers
  offset = offset + 4;
  auto y = torch::empty_like(x);
  relu<<<256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), int(mine));
  return y;
}
torch::Tensor streamsInTurn(torch::Tensor x) {
  static cudaStream_t streams[4] = {};
  static int turn = 0;
  auto y = torch::empty_like(x);
  relu<<<256, 256, 0, streams[turn++ % 4]>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());     // accepted: streams in turn
  return y;
}
static int64_t capacity = 0;
static torch::Tensor scratch(torch::Tensor x) {
  static torch::Tensor kept;
  if (capacity >= x.numel())
    return kept;                                                                                       // accepted: a size that grows with what is asked for
  capacity += x.numel();
  kept = torch::empty({capacity}, x.options());
  return kept;
}
torch::Tensor growing(torch::Tensor x) { auto y = torch::empty_like(x), s = scratch(x); run(x, s); run(s, y); return y; }
struct Arena {
  int used = 0;
  torch::Tensor memory;
  torch::Tensor take(torch::Tensor x) {
    used = used + 1;
    if (used > 16)
      return torch::empty_like(x);                                                                     // accepted: counted within a call
    return memory.slice(0, used * 1024, used * 1024 + 1024);
  }
};
static Arena arena;
torch::Tensor pieced(torch::Tensor x) {
  arena.used = 0;
  auto y = torch::empty_like(x), s = arena.take(x);
  run(x, s); run(s, y);
  return y;
}
struct Tiles {
  int at = 0;
  bool next() { return at++ < 4; }
};
torch::Tensor tiled(torch::Tensor x) {
  auto y = torch::empty_like(x);
  Tiles tiles;
  if (tiles.next())                                                                                    // accepted: an object of this call
    run(x, y);
  return y;
}
torch::Tensor multiprocessors(torch::Tensor x) {
  static int sms = -1;
  sms = sms < 0 ? at::cuda::getCurrentDeviceProperties()->multiProcessorCount : sms;
  auto y = torch::empty_like(x);
  relu<<<sms * 4, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());                         // accepted: a cached property
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
  m.def("steady", &steady);
  m.def("byFunction", &byFunction);
  m.def("byCopy", &byCopy);
  m.def("byLambda", &byLambda);
  m.def("barrier", &barrier);
  m.def("pieces", &pieces);
  m.def("bySum", &bySum);
  m.def("byTruth", &byTruth);
  m.def("bySize", &bySize);
  m.def("byAssignment", &byAssignment);
  m.def("byMember", &byMember);
  m.def("byHelper", &byHelper);
  m.def("byKernel", &byKernel);
  m.def("byParameter", &byParameter);
  m.def("reported", &reported);
  m.def("seeded", &seeded);
  m.def("streamsInTurn", &streamsInTurn);
  m.def("growing", &growing);
  m.def("pieced", &pieced);
  m.def("tiled", &tiled);
  m.def("multiprocessors", &multiprocessors);
}
