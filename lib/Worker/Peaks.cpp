//===- Peaks.cpp - what this GPU reaches at best ----------------------------===//
//
// Rates that torch's own operators and cuBLAS reach, not those of a data sheet: a floor of a time
// must be one that something was seen to touch. Each is the best of several runs.
//
//===----------------------------------------------------------------------===//

#include "Peaks.h"
#include "Baseline.h"
#include "Timing.h"
#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/sum.h>
#include <algorithm>
#include <chrono>

using namespace cupel::worker;

namespace {

constexpr int64_t Samples = 12, Warmup = 3;

/// An idle GPU takes its time to raise its clocks: a copy reached 3.80 TB/s on an H200 that had
/// just been started and 4.22 TB/s later.
constexpr auto BusyBefore = std::chrono::milliseconds(500);

/// Microseconds of the fastest of several runs of \p Call.
double fastest(Device &Device, const std::function<void()> &Call) {
  TimingPlan Plan;
  Plan.Samples = Samples;
  Plan.Warmup = Warmup;
  std::vector<double> Times = timeCalls(Device, Plan, {[](bool) {}, Call}).DeviceUs;
  return *std::min_element(Times.begin(), Times.end());
}

/// 10^9 bytes a second. A copy turns the memory around between reads and writes, and is slower than
/// either alone.
Json bandwidths(Device &Device) {
  // Twenty times an H100's L2 cache, so that what stays there does not count.
  constexpr int64_t Most = int64_t(1) << 30;
  const int64_t Bytes = std::min(Most, Device.freeBytes() / 4) / 4 * 4;
  auto Options = at::TensorOptions(Device.torch()).dtype(at::kFloat);
  at::Tensor From = at::empty({Bytes / 4}, Options).fill_(1), To = at::empty({Bytes / 4}, Options),
             Sum;
  const auto Begin = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - Begin < BusyBefore) {
    To.copy_(From);
    Device.synchronize();
  }
  const double Billion = 1e-3 * static_cast<double>(Bytes); // Over microseconds.
  return {{"copy", 2 * Billion / fastest(Device, [&] { To.copy_(From); })},
          {"read", Billion / fastest(Device, [&] { Sum = at::sum(From); })},
          {"write", Billion / fastest(Device, [&] { To.fill_(2); })}};
}

struct Product {
  double TimeUs, Tflops;
};

/// The square product of \p Type.
Product multiply(Device &Device, c10::ScalarType Type, int64_t Size, bool Tf32) {
  Tf32Allowed Settings(Tf32);
  auto Options = at::TensorOptions(Device.torch()).dtype(Type);
  at::Tensor A = at::randn({Size, Size}, Options), B = at::randn({Size, Size}, Options);
  at::Tensor C = at::empty({Size, Size}, Options);
  const double Time = fastest(Device, [&] { at::mm_out(C, A, B); });
  const auto N = static_cast<double>(Size);
  return {Time, 2 * N * N * N / Time * 1e-6};
}

/// Small sizes draw less power and keep their clocks; large ones fill the GPU. The best counts.
/// What takes long fills it already: a GPU for games takes two seconds for the largest in fp64.
double bestMatmul(Device &Device, c10::ScalarType Type, bool Tf32 = false) {
  double Best = 0;
  for (int64_t Size : {2048, 4096, 8192}) {
    Product One = multiply(Device, Type, Size, Tf32);
    Best = std::max(Best, One.Tflops);
    if (One.TimeUs > 10'000)
      break;
  }
  return Best;
}

} // namespace

Json cupel::worker::measurePeaks(Device &Device) {
  if (!Device.isCuda())
    return {{"state", "not_measured"}, {"reason", reason("no-cuda-device", "no CUDA device")}};
  at::NoGradGuard NoGrad;
  Json Reply = {{"state", "measured"}, {"reason", nullptr}};
  Reply["dram_gb_per_s"] = bandwidths(Device);
  Device.emptyCache();
  Reply["tflops"] = {{"float64", bestMatmul(Device, at::kDouble)},
                     {"float32", bestMatmul(Device, at::kFloat)},
                     {"tf32", bestMatmul(Device, at::kFloat, /*Tf32=*/true)},
                     {"float16", bestMatmul(Device, at::kHalf)},
                     {"bfloat16", bestMatmul(Device, at::kBFloat16)}};
  const Json Info = Device.info();
  Reply["l2_bytes"] = Info["l2_bytes"];
  Reply["dram_theoretical_gb_per_s"] = Info["memory_gb_per_s"];
  Device.emptyCache();
  return Reply;
}
