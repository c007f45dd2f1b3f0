// RUN: not %cupel lint --checks=work-launch-limits %s | FileCheck %s --implicit-check-not='[work-launch-limits]'
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

constexpr int Bytes = 256 * 1024;
torch::Tensor forward(torch::Tensor x, int64_t threads, int64_t bytes) {
  auto y = torch::empty_like(x);
  const float *p = x.data_ptr<float>();
  float *q = y.data_ptr<float>();
  // CHECK: launch-limits.cu:[[#@LINE+1]]:3: reject: the launch asks for 262144 bytes of shared memory a block; no device has more than 232448 [work-launch-limits]
  relu<<<1, 256, Bytes>>>(p, q, 1);
  // CHECK: :[[#@LINE+1]]:3: reject: the launch asks for 2048 threads a block; no device takes more than 1024{{.*}}[work-launch-limits]
  relu<<<1, dim3(64, 32)>>>(p, q, 1);
  // CHECK: :[[#@LINE+1]]:3: reject: the launch asks for 1025 threads{{.*}}[work-launch-limits]
  relu<<<1, 1025>>>(p, q, 1);
  relu<<<1, 1024>>>(p, q, 1);                    // accepted: the limit
  relu<<<1, dim3(32, 32)>>>(p, q, 1);            // accepted: the limit
  relu<<<1, dim3(16, 16, 4)>>>(p, q, 1);         // accepted: the limit
  relu<<<1, 256, 227 * 1024>>>(p, q, 1);         // accepted: the limit
  relu<<<1, 256, 48 * 1024>>>(p, q, 1);          // accepted: below it
  relu<<<1 << 20, 256>>>(p, q, 1);               // accepted: many blocks
  relu<<<dim3(1, 65535), 256>>>(p, q, 1);        // accepted: many blocks
  relu<<<1, threads>>>(p, q, 1);                 // accepted: not known
  relu<<<1, dim3(threads, 64)>>>(p, q, 1);       // accepted: not known
  relu<<<1, 256, bytes>>>(p, q, 1);              // accepted: not known
  relu<<<1, 256, x.size(1) * sizeof(float)>>>(p, q, 1); // accepted: not known
  return y;
}
