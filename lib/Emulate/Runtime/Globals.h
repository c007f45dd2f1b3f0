// Variables of the submission outside of functions, of the device and of the host, by their place
// in memory: AddressSanitizer's instrumentation tells them when the library is loaded, and leaves
// room behind each that no access may touch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace cupel::emu {

enum class GlobalAccess { Inside, Constant, Outside, Elsewhere };
/// Whether `Size` bytes at `Address` lie in a variable, in a `__constant__` one, past the end of
/// one, or where none is.
GlobalAccess findGlobal(uintptr_t Address, size_t Size);
/// The variable that ends nearest before `Address`, at most `Reach` bytes, as the end of a sentence
/// about an access there; empty if there is none.
std::string describeGlobal(uintptr_t Address, size_t Size, size_t Reach);

/// Of the variable at `Address`: its name, and its size, 0 if there is none.
std::string nameOfGlobal(uintptr_t Address);
size_t sizeOfGlobal(uintptr_t Address);

} // namespace cupel::emu
