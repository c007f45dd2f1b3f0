// The limits of the device that is emulated, an H100 SXM (programming guide, table of technical
// specifications for compute capability 9.0).
#pragma once

#include <cstddef>

namespace cupel::emu {

constexpr unsigned Multiprocessors = 132, ThreadsPerMultiprocessor = 2048,
                   BlocksPerMultiprocessor = 32, RegistersPerMultiprocessor = 65536;
constexpr size_t MaxSharedOptIn = 232448, SharedPerMultiprocessor = 233472, ReservedShared = 1024;
constexpr size_t DeviceMemoryBytes = size_t(8) << 30;

} // namespace cupel::emu
