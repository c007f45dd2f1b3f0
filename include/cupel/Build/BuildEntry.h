//===- BuildEntry.h - a built submission in the cache -----------------------===//
#ifndef CUPEL_BUILD_BUILDENTRY_H
#define CUPEL_BUILD_BUILDENTRY_H

#include "cupel/Build/BuildRecord.h"
#include "cupel/Support/CacheDirectory.h"
#include <optional>

namespace cupel {

/// The kind of the entries, and their library's name in them.
inline constexpr const char BuildKind[] = "build";
inline constexpr const char LibraryName[] = "submission.so";

/// The record of the entry in \p Folder, State Cached. Nothing when the entry is damaged: its
/// record cannot be read, or its library has not the contents that were built.
std::optional<BuildRecord> readBuildEntry(llvm::StringRef Folder);

/// Writes \p Record beside the library in \p Folder, and the library's hash into both. Error:
/// `build-no-library`.
llvm::Error writeBuildEntry(llvm::StringRef Folder, BuildRecord &Record);

/// Looks whether the library that \p Build names is the one that was built, before it is run. What
/// the cache no longer holds whole is taken out of \p Build, to be built again. Error, with \p File
/// as place: `record-other-library`, for a library outside of \p Cache or with other contents.
llvm::Error checkLibrary(std::optional<BuildRecord> &Build, CacheDirectory Cache,
                         llvm::StringRef File);

} // namespace cupel

#endif // CUPEL_BUILD_BUILDENTRY_H
