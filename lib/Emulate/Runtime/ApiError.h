// What the functions of the CUDA runtime share. Its names are the emulation's here too (Names.h).
#pragma once

#include "Device.h"
#include "cuda_runtime_api.h"

#include <vector>

namespace cupel::emu {

/// Remembers the error for cudaGetLastError, and returns it.
cudaError_t fail(cudaError_t Error);
inline cudaError_t sticky() { return static_cast<cudaError_t>(stickyError()); }

/// Does the work, or keeps it for the graph that the stream is captured into.
template <class F> void inStream(cudaStream_t Stream, F Work) {
  if (!recordInCapture(Stream, Work))
    Work();
}

/// What `Ask` asks for on the stream that it is given, kept instead of done.
std::vector<std::function<void()>> captured(std::function<void(void *Stream)> Ask);
/// A graph of what a stream was asked for, one after the other.
cudaGraph_t capturedGraph(std::vector<std::function<void()>> Work);

} // namespace cupel::emu
