//===- OutsideWork.cpp - work that a call's time does not hold --------------===//

#include "cupel/Profile/OutsideWork.h"
#include "cupel/Support/Text.h"
#include <algorithm>

using namespace cupel;

namespace {

/// Waiting for the device takes about 10 us longer than what is waited for (docs/measuring.md); the
/// judge and the candidate, which is isolated, do not differ by as much.
constexpr double UsualRestUs = 15, RestShare = 0.05;

/// The profile's calls are others than the timed ones, a little later and at other clocks.
constexpr double BusyUs = 3, BusyShare = 0.25;

/// What the host waited for beyond \p TimeUs.
double restUs(std::optional<double> HostUs, double TimeUs) {
  return HostUs ? std::max(*HostUs - TimeUs, 0.0) : 0;
}

} // namespace

std::optional<Reason> cupel::findOutsideWork(const TimingRecord &Timing,
                                             std::optional<double> GpuBusyUs) {
  if (!Timing.CandidateUs)
    return std::nullopt;
  const double Time = *Timing.CandidateUs;
  const std::string Where = ": on a stream that the current one does not wait for, or by a thread";
  double Usual = UsualRestUs;
  for (const BaselineTiming &B : Timing.Baselines)
    if (B.TimeUs)
      Usual = std::max(Usual, UsualRestUs + restUs(B.HostUs, *B.TimeUs));
  const double Rest = restUs(Timing.HostUs, Time);
  if (Rest > Usual + RestShare * Time)
    return Reason{"work-outside-time", "the device works for " + formatMicroseconds(Rest) +
                                           " after a call's time of " + formatMicroseconds(Time) +
                                           " is over" + Where};
  if (GpuBusyUs && *GpuBusyUs > (1 + BusyShare) * Time + BusyUs)
    return Reason{"work-outside-time", "a call that CUPTI looks at keeps the device busy for " +
                                           formatMicroseconds(*GpuBusyUs) + ", a timed one takes " +
                                           formatMicroseconds(Time) + Where +
                                           ", or it is left out when it is timed"};
  return std::nullopt;
}
