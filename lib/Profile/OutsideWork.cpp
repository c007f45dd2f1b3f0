//===- OutsideWork.cpp - work that a call's time does not hold --------------===//

#include "cupel/Profile/OutsideWork.h"
#include "cupel/Support/Text.h"
#include <algorithm>

using namespace cupel;

namespace {

/// The judge and the candidate, which is isolated, wait for the device by the same few microseconds
/// longer than what is waited for: 6 to 7 on an H200.
constexpr double RestUs = 15, RestShare = 0.05;

/// The profile's calls are others than the timed ones, a little later and at other clocks.
constexpr double BusyUs = 3, BusyShare = 0.25;

constexpr const char *Where =
    ": on a stream that the current one does not wait for, or by a thread";

/// What waiting for the device takes those who leave it nothing to do; nothing when no baseline was
/// timed. Another process's work on the GPU makes anybody wait, now and then.
std::optional<double> usualRestUs(const TimingRecord &Timing) {
  std::optional<double> Usual;
  for (const BaselineTiming &B : Timing.Baselines)
    if (B.HostRestUs)
      Usual = std::max(Usual.value_or(0), *B.HostRestUs);
  return Usual;
}

std::optional<Reason> seenByHost(const TimingRecord &Timing, double Time) {
  const std::optional<double> Usual = usualRestUs(Timing);
  if (!Usual || !Timing.HostRestUs || *Timing.HostRestUs <= *Usual + RestUs + RestShare * Time)
    return std::nullopt;
  return Reason{"work-outside-time",
                "the device works for " + formatMicroseconds(*Timing.HostRestUs) +
                    " after a call's time of " + formatMicroseconds(Time) + " is over" + Where};
}

std::optional<Reason> seenByCupti(std::optional<double> GpuBusyUs, double Time) {
  if (!GpuBusyUs || *GpuBusyUs <= (1 + BusyShare) * Time + BusyUs)
    return std::nullopt;
  return Reason{"work-outside-time", "a call that CUPTI looks at keeps the device busy for " +
                                         formatMicroseconds(*GpuBusyUs) + ", a timed one takes " +
                                         formatMicroseconds(Time) + Where +
                                         ", or it is left out when it is timed"};
}

} // namespace

std::optional<Reason> cupel::findOutsideWork(const TimingRecord &Timing,
                                             std::optional<double> GpuBusyUs) {
  if (!Timing.CandidateUs)
    return std::nullopt;
  if (std::optional<Reason> Seen = seenByHost(Timing, *Timing.CandidateUs))
    return Seen;
  return seenByCupti(GpuBusyUs, *Timing.CandidateUs);
}
