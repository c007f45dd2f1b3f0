//===- CudaLabelsTest.cpp - host tensors that say they are on a CUDA device -===//
//
// A program of its own: the labels change what torch's dispatcher does in the whole process.
//
//===----------------------------------------------------------------------===//

#include "Emulation/CudaLabels.h"
#include <ATen/ATen.h>
#include <cstdlib>
#include <gtest/gtest.h>
#include <set>

namespace {

std::set<void *> Live;

void *allocate(size_t Bytes) {
  void *Address = std::aligned_alloc(512, (Bytes / 512 + 1) * 512);
  Live.insert(Address);
  return Address;
}
void release(void *Address) {
  EXPECT_EQ(Live.erase(Address), 1u);
  std::free(Address);
}

class CudaLabels : public testing::Test {
protected:
  static void SetUpTestSuite() { cupel::worker::installCudaLabels({allocate, release}); }
  const at::TensorOptions Cuda = at::TensorOptions(c10::Device(c10::kCUDA, 0)).dtype(at::kFloat);

  static bool isDeviceMemory(const at::Tensor &Tensor) {
    return Live.count(Tensor.storage().mutable_data());
  }
};

TEST_F(CudaLabels, AllocationsAreOnTheDevice) {
  for (const at::Tensor &T :
       {at::empty({2, 3}, Cuda), at::zeros({2, 3}, Cuda), at::ones({4}, Cuda),
        at::full({4}, 7, Cuda), at::empty_like(at::ones({4}, Cuda)), at::arange(5, Cuda),
        at::ones({4}, Cuda).new_empty({7}), at::empty_strided({2, 3}, {1, 2}, Cuda)}) {
    EXPECT_TRUE(T.is_cuda());
    EXPECT_EQ(T.device(), c10::Device(c10::kCUDA, 0));
    EXPECT_EQ(T.options().device(), c10::Device(c10::kCUDA, 0));
    EXPECT_EQ(T.get_device(), 0);
    EXPECT_TRUE(isDeviceMemory(T));
  }
  EXPECT_FALSE(at::empty({3}).is_cuda());
}

TEST_F(CudaLabels, OperatorsComputeAndKeepTheLabel) {
  at::Tensor A = at::arange(6, Cuda).view({2, 3}), B = at::ones({2, 3}, Cuda);
  at::Tensor C = A + 2 * B;
  EXPECT_TRUE(C.is_cuda());
  EXPECT_EQ(C.sum().item<float>(), 27);
  EXPECT_EQ(at::matmul(A, B.t()).sum().item<float>(), 30);
  EXPECT_EQ(at::cat({A, B}).sizes(), (std::vector<int64_t>{4, 3}));
  EXPECT_TRUE(at::stack({A, B}).is_cuda());
  EXPECT_EQ(A.index({at::tensor({1}, Cuda.dtype(at::kLong))}).sum().item<float>(), 12);
  auto [Values, Indices] = at::max(A, 1);
  EXPECT_TRUE(Values.is_cuda() && Indices.is_cuda());
}

TEST_F(CudaLabels, ViewsShareTheStorage) {
  at::Tensor A = at::zeros({2, 3}, Cuda);
  A.select(0, 1).fill_(5);
  A.slice(1, 0, 1).add_(1);
  EXPECT_EQ(A.sum().item<float>(), 17);
  EXPECT_TRUE(A.t().storage().is_alias_of(A.storage()));
  EXPECT_TRUE(A.reshape({3, 2}).is_alias_of(A));
  EXPECT_EQ(A.t().contiguous().sizes(), (std::vector<int64_t>{3, 2}));
}

TEST_F(CudaLabels, CopiesCrossTheBorder) {
  at::Tensor Host = at::arange(4, at::kFloat);
  at::Tensor Device = Host.to(Cuda.device());
  EXPECT_TRUE(Device.is_cuda());
  EXPECT_NE(Device.data_ptr(), Host.data_ptr());
  EXPECT_FALSE(Device.cpu().is_cuda());
  EXPECT_EQ(Device.cpu().sum().item<float>(), 6);
  Device.copy_(Host * 2);
  EXPECT_EQ(Device.sum().item<float>(), 12);
  EXPECT_EQ(Device.to(at::kHalf).scalar_type(), at::kHalf);
  EXPECT_TRUE(Device.to(at::kHalf).is_cuda());
}

TEST_F(CudaLabels, ResultsInPlaceAndOut) {
  at::Tensor A = at::ones({3}, Cuda), Out = at::empty({0}, Cuda);
  EXPECT_TRUE(A.add_(1).is_same(A));
  at::add_out(Out, A, A);
  EXPECT_EQ(Out.sizes(), (std::vector<int64_t>{3}));
  EXPECT_TRUE(Out.is_cuda());
  EXPECT_EQ(Out.sum().item<float>(), 12);
  A.resize_({5});
  EXPECT_EQ(A.numel(), 5);
}

TEST_F(CudaLabels, MemoryIsFreed) {
  size_t Before = Live.size();
  {
    at::Tensor A = at::ones({100}, Cuda);
    at::Tensor B = (A * 2).view({10, 10}).t().contiguous();
    EXPECT_GT(Live.size(), Before);
  }
  EXPECT_EQ(Live.size(), Before);
}

} // namespace
