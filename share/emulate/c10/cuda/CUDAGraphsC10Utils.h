// Of torch's own what events and guards ask: nothing is captured, since graphs are not emulated.
#pragma once
#include <c10/cuda/CUDAStream.h>
#include <iosfwd>

namespace c10::cuda {
enum class CaptureStatus : int { None = 0, Active = 1, Invalidated = 2 };
inline CaptureStatus currentStreamCaptureStatusMayInitCtx() { return CaptureStatus::None; }
} // namespace c10::cuda
