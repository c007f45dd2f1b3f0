// What comes before a check decides whether it is reached.
// RUN: %cupel lint --checks=entry-guard --problem %S/../Inputs/rows.toml %s | FileCheck %s --implicit-check-not='[entry-guard]'
// REQUIRES: cupel, torch, cuda-headers

// CHECK: accepted: no findings

#include <torch/extension.h>

__global__ void fill(float *y) { y[threadIdx.x] = 1; }
torch::Tensor other(torch::Tensor x);
bool choose();

static void reshape(torch::Tensor &t) { t = t.unsqueeze(0); }
static bool tryLaunch(int threads) { return threads < 32; }

torch::Tensor forward(torch::Tensor x, torch::Tensor index, double scale, int64_t count) {
  reshape(x);
  TORCH_CHECK(x.dim() == 3, "unsqueezed");    // accepted: a helper changed it
  int64_t *where = &count;
  *where = 100;
  TORCH_CHECK(count == 100, "set");           // accepted: a pointer changed it
  bool seen = false;
  auto mark = [&] { seen = true; };
  mark();
  TORCH_CHECK(seen, "marked");                // accepted: a lambda changed it
  if (choose())
    count = 3;
  TORCH_CHECK(count == 3 || count == 100);    // accepted: not known
  if (index.dim() == 1 || !tryLaunch(64))
    return other(index);
  TORCH_CHECK(index.dim() == 2, "1-D is above"); // accepted: it has returned
  return x;
}
