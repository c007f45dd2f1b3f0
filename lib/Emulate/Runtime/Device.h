// The device that is emulated, after an H100 SXM (compute capability 9.0), and what its runtime
// keeps: the error that is to be told, attributes of kernels, streams that are captured.
#pragma once

#include "H100.h"
#include "cupel/emulate/Runtime.h"

#include <functional>

namespace cupel::emu {

struct KernelAttributes {
  size_t MaxDynamicShared = 48 << 10;
};

KernelAttributes kernelAttributes(const void *Function);
/// The site of `registerKernel`; one without a name, that may wait for anything, if there is none.
Site registeredSite(const void *Function);

/// Where the submission calls cudaLaunchKernel or its kin, while it does; else 0.
unsigned lineOfPointerLaunch();

enum class Refusal { Configuration, Value, TooManyBlocks };
/// Sets the error that cudaGetLastError returns, and returns it.
int refuseLaunch(Refusal Kind);

/// A kernel failed: all later calls fail, as after an illegal address on a GPU.
void setStickyError();
int stickyError();

unsigned blocksPerMultiprocessor(unsigned Threads, size_t SharedBytes);

/// The next number of those that the seed gives.
uint64_t nextRandom();

/// When the stream is captured, keeps the work for its graph and returns true.
bool recordInCapture(void *Stream, std::function<void()> Work);

} // namespace cupel::emu
