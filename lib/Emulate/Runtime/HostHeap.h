// Memory that code of the submission allocates on the host, whose sizes the copies of the runtime
// must keep to. Only what is freed by code of the submission is seen to be: a mark behind each
// allocation, which its next owner writes over, tells those apart that others may have freed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace cupel::emu {

constexpr size_t HostMarkBytes = sizeof(uint64_t);
/// What to allocate for `Size` bytes and their mark. A size that nobody has stays one.
constexpr size_t withMark(size_t Size) {
  return Size > SIZE_MAX - HostMarkBytes ? Size : Size + HostMarkBytes;
}

/// `At`, where `withMark(Size)` bytes are; may be nullptr. Returns it.
void *rememberHost(void *At, size_t Size);
void forgetHost(const void *At);
/// What is wrong with `Size` bytes at `Address` of the host, as the end of a sentence; empty where
/// nothing is known to be.
std::string describeHostOverrun(uintptr_t Address, size_t Size);

} // namespace cupel::emu
