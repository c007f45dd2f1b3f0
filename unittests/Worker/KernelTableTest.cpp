#include "Cupti/KernelTable.h"
#include "Cupti/Occupancy.h"
#include "Cupti/Provenance.h"
#include "gtest/gtest.h"
#include <cmath>
#include <cstdio>
#include <cuda_runtime_api.h>
#include <fstream>
#include <map>

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
  auto Share = [&] { return theoreticalOccupancy(Kernel, Properties)->Share; };
  auto Limits = [&] { return theoreticalOccupancy(Kernel, Properties)->Limits; };
  using Names = std::vector<std::string>;
  EXPECT_DOUBLE_EQ(Share(), 1.0);
  Kernel.Registers = 64; // 65536 / (64 * 256) = 4 blocks of 8 warps.
  EXPECT_DOUBLE_EQ(Share(), 0.5);
  EXPECT_EQ(Limits(), Names{"registers"});
  Kernel.Registers = 32;
  Kernel.DynamicShared = 100000; // Two blocks.
  EXPECT_DOUBLE_EQ(Share(), 0.25);
  EXPECT_EQ(Limits(), Names{"shared_memory"});
  Kernel.DynamicShared = 0;
  Kernel.Block = {32, 1, 1}; // 32 blocks an SM at most.
  EXPECT_DOUBLE_EQ(Share(), 0.5);
  EXPECT_EQ(Limits(), Names{"blocks"});
  Kernel.Block = {33, 1, 1}; // A started warp counts whole: 32 blocks of 2 warps.
  EXPECT_DOUBLE_EQ(Share(), 1.0);
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

TEST(KernelTable, GapsAreWhatNoActivityCovers) {
  cudaDeviceProp Properties = hopper();
  KernelTable Table("/s/lib.so", Properties);
  auto At = [](uint64_t Start, uint64_t End) {
    Activity Result = kernel("a", End);
    Result.Start = Start;
    return Result;
  };
  // In any order; two that overlap leave no gap, and one inside another ends nothing.
  Table.addCall({At(9000, 9500), At(1000, 4000), At(2000, 3000), At(3500, 6000)});
  EXPECT_DOUBLE_EQ(Table.launchGapsUs(), 3.0);
  EXPECT_DOUBLE_EQ(Table.busyUs(), 5.5);
  KernelTable One("/s/lib.so", Properties);
  One.addCall({At(1000, 4000)});
  EXPECT_DOUBLE_EQ(One.launchGapsUs(), 0.0);
  EXPECT_DOUBLE_EQ(One.busyUs(), 3.0);
  One.addCall({At(1000, 9000)});
  EXPECT_DOUBLE_EQ(One.busyUs(), 3.0);
}

namespace {

/// Counted values, all 0 but those named.
CounterValues counted(CounterLevel Level, const std::map<std::string, double> &Named) {
  CounterValues Values;
  for (const char *Name : countedMetrics(Level)) {
    auto Found = Named.find(Name);
    Values.push_back(Found == Named.end() ? 0 : Found->second);
  }
  return Values;
}

Json recordOf(CounterLevel Level, const std::vector<CounterValues> &Launches) {
  Json Record = Json::object();
  addCounterFields(Record, Level, Launches);
  return Record;
}

const char *const Time = "gpu__time_duration.sum";

} // namespace

TEST(KernelTable, CountersOfSeveralLaunches) {
  cudaDeviceProp Properties = hopper();
  KernelTable Table("/s/lib.so", Properties);
  Table.addCall({kernel("a", 1000), kernel("a", 1000)});
  const char *Percent = "dram__throughput.avg.pct_of_peak_sustained_elapsed";
  auto Short =
      counted(CounterLevel::Basic, {{Time, 100}, {"dram__bytes.sum", 1000}, {Percent, 10}});
  auto Long = counted(CounterLevel::Basic, {{Time, 300}, {"dram__bytes.sum", 1000}, {Percent, 50}});
  Table.addCounters(CounterLevel::Basic, {Short, Long});
  Json Kernel = Table.toJson()[0];
  EXPECT_EQ(Kernel["state"], "measured");
  EXPECT_DOUBLE_EQ(Kernel["dram_bytes"], 2000);
  EXPECT_DOUBLE_EQ(Kernel["dram_gb_per_s"], 2000.0 / 400);
  EXPECT_DOUBLE_EQ(Kernel["dram_percent"], 40); // By time.
  EXPECT_FALSE(Kernel.contains("l2_percent"));  // Of the level `full`.
  EXPECT_THROW(Table.addCounters(CounterLevel::Basic, {Short}), NotMeasured);
}

TEST(Metrics, SectorsARequestAndBytesASecond) {
  Json Record = recordOf(
      CounterLevel::Full,
      {counted(CounterLevel::Full, {{Time, 500},
                                    {"lts__t_bytes.sum", 2000},
                                    {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 320},
                                    {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 10}})});
  EXPECT_DOUBLE_EQ(Record["l2_gb_per_s"], 4);
  EXPECT_DOUBLE_EQ(Record["load_sectors_per_request"], 32);
  EXPECT_FALSE(Record.contains("store_sectors_per_request")); // It stored nothing.
  EXPECT_FALSE(Record.contains("stalls"));                    // Nothing was issued.
}

TEST(Metrics, TheThreeStallsThatCostMost) {
  auto Stalled = [](const std::string &Why) {
    return "smsp__average_warps_issue_stalled_" + Why + "_per_issue_active.ratio";
  };
  Json Record =
      recordOf(CounterLevel::Full, {counted(CounterLevel::Full, {{Time, 100},
                                                                 {Stalled("barrier"), 2},
                                                                 {Stalled("long_scoreboard"), 6},
                                                                 {Stalled("wait"), 0.5},
                                                                 {Stalled("gmma"), std::nan("")},
                                                                 {Stalled("drain"), 0.5},
                                                                 {Stalled("selected"), 1}})});
  ASSERT_EQ(Record["stalls"].size(), 3u);
  EXPECT_EQ(Record["stalls"][0]["reason"], "long_scoreboard");
  EXPECT_DOUBLE_EQ(Record["stalls"][0]["cycles_per_instruction"], 6);
  EXPECT_DOUBLE_EQ(Record["stalls"][0]["share"], 0.6);
  EXPECT_EQ(Record["stalls"][1]["reason"], "barrier");
  EXPECT_EQ(Record["stalls"][2]["reason"], "wait"); // `selected` is no stall.
}

TEST(Metrics, AHitRateOfPassesThatDoNotFitIsLeftOut) {
  auto WithRate = [](double Percent) {
    return recordOf(
        CounterLevel::Basic,
        {counted(CounterLevel::Basic, {{Time, 1248}, {"lts__t_sector_hit_rate.pct", Percent}})});
  };
  EXPECT_FALSE(WithRate(209.6).contains("l2_hit_rate")); // Seen of a kernel that moved 22 KB.
  EXPECT_DOUBLE_EQ(WithRate(100)["l2_hit_rate"], 1);
}

TEST(Metrics, WhatTheChipDoesNotCountIsLeftOut) {
  Json Record = recordOf(
      CounterLevel::Basic,
      {counted(CounterLevel::Basic, {{Time, 100}, {"lts__t_sector_hit_rate.pct", std::nan("")}})});
  EXPECT_FALSE(Record.contains("l2_hit_rate"));
  EXPECT_DOUBLE_EQ(Record["dram_bytes"], 0);
}

TEST(RangeProfiler, EveryArchitectureHasTheMetrics) {
  const std::vector<const char *> &All = countedMetrics(CounterLevel::Full);
  for (const char *Chip :
       {"GV100", "TU102", "GA100", "GA102", "AD102", "GH100", "GB100", "GB202"}) {
    size_t Passes = passesOn(Chip, countedMetrics(CounterLevel::Basic));
    EXPECT_GE(Passes, 1u) << Chip;
    EXPECT_LE(Passes, 3u) << Chip;
    std::vector<const char *> Known = metricsOn(Chip, All);
    EXPECT_GE(Known.size() + 3, All.size()) << Chip; // Stall reasons come and go.
    EXPECT_LE(passesOn(Chip, Known), 24u) << Chip;
  }
  EXPECT_EQ(metricsOn("GH100", All), All);
  EXPECT_TRUE(metricsOn("GH100", {"sm__nonsense.sum"}).empty());
  EXPECT_THROW(passesOn("GH100", {"sm__nonsense.sum"}), NotMeasured);
  EXPECT_THROW(passesOn("GX999", All), NotMeasured);
}
