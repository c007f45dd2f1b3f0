//===- Randomness.cpp - nonces and the seeds of calls -----------------------===//

#include "Randomness.h"
#include "cupel/Support/Hash.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <sys/random.h>

using namespace cupel;

namespace {

void fillRandom(void *Data, size_t Bytes) {
  // Up to 256 bytes come whole once the kernel's source is ready (getrandom(2)).
  if (::getrandom(Data, Bytes, 0) != static_cast<ssize_t>(Bytes))
    llvm::report_fatal_error("the kernel's random source failed");
}

} // namespace

std::string cupel::randomHex(unsigned Bytes) {
  llvm::SmallVector<uint8_t, 32> Data(Bytes);
  fillRandom(Data.data(), Data.size());
  return llvm::toHex(Data, /*LowerCase=*/true);
}

uint64_t cupel::randomSeed() {
  uint64_t Seed = 0;
  fillRandom(&Seed, sizeof Seed);
  return Seed;
}

std::string cupel::seedText(uint64_t Seed) {
  std::string Text;
  llvm::raw_string_ostream(Text) << llvm::format_hex_no_prefix(Seed, 16);
  return Text;
}

std::string cupel::callSeed(uint64_t Master, llvm::StringRef Case, llvm::StringRef Purpose,
                            uint64_t Number) {
  return ContentHasher().add(Master).add(Case).add(Purpose).add(Number).hex().substr(0, 16);
}
