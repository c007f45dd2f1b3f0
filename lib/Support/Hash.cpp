//===- Hash.cpp - content hashes that name cache entries --------------------===//

#include "cupel/Support/Hash.h"
#include "cupel/Support/File.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"

using namespace cupel;

ContentHasher &ContentHasher::add(uint64_t Number) {
  uint8_t Bytes[8];
  llvm::support::endian::write64le(Bytes, Number);
  Hasher.update(llvm::ArrayRef(Bytes));
  return *this;
}

ContentHasher &ContentHasher::add(llvm::StringRef Field) {
  add(uint64_t(Field.size()));
  Hasher.update(Field);
  return *this;
}

std::string ContentHasher::hex() {
  return llvm::toHex(llvm::ArrayRef(Hasher.final<16>()), /*LowerCase=*/true);
}

bool cupel::isContentHash(llvm::StringRef Text) {
  return Text.size() == 32 && Text.find_first_not_of("0123456789abcdef") == llvm::StringRef::npos;
}

std::string cupel::contentHash(llvm::StringRef Data) { return ContentHasher().add(Data).hex(); }

llvm::Expected<std::string> cupel::contentHashOfFile(llvm::StringRef Path) {
  llvm::Expected<std::string> Data = readFile(Path);
  if (!Data)
    return Data.takeError();
  return contentHash(*Data);
}
