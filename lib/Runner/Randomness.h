//===- Randomness.h - nonces and the seeds of calls --------------------------===//
#ifndef CUPEL_LIB_RUNNER_RANDOMNESS_H
#define CUPEL_LIB_RUNNER_RANDOMNESS_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace cupel {

/// \p Bytes from the kernel's random source, in hexadecimal.
std::string randomHex(unsigned Bytes);

uint64_t randomSeed();

/// 16 hexadecimal digits.
std::string seedText(uint64_t Seed);

/// The seed of one call, which is all that a candidate ever sees. It comes from the master seed
/// through a hash, because splitmix64 and the like can be run backwards: knowing the seeds so far
/// tells neither the master nor the next. Only a master that somebody chose can be guessed.
std::string callSeed(uint64_t Master, llvm::StringRef Case, llvm::StringRef Purpose,
                     uint64_t Number);

} // namespace cupel

#endif // CUPEL_LIB_RUNNER_RANDOMNESS_H
