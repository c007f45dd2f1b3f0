//===- KernelBound.cpp - what a kernel's time is spent on ---------------------===//

#include "cupel/Report/KernelBound.h"
#include "cupel/Support/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Format.h"

using namespace cupel;
using llvm::StringRef;

namespace {

/// From this part of its peak rate on a unit is taken for what bounds a kernel: ncu's rule
/// "Speed Of Light" draws the same line (Kernel Profiling Guide, "Sections and Rules").
constexpr double BusyPercent = 60;

/// A launch costs a GPU a few microseconds between kernels (docs/measuring.md).
constexpr double LaunchUs = 5;

/// Of what is no bound by itself, but costs time: from here on it is told.
constexpr double PoorSectorUse = 0.5, ManyConflicts = 0.2, LowOccupancy = 0.5;

std::string formatted(const char *Format, double Value) {
  std::string Text;
  llvm::raw_string_ostream(Text) << llvm::format(Format, Value);
  return Text;
}

std::string percent(double Value) { return formatted("%.0f %%", Value); }

/// What a stall reason means for a reader who does not know ncu's names.
StringRef meaningOf(StringRef Stall) {
  return llvm::StringSwitch<StringRef>(Stall)
      .Case("long_scoreboard", "for global or local memory")
      .Case("short_scoreboard", "for shared memory or a special function")
      .Case("barrier", "at a barrier of the block")
      .Case("membar", "for a memory fence")
      .Case("mio_throttle", "for a place in the queue of shared memory and special functions")
      .Case("lg_throttle", "for a place in the queue of global memory")
      .Case("tex_throttle", "for a place in the queue of textures")
      .Case("math_pipe_throttle", "for a busy arithmetic unit")
      .Case("wait", "for the fixed latency of an instruction before")
      .Case("no_instruction", "for their instructions to be fetched")
      .Case("not_selected", "for their turn among ready warps")
      .Case("sleeping", "in __nanosleep")
      .Case("dispatch_stall", "for the dispatcher")
      .Case("drain", "for their last stores")
      .Case("branch_resolving", "for a branch")
      .Case("imc_miss", "for constants that missed their cache")
      .Case("gmma", "for the tensor core's wgmma")
      .Default("for another reason");
}

std::string waitsOf(const KernelRecord &K) {
  if (K.Stalls.empty())
    return "";
  const StallRecord &Most = K.Stalls.front();
  return "; warps wait most " + meaningOf(Most.Reason).str() + " (" +
         printableLine(Most.Reason, 30) + ", " + percent(100 * Most.Share) + " of their cycles)";
}

std::string occupancyOf(const KernelRecord &K) {
  if (!K.AchievedOccupancy || *K.AchievedOccupancy >= LowOccupancy)
    return "";
  std::string Text = "; occupancy is " + percent(100 * *K.AchievedOccupancy);
  if (!K.TheoreticalOccupancy)
    return Text;
  Text += " of a possible " + percent(100 * *K.TheoreticalOccupancy);
  if (*K.TheoreticalOccupancy < 1 && !K.OccupancyLimits.empty()) {
    std::string Limits = printableLine(llvm::join(K.OccupancyLimits, " and "), 60);
    std::replace(Limits.begin(), Limits.end(), '_', ' ');
    Text += ", limited by " + Limits;
  }
  return Text;
}

/// What makes memory slower than it need be.
std::string wasteOf(const KernelRecord &K) {
  std::string Text;
  if (K.LoadSectorUse && *K.LoadSectorUse > 0 && *K.LoadSectorUse < PoorSectorUse)
    Text += "; loads use " + percent(100 * *K.LoadSectorUse) + " of the sectors that they fetch";
  if (K.StoreSectorUse && *K.StoreSectorUse > 0 && *K.StoreSectorUse < PoorSectorUse)
    Text += "; stores use " + percent(100 * *K.StoreSectorUse) + " of the sectors that they write";
  if (K.SharedBankConflicts && K.SharedWavefronts && *K.SharedWavefronts > 0)
    if (double Share = *K.SharedBankConflicts / *K.SharedWavefronts; Share > ManyConflicts)
      Text += "; " + percent(100 * Share) + " of shared memory's cycles are bank conflicts";
  double Local = K.LocalLoadBytes.value_or(0) + K.LocalStoreBytes.value_or(0);
  if (Local > 0)
    Text += "; " + formatBytes(static_cast<uint64_t>(Local)) + " go to and from local memory";
  return Text;
}

struct Unit {
  StringRef By, Name;
  std::optional<double> Percent;
};

std::string unitsOf(llvm::ArrayRef<Unit> Units) {
  std::string Text;
  for (const Unit &U : Units)
    if (U.Percent)
      Text += (Text.empty() ? "" : ", ") + U.Name.str() + " " + percent(*U.Percent);
  return Text;
}

} // namespace

std::optional<KernelBound> cupel::boundOf(const KernelRecord &K,
                                          std::optional<unsigned> Multiprocessors) {
  if (K.State != "measured" || !K.DramPercent)
    return std::nullopt;
  // Tensor before arithmetic: sm__throughput is that of the busiest unit, tensor cores included.
  const Unit Units[] = {{"dram", "DRAM", K.DramPercent},
                        {"tensor", "tensor cores", K.TensorPercent},
                        {"l2", "L2 cache", K.L2Percent},
                        {"arithmetic", "multiprocessors", K.SmPercent}};
  const Unit *Busiest = &Units[0];
  // What DRAM moves passes through the L2 cache, whose rate is often the higher of the two: a copy
  // keeps DRAM at 88 % and L2 at 92 % of their peaks on an H200.
  const bool KeepsDramBusy = *K.DramPercent >= BusyPercent;
  for (const Unit &U : Units)
    if (U.Percent.value_or(0) > Busiest->Percent.value_or(0) && !(KeepsDramBusy && U.By == "l2"))
      Busiest = &U;
  if (*Busiest->Percent >= BusyPercent) {
    std::string Rate;
    if (Busiest->By == "dram" && K.DramGbPerS)
      Rate = formatted(" (%.0f GB/s)", *K.DramGbPerS);
    else if (Busiest->By == "l2" && K.L2GbPerS)
      Rate = formatted(" (%.0f GB/s)", *K.L2GbPerS);
    return KernelBound{Busiest->By.str(), "bound by " + Busiest->Name.str() + ", at " +
                                              percent(*Busiest->Percent) + " of the peak rate" +
                                              Rate + wasteOf(K)};
  }
  const std::string Figures = unitsOf(Units);
  double Blocks = double(K.Grid[0]) * K.Grid[1] * K.Grid[2];
  if (Multiprocessors && Blocks < *Multiprocessors)
    return KernelBound{"parallelism", "bound by parallelism: " + formatted("%.0f", Blocks) +
                                          (Blocks == 1 ? " block for " : " blocks for ") +
                                          std::to_string(*Multiprocessors) + " multiprocessors (" +
                                          Figures + ")" + waitsOf(K)};
  if (K.Calls > 0 && K.TimeUs / K.Calls < LaunchUs)
    return KernelBound{"launch", "bound by its launch: it takes " +
                                     formatMicroseconds(K.TimeUs / K.Calls) + " (" + Figures + ")"};
  if (!K.SmPercent)
    return KernelBound{"unknown", "not bound by DRAM or tensor cores (" + Figures +
                                      "); '--profile full' counts more"};
  return KernelBound{"latency", "bound by latency: no unit is at " + percent(BusyPercent) + " (" +
                                    Figures + ")" + waitsOf(K) + occupancyOf(K) + wasteOf(K)};
}
