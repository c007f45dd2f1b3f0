//===- CacheDirectory.h - folders that are made once and shared -------------===//
//
// Precompiled headers and built submissions are kept in a cache that many processes and threads of
// one user share. An entry is a folder. It is made in a temporary folder and appears by a rename,
// so that it exists whole or not at all: a maker that is killed leaves only a temporary folder,
// which the next maker of the entry removes, or a later prune.
//
//===----------------------------------------------------------------------===//
#ifndef CUPEL_SUPPORT_CACHEDIRECTORY_H
#define CUPEL_SUPPORT_CACHEDIRECTORY_H

#include "cupel/Support/Error.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>
#include <optional>

namespace cupel {

class CacheDirectory {
public:
  /// CUPEL_CACHE_DIR, else XDG_CACHE_HOME/cupel, else ~/.cache/cupel, else a folder of the user's
  /// own among the temporary files. Nothing is created yet.
  static CacheDirectory standard();
  explicit CacheDirectory(std::string Root) : Root(std::move(Root)) {}

  llvm::StringRef root() const { return Root; }

  /// Makes the root folder, or that of \p Kind, when it is not there. Error: `cache-unwritable`, as
  /// getOrCreate has it.
  llvm::Error prepare(llvm::StringRef Kind = "");

  /// The folder of the entry, made by \p Make when it is not there. \p Make fills the folder it is
  /// given. Of several threads and processes that want the same entry one makes it and the others
  /// wait; when the maker fails or dies, the next one tries. An entry that was used last longest
  /// ago is the first that prune removes.
  ///
  /// \p Kind is a short word, `pch` or `build`; \p Key is usually a content hash.
  /// Errors: `cache-unwritable`, which names the folder and the variable that moves it, and
  /// whatever \p Make returns. Its `file-unwritable` for a file in the folder it was given becomes
  /// `cache-unwritable`.
  llvm::Expected<std::string>
  getOrCreate(llvm::StringRef Kind, llvm::StringRef Key,
              llvm::function_ref<llvm::Error(llvm::StringRef TempDir)> Make);

  /// The folder of an entry that is there, and marks it as used. What somebody else may have put
  /// there is not there.
  std::optional<std::string> lookup(llvm::StringRef Kind, llvm::StringRef Key);

  struct Entry {
    std::string Kind, Key, Path;
    uint64_t Bytes = 0;
    int64_t LastUse = 0; ///< Nanoseconds since 1970.
  };
  /// All whole entries, the one used last longest ago first.
  std::vector<Entry> list() const;
  uint64_t totalBytes() const;

  /// Removes entries, the one used last longest ago first, until at most \p MaxBytes are left, and
  /// what killed makers left behind, at once. An entry used in the last hour stays, since somebody
  /// may be reading it. Returns the bytes freed.
  uint64_t prune(uint64_t MaxBytes);

  /// The size in bytes that the cache keeps to: CUPEL_CACHE_MAX_GB, else 20 GB. Error:
  /// `cache-bad-limit`, when the variable has no size.
  static llvm::Expected<uint64_t> sizeLimit();

  /// Prunes to sizeLimit() when no process has for an hour; getOrCreate does after it made an
  /// entry. Whoever dies or fails at it does no harm.
  void keepBounded();

  /// Removes one entry, for example one whose reader found it damaged.
  void remove(llvm::StringRef Kind, llvm::StringRef Key);

private:
  std::string Root;
};

} // namespace cupel

#endif // CUPEL_SUPPORT_CACHEDIRECTORY_H
