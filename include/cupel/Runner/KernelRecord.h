//===- KernelRecord.h - a GPU kernel as CUPTI saw it ------------------------===//
#ifndef CUPEL_RUNNER_KERNELRECORD_H
#define CUPEL_RUNNER_KERNELRECORD_H

#include "cupel/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <array>
#include <optional>
#include <string>
#include <vector>

namespace cupel {

/// Why warps could not issue; docs/measuring.md lists the reasons, which are ncu's.
struct StallRecord {
  std::string Reason;              ///< `long_scoreboard`, `barrier`, ...
  double CyclesPerInstruction = 0; ///< Of a warp, from one instruction to its next.
  double Share = 0;                ///< Of all such cycles, 0 to 1.
};

/// One GPU kernel, summed over its launches in one call of the entry.
struct KernelRecord {
  std::string Name, MangledName;
  std::string Provenance; ///< submission, torch, vendor, runtime or unknown.
  unsigned Calls = 0;
  double TimeUs = 0; ///< Per call of the entry.
  double Share = 0;  ///< Of the GPU time of the call, 0 to 1.
  std::array<unsigned, 3> Grid{}, Block{};
  unsigned Registers = 0;
  uint64_t SharedBytes = 0, LocalBytes = 0; ///< Shared: static and dynamic, a block.
  /// What keeps the theoretical occupancy where it is: `registers`, `shared_memory`, `blocks`,
  /// `warps`, `barriers`.
  std::vector<std::string> OccupancyLimits;
  /// Counters, absent where not measured. Occupancies, hit rates and sector use are 0 to 1.
  std::optional<double> TheoreticalOccupancy, AchievedOccupancy;
  std::optional<double> DramBytes, DramGbPerS, DramPercent;
  std::optional<double> L2Bytes, L2GbPerS, L2Percent, L2HitRate, L1HitRate;
  std::optional<double> SmPercent, TensorPercent, IssuePercent;
  /// Of global memory: sectors of 32 bytes that a warp's access touches, and how much of a sector
  /// it asks for.
  std::optional<double> LoadSectorsPerRequest, StoreSectorsPerRequest, LoadSectorUse,
      StoreSectorUse;
  std::optional<double> SharedBankConflicts, SharedWavefronts;
  std::optional<double> LocalLoadBytes, LocalStoreBytes; ///< Spills and arrays of a thread.
  std::vector<StallRecord> Stalls;                       ///< The three that cost most.
  std::string State;         ///< `measured` or `not_measured`: the counters.
  std::optional<Reason> Why; ///< Why the counters were not measured.
};

/// Calls \p Visit(key of the record, field) for each counter of \p K.
template <typename Kernel, typename Visitor> void eachCounter(Kernel &K, Visitor Visit) {
  Visit("theoretical_occupancy", K.TheoreticalOccupancy);
  Visit("achieved_occupancy", K.AchievedOccupancy);
  Visit("dram_bytes", K.DramBytes);
  Visit("dram_gb_per_s", K.DramGbPerS);
  Visit("dram_percent", K.DramPercent);
  Visit("l2_bytes", K.L2Bytes);
  Visit("l2_gb_per_s", K.L2GbPerS);
  Visit("l2_percent", K.L2Percent);
  Visit("l2_hit_rate", K.L2HitRate);
  Visit("l1_hit_rate", K.L1HitRate);
  Visit("sm_percent", K.SmPercent);
  Visit("tensor_percent", K.TensorPercent);
  Visit("issue_percent", K.IssuePercent);
  Visit("load_sectors_per_request", K.LoadSectorsPerRequest);
  Visit("store_sectors_per_request", K.StoreSectorsPerRequest);
  Visit("load_sector_use", K.LoadSectorUse);
  Visit("store_sector_use", K.StoreSectorUse);
  Visit("shared_bank_conflicts", K.SharedBankConflicts);
  Visit("shared_wavefronts", K.SharedWavefronts);
  Visit("local_load_bytes", K.LocalLoadBytes);
  Visit("local_store_bytes", K.LocalStoreBytes);
}

/// An operator of torch that the entry asked for in one call.
struct OperatorCalls {
  std::string Name; ///< `aten::empty`.
  unsigned Calls = 0;
};

struct ProfileData {
  std::string State = "not_measured"; ///< `measured` or `not_measured`.
  std::optional<Reason> Why;
  /// Time within one call, between its first kernel's start and its last one's end, in which the
  /// GPU did nothing.
  std::optional<double> LaunchGapsUs;
  std::optional<unsigned> Multiprocessors; ///< Of the GPU.
  std::vector<KernelRecord> Kernels;
  /// All that were dispatched, also by other operators; and the files of the libraries that came
  /// into the process with the submission's or through its calls. A submission could hide both,
  /// which are told and judge nothing: its kernels are seen by CUPTI.
  std::vector<OperatorCalls> TorchOperators;
  std::vector<std::string> Libraries;
  /// Time of one call in which any stream had a kernel, copy or fill at work, the least of several.
  std::optional<double> GpuBusyUs;
};

llvm::json::Value toJson(const StallRecord &Stall);
llvm::json::Value toJson(const KernelRecord &Kernel);
llvm::json::Value toJson(const OperatorCalls &Operator);
llvm::json::Value toJson(const ProfileData &Profile);

/// Reads one of `kernels`; what is wrong is reported to \p P.
bool readKernel(const llvm::json::Value &Value, KernelRecord &Out, llvm::json::Path P);

} // namespace cupel

#endif // CUPEL_RUNNER_KERNELRECORD_H
