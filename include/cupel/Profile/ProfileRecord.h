//===- ProfileRecord.h - what the raw time samples say ----------------------===//
#ifndef CUPEL_PROFILE_PROFILERECORD_H
#define CUPEL_PROFILE_PROFILERECORD_H

#include "cupel/Profile/Clocks.h"
#include "cupel/Profile/Statistics.h"
#include "cupel/Profile/TimingSeries.h"
#include "llvm/Support/JSON.h"

namespace cupel {

/// `measured` or `not_measured`.
enum class MeasuredState { Measured, NotMeasured };
llvm::StringRef toString(MeasuredState State);
std::optional<MeasuredState> parseMeasuredState(llvm::StringRef Text);

/// A baseline against the candidate.
struct BaselineTiming {
  std::string Name; ///< As docs/measuring.md lists them: `eager`, `compiled-tf32`, ...
  MeasuredState State = MeasuredState::NotMeasured;
  std::optional<Reason> Why;     ///< Why not, when not measured.
  std::optional<double> TimeUs;  ///< Median.
  std::optional<double> Speedup; ///< Median of the baseline over that of the candidate.
  std::optional<Interval> SpeedupCi95;
  unsigned Samples = 0;
  std::optional<double> Noise;
  std::optional<double> WarmUs; ///< Median with a warm L2 cache; decides nothing.
  /// What the host waited for beyond a call's time, in 95 of 100 calls at most.
  std::optional<double> HostRestUs;
};

/// The `timing` of the record (design section 11).
struct TimingRecord {
  MeasuredState State = MeasuredState::NotMeasured;
  std::optional<Reason> Why;
  std::optional<double> CandidateUs; ///< Median.
  std::optional<double> HostUs;      ///< Median wall time of the same calls.
  /// What the host waited for beyond a call's time, in 95 of 100 calls at least.
  std::optional<double> HostRestUs;
  unsigned Samples = 0;
  std::optional<double> Noise;       ///< Relative; see relativeNoise().
  std::string StoppedBy;             ///< `noise` or `time`.
  std::optional<double> WarmUs;      ///< Median with a warm L2 cache; decides nothing.
  std::optional<ClockRecord> Clocks; ///< Absent when nothing was timed.
  std::vector<BaselineTiming> Baselines;
};

/// The output of the profile phase: all that follows from the raw samples of the run.
struct ProfileRecord {
  TimingRecord Timing;
};

/// Works \p Series out: the one named `candidate` against all others. \p NotMeasured: why nothing
/// was timed, for a Series that is empty.
TimingRecord summarizeTiming(llvm::ArrayRef<TimingSeries> Series,
                             const std::optional<Reason> &NotMeasured = std::nullopt);

llvm::json::Value toJson(const TimingRecord &Record);
llvm::Expected<TimingRecord> timingRecordFromJson(const llvm::json::Value &Value);

/// `{"timing": ...}`.
llvm::json::Value toJson(const ProfileRecord &Record);
llvm::Expected<ProfileRecord> profileRecordFromJson(const llvm::json::Value &Value);

} // namespace cupel

#endif // CUPEL_PROFILE_PROFILERECORD_H
