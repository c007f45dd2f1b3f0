// The list of the kernels that ran.

#include "Run.h"

namespace {

using Kernels = EmulateTest;

template <class T> __global__ void scale(T *x, T by) { x[threadIdx.x] *= by; }
__global__ void idle() {}

TEST_F(Kernels, EachIsListedOnceWithItsFirstShape) {
  const Device<float> X(std::vector<float>(8, 1.0f));
  const Device<int> Y(8);
  emu::launcher(emu::Site{"scale", 1, emu::Waits::Never}, scale<float>)(1, 8, 64)(X, 2.0f);
  emu::launcher(emu::Site{"scale", 1, emu::Waits::Never}, scale<float>)(1, 4)(X, 2.0f);
  emu::launcher(emu::Site{"scale", 1, emu::Waits::Never}, scale<int>)(1, 8)(Y, 2);
  ASSERT_EQ(cupelEmulateKernelCount(), 2u);
  const CupelEmulationKernel First = *cupelEmulateKernelAt(0);
  EXPECT_STREQ(First.Name, "scale");
  EXPECT_NE(std::string(First.MangledName).find("scaleIf"), std::string::npos) << First.MangledName;
  EXPECT_EQ(First.Calls, 2u);
  EXPECT_EQ(First.Block[0], 8u);
  EXPECT_EQ(First.Grid[1], 1u);
  EXPECT_EQ(First.DynamicSharedBytes, 64u);
  EXPECT_NE(std::string(cupelEmulateKernelAt(1)->MangledName).find("scaleIi"), std::string::npos);
  EXPECT_EQ(cupelEmulateKernelAt(2), nullptr);
  cupelEmulateReset();
  EXPECT_EQ(cupelEmulateKernelCount(), 0u);
}

TEST_F(Kernels, WhatIsRefusedOrOnlyCapturedDidNotRun) {
  LAUNCH(idle, Never, 1, 2048)();
  EXPECT_EQ(cupelEmulateKernelCount(), 0u);
  cudaStream_t Stream;
  cudaGraph_t Graph;
  cudaGraphExec_t Executable;
  cudaStreamCreate(&Stream);
  cudaStreamBeginCapture(Stream, cudaStreamCaptureModeGlobal);
  LAUNCH(idle, Never, 1, 32, 0, Stream)();
  cudaStreamEndCapture(Stream, &Graph);
  EXPECT_EQ(cupelEmulateKernelCount(), 0u);
  cudaGraphInstantiate(&Executable, Graph, 0);
  cudaGraphLaunch(Executable, Stream);
  cudaGraphLaunch(Executable, Stream);
  ASSERT_EQ(cupelEmulateKernelCount(), 1u);
  EXPECT_EQ(cupelEmulateKernelAt(0)->Calls, 2u);
}

} // namespace
