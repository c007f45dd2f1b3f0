//===- Poison.cpp - memory that tells when nobody has written it ------------===//

#include "Poison.h"
#include <ATen/core/Tensor.h>
#include <ATen/ops/full.h>

using namespace cupel::worker;

void cupel::worker::poisonFreeMemory(Device &Device, const std::vector<int64_t> &Sizes) {
  // Emulation/CudaLabels.cpp fills whatever it hands out.
  if (Device.isEmulated())
    return;
  // torch's allocator keeps free blocks up to 1 MiB and larger ones apart, so one of each serves
  // workspaces; both are given back first, so that no older block fits better.
  Device.emptyCache();
  std::vector<at::Tensor> Held;
  auto Take = [&](int64_t Bytes) {
    if (Bytes > 0)
      Held.push_back(
          at::full({Bytes}, 0xFF, c10::TensorOptions(Device.torch()).dtype(c10::ScalarType::Byte)));
  };
  // Twice each: the entry may make an output, drop it and make another.
  for (int Round = 0; Round < 2; ++Round)
    for (int64_t Size : Sizes)
      Take(Size);
  for (int64_t Size :
       {int64_t(512), int64_t(4096), int64_t(65536), int64_t(1) << 20, int64_t(8) << 20})
    Take(Size);
}
