//===- OutsideWork.h - work that a call's time does not hold ----------------===//
#ifndef CUPEL_PROFILE_OUTSIDEWORK_H
#define CUPEL_PROFILE_OUTSIDEWORK_H

#include "cupel/Profile/ProfileRecord.h"

namespace cupel {

/// `work-outside-time`, when the candidate's time in \p Timing, which events on the current stream
/// took, is not all of a call: work on a stream that nobody joins, or left to a thread. Two clocks
/// tell. The host's ran until the device was idle: nearly all of the candidate's calls must have
/// left it more to wait for than nearly all of a baseline's, so that other processes on the GPU,
/// which make both wait, are no reason. \p GpuBusyUs, by CUPTI, is the time of one call in which
/// any stream worked; it is also longer where a call does less when it is timed. Work of few
/// microseconds on top of a call's time is told by neither.
std::optional<Reason> findOutsideWork(const TimingRecord &Timing, std::optional<double> GpuBusyUs);

} // namespace cupel

#endif // CUPEL_PROFILE_OUTSIDEWORK_H
