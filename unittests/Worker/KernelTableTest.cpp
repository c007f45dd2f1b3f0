#include "Cupti/KernelTable.h"
#include "Cupti/Occupancy.h"
#include "Cupti/Provenance.h"
#include "gtest/gtest.h"
#include <cstdio>
#include <cuda_runtime_api.h>
#include <fstream>

using namespace cupel::worker;

namespace {

cudaDeviceProp hopper() {
  cudaDeviceProp Properties{};
  Properties.major = 9;
  Properties.warpSize = 32;
  Properties.maxThreadsPerBlock = 1024;
  Properties.maxThreadsPerMultiProcessor = 2048;
  Properties.regsPerBlock = Properties.regsPerMultiprocessor = 65536;
  Properties.sharedMemPerBlock = 49152;
  Properties.sharedMemPerBlockOptin = 232448;
  Properties.sharedMemPerMultiprocessor = 233472;
  Properties.reservedSharedMemPerBlock = 1024;
  Properties.multiProcessorCount = 132;
  return Properties;
}

Activity kernel(const char *Name, uint64_t Nanoseconds, unsigned Threads = 256) {
  Activity Result;
  Result.Name = Name;
  Result.End = Nanoseconds;
  Result.Grid = {8, 1, 1};
  Result.Block = {Threads, 1, 1};
  Result.Registers = 32;
  return Result;
}

Activity from(const char *Name, const char *Caller) {
  Activity Result = kernel(Name, 1);
  Result.Caller = Caller;
  return Result;
}

} // namespace

TEST(Occupancy, LimitsOfHopper) {
  cudaDeviceProp Properties = hopper();
  Activity Kernel = kernel("k", 1);
  EXPECT_DOUBLE_EQ(*theoreticalOccupancy(Kernel, Properties), 1.0);
  Kernel.Registers = 64; // 65536 / (64 * 256) = 4 blocks of 8 warps.
  EXPECT_DOUBLE_EQ(*theoreticalOccupancy(Kernel, Properties), 0.5);
  Kernel.Registers = 32;
  Kernel.DynamicShared = 100000; // Two blocks.
  EXPECT_DOUBLE_EQ(*theoreticalOccupancy(Kernel, Properties), 0.25);
  Kernel.DynamicShared = 0;
  Kernel.Block = {32, 1, 1}; // 32 blocks an SM at most.
  EXPECT_DOUBLE_EQ(*theoreticalOccupancy(Kernel, Properties), 0.5);
  Kernel.Block = {33, 1, 1}; // A started warp counts whole: 32 blocks of 2 warps.
  EXPECT_DOUBLE_EQ(*theoreticalOccupancy(Kernel, Properties), 1.0);
}

TEST(Provenance, CallerDecides) {
  EXPECT_EQ(provenanceOf(from("mine", "/s/lib.so"), "/s/lib.so"), "submission");
  EXPECT_EQ(provenanceOf(from("anything", "/t/libtorch_cuda.so"), "/s/lib.so"), "torch");
  EXPECT_EQ(provenanceOf(from("sm90_xmma_gemm_f32f32", "/t/libcublasLt.so.13"), "/s/lib.so"),
            "vendor");
  EXPECT_EQ(provenanceOf(from("mine", ""), "/s/lib.so"), "unknown");
}

TEST(Provenance, GraphNodesAreFoundByTheLibrarysKernelNames) {
  std::string File = testing::TempDir() + "/cupel-provenance.so";
  std::ofstream(File, std::ios::binary) << std::string("ELF\0_Z4minePf\0end", 17);
  EXPECT_EQ(provenanceOf(from("_Z4minePf", ""), File), "submission");
  EXPECT_EQ(provenanceOf(from("_Z4mineP", ""), File), "unknown");
  EXPECT_EQ(provenanceOf(from("_Z5otherPf", ""), File), "unknown");
  std::remove(File.c_str());
}

TEST(Provenance, NamesOfOthersWin) {
  // Compiled into the submission from headers, and still not its own.
  EXPECT_EQ(provenanceOf(from("_ZN2at6native9vectorizeEv", "/s/lib.so"), "/s/lib.so"), "torch");
  EXPECT_EQ(provenanceOf(from("_ZN3cub6detail4scanEv", "/s/lib.so"), "/s/lib.so"), "vendor");
  // A submission may call its kernel what it likes.
  EXPECT_EQ(provenanceOf(from("my_gemm_kernel", "/s/lib.so"), "/s/lib.so"), "submission");
  EXPECT_EQ(provenanceOf(from("ampere_sgemm_128x64_tn", ""), "/s/lib.so"), "vendor");
  Activity Copy = from("memcpy", "");
  Copy.What = Activity::Kind::Memcpy;
  EXPECT_EQ(provenanceOf(Copy, "/s/lib.so"), "runtime");
}

TEST(Provenance, Demangling) {
  EXPECT_EQ(demangled("_Z5scaleIfEvPKT_i"), "void scale<float>(float const*, int)");
  EXPECT_EQ(demangled("plain_c"), "plain_c");
}

TEST(KernelTable, SumsUpByKernelAndTakesTheMedianOverCalls) {
  cudaDeviceProp Properties = hopper();
  KernelTable Table("/s/lib.so", Properties);
  for (uint64_t Time : {1000, 9000, 2000})
    Table.addCall({kernel("a", Time), kernel("b", 500), kernel("a", 1000)});
  EXPECT_EQ(Table.kernelLaunches(), 3u);
  Json Kernels = Table.toJson();
  ASSERT_EQ(Kernels.size(), 2u);
  EXPECT_EQ(Kernels[0]["name"], "a");
  EXPECT_EQ(Kernels[0]["calls"], 2);
  EXPECT_DOUBLE_EQ(Kernels[0]["time_us"], 3.0);
  EXPECT_DOUBLE_EQ(Kernels[0]["share"], 3.0 / 3.5);
  EXPECT_EQ(Kernels[0]["state"], "not_measured");
}

TEST(KernelTable, OtherBlocksAreOtherRows) {
  cudaDeviceProp Properties = hopper();
  KernelTable Table("/s/lib.so", Properties);
  Table.addCall({kernel("a", 1000), kernel("a", 1000, 128)});
  EXPECT_EQ(Table.toJson().size(), 2u);
}

TEST(KernelTable, CountersOfSeveralLaunches) {
  cudaDeviceProp Properties = hopper();
  KernelTable Table("/s/lib.so", Properties);
  Table.addCall({kernel("a", 1000), kernel("a", 1000)});
  size_t Count = countedMetrics().size();
  CounterValues Short(Count), Long(Count);
  Short[0] = 100, Long[0] = 300;   // ns
  Short[1] = 1000, Long[1] = 1000; // bytes
  Short[2] = 10, Long[2] = 50;     // % of peak
  Table.addCounters({Short, Long});
  Json Kernel = Table.toJson()[0];
  EXPECT_EQ(Kernel["state"], "measured");
  EXPECT_DOUBLE_EQ(Kernel["dram_bytes"], 2000);
  EXPECT_DOUBLE_EQ(Kernel["dram_gb_per_s"], 2000.0 / 400);
  EXPECT_DOUBLE_EQ(Kernel["dram_percent"], 40); // By time.
  EXPECT_THROW(Table.addCounters({Short}), NotMeasured);
}

TEST(RangeProfiler, EveryArchitectureHasTheMetrics) {
  for (const char *Chip :
       {"GV100", "TU102", "GA100", "GA102", "AD102", "GH100", "GB100", "GB202"}) {
    size_t Passes = passesOn(Chip, countedMetrics());
    EXPECT_GE(Passes, 2u) << Chip;
    EXPECT_LE(Passes, 24u) << Chip;
  }
  EXPECT_THROW(passesOn("GH100", {"sm__nonsense.sum"}), NotMeasured);
  EXPECT_THROW(passesOn("GX999", countedMetrics()), NotMeasured);
}
