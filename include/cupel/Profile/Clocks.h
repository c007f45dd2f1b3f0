//===- Clocks.h - at which clocks the times were taken ----------------------===//
#ifndef CUPEL_PROFILE_CLOCKS_H
#define CUPEL_PROFILE_CLOCKS_H

#include "cupel/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>
#include <vector>

namespace cupel {

/// What the driver said of the clocks while blocks were timed, in the order read; the three lists
/// have the same length.
struct ClockReadings {
  std::vector<double> SmMhz, TemperatureC;
  std::vector<double> EventReasons; ///< NVML's bits, whole numbers.
  std::optional<Reason> NotMeasured;
};

/// Why the driver held the clock back.
struct ClockLimit {
  std::string Name;       ///< `sw-power-cap`: NVML's name in our spelling.
  double Share = 0;       ///< Of the readings, 0 to 1.
  bool Throttles = false; ///< False: somebody asked for it, such as a fixed clock.
};

/// The `clocks` of the record's `timing`.
struct ClockRecord {
  std::optional<Reason> Why; ///< Why nothing was measured; the rest is empty then.
  unsigned Readings = 0;     ///< Those in which the GPU was not idle.
  double SmMhzMin = 0, SmMhzMedian = 0, SmMhzMax = 0, TemperatureCMax = 0;
  std::vector<ClockLimit> Limits; ///< Those that were seen, the most frequent first.

  bool throttled() const;
};

/// Works \p Readings out. Those in which the driver calls the GPU idle do not count: its clock then
/// is not one that anything was timed at.
ClockRecord summarizeClocks(const ClockReadings &Readings);

llvm::json::Value toJson(const ClockReadings &Readings);
bool fromJSON(const llvm::json::Value &Value, ClockReadings &Out, llvm::json::Path P);
llvm::json::Value toJson(const ClockRecord &Record);
bool fromJSON(const llvm::json::Value &Value, ClockRecord &Out, llvm::json::Path P);

} // namespace cupel

#endif // CUPEL_PROFILE_CLOCKS_H
