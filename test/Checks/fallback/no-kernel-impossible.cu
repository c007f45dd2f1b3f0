// One launch, behind a condition that no input makes true; each entry is another such condition.
// RUN: split-file %s %t
// A submission is one file: what all of them share is written into each.
// RUN: sed -i -e '/#include "mine.h"/{r %t/mine.h' -e 'd}' %t/never*.cu %t/may*.cu
// RUN: not %cupel lint --checks=fallback-no-kernel %t/never*.cu | FileCheck %s --check-prefix=NEVER
// RUN: %cupel lint --checks=fallback-no-kernel %t/may*.cu | FileCheck %s --check-prefix=MAY
// REQUIRES: cupel, torch, cuda-headers
// NEVER-COUNT-12: never{{[0-9]+}}.cu: rejected: 1 reject
// MAY-NOT: reject

//--- mine.h
#include <torch/extension.h>
__global__ void relu(const float *x, float *y, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n)
    y[i] = fmaxf(x[i], 0.f);
}
static void run(const torch::Tensor &x, torch::Tensor &y) {
  relu<<<(x.numel() + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), x.numel());
}
//--- never00.cu
#include "mine.h"
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  if (x.numel() < 0)
    run(x, y);
  return y;
}
//--- never01.cu
#include "mine.h"
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  const int n = x.size(0) * x.size(1);
  if (n <= -1 || 0 > n)
    run(x, y);
  return y;
}
//--- never02.cu
#include "mine.h"
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  if (x.sizes().size() < 0u)
    run(x, y);
  return y;
}
//--- never03.cu
#include "mine.h"
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int64_t rest = x.numel() % 4;
  if (rest > 3)
    run(x, y);
  return y;
}
//--- never04.cu
#include "mine.h"
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  if (!(x.dim() >= 0))
    run(x, y);
  return y;
}
//--- never05.cu
#include "mine.h"
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  for (int i = 0; i < 0; ++i)
    run(x, y);
  return y;
}
//--- never06.cu
#include "mine.h"
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  while (x.size(-1) < 0)
    run(x, y);
  return y;
}
//--- never07.cu
#include "mine.h"
static bool enabled = false;
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  if (enabled)
    run(x, y);
  return y;
}
//--- never08.cu
#include "mine.h"
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  unsigned blocks = x.numel() / 256;
  if (blocks < 0)
    run(x, y);
  return y;
}
//--- never09.cu
#include "mine.h"
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  if (x.numel() >= 0)
    return y;
  run(x, y);
  return y;
}
//--- never10.cu
#include "mine.h"
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  switch (x.numel() & 3) {
  case 4: run(x, y);
  }
  return y;
}
//--- never11.cu
#include "mine.h"
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int way = 0;
  if (way != 0 && x.numel() > 4)
    run(x, y);
  return y;
}
//--- may00.cu
#include "mine.h"
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  if (x.numel() > 0)
    run(x, y);
  return y;
}
//--- may01.cu
#include "mine.h"
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int n = x.size(0) - 4;
  if (n < 0)
    run(x, y);
  return y;
}
//--- may02.cu
#include "mine.h"
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int way = 0;
  if (x.numel() > 4)
    way = 1;
  if (way != 0)
    run(x, y);
  return y;
}
//--- may03.cu
#include "mine.h"
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  for (int i = 0; i < x.size(0); ++i)
    run(x, y);
  return y;
}
//--- may04.cu
#include "mine.h"
static bool once = false;
void set() { once = true; }
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  if (once)
    run(x, y);
  run(x, y);
  return y;
}
//--- may05.cu
#include "mine.h"
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int left = x.numel();
  while (left > 0) {
    run(x, y);
    left -= 256;
  }
  return y;
}
//--- may06.cu
#include "mine.h"
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  switch (x.numel() & 3) {
  case 0: run(x, y); break;
  default: run(x, y);
  }
  return y;
}
//--- may07.cu
#include "mine.h"
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int way = 0;
  auto choose = [&way] { way = 1; };
  choose();
  if (way == 1)
    run(x, y);
  return y;
}
//--- may08.cu
#include "mine.h"
struct Tensor { int numel() const { return -1; } };
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  Tensor own;
  if (own.numel() < 0)
    run(x, y);
  return y;
}
//--- may09.cu
#include "mine.h"
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  unsigned n = x.numel();
  if (n - 4 < 0u + n)
    run(x, y);
  return y;
}
//--- may10.cu
#include "mine.h"
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int8_t wrapped = 0;
  wrapped -= x.size(0);
  if (wrapped < 0)
    run(x, y);
  return y;
}
//--- may11.cu
#include "mine.h"
int kind = 0;
torch::Tensor forward(torch::Tensor x) {
  auto y = torch::empty_like(x);
  if (kind == 1)
    run(x, y);
  else
    run(y, y);
  return y;
}
