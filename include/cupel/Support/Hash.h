//===- Hash.h - content hashes that name cache entries ----------------------===//
#ifndef CUPEL_SUPPORT_HASH_H
#define CUPEL_SUPPORT_HASH_H

#include "cupel/Support/Error.h"
#include "llvm/Support/BLAKE3.h"

namespace cupel {

/// Hashes a sequence of fields. Each is preceded by its length, so that ("ab", "c") and ("a", "bc")
/// differ.
class ContentHasher {
public:
  ContentHasher &add(llvm::StringRef Field);
  ContentHasher &add(uint64_t Number);
  /// 32 hexadecimal digits: the first 128 bits of BLAKE3, enough against chance and against
  /// somebody who looks for two equal ones (2^64 tries).
  std::string hex();

private:
  llvm::BLAKE3 Hasher;
};

/// Whether \p Text can be what ContentHasher::hex gives.
bool isContentHash(llvm::StringRef Text);

/// ContentHasher of one field.
std::string contentHash(llvm::StringRef Data);

/// contentHash of a file's bytes. Errors: as readFile of File.h.
llvm::Expected<std::string> contentHashOfFile(llvm::StringRef Path);

} // namespace cupel

#endif // CUPEL_SUPPORT_HASH_H
