//===- BuildEntry.cpp - a built submission in the cache ---------------------===//

#include "cupel/Build/BuildEntry.h"
#include "cupel/Support/File.h"
#include "cupel/Support/Hash.h"
#include "cupel/Support/Json.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

using namespace cupel;
using llvm::StringRef;

static constexpr const char *RecordName = "build.json";

static std::string libraryIn(StringRef Folder) { return (Folder + "/" + LibraryName).str(); }

static llvm::Expected<BuildRecord> readRecord(StringRef Folder) {
  llvm::Expected<std::string> Text = readTextFile((Folder + "/" + RecordName).str());
  if (!Text)
    return Text.takeError();
  llvm::Expected<llvm::json::Value> Value = parseJson(*Text);
  if (!Value)
    return Value.takeError();
  return buildRecordFromJson(*Value);
}

/// An entry appears whole, but a full disk, a bad one or a curious user can damage it later. To
/// hash a library takes a few milliseconds.
static bool hasHash(const std::string &Library, StringRef Expected) {
  llvm::Expected<std::string> Found = contentHashOfFile(Library);
  if (Found)
    return *Found == Expected;
  llvm::consumeError(Found.takeError());
  return false;
}

std::optional<BuildRecord> cupel::readBuildEntry(StringRef Folder) {
  llvm::Expected<BuildRecord> Record = readRecord(Folder);
  if (!Record) {
    llvm::consumeError(Record.takeError());
    return std::nullopt;
  }
  Record->Library = libraryIn(Folder);
  if (!hasHash(Record->Library, Record->LibraryHash))
    return std::nullopt;
  Record->State = BuildState::Cached;
  return std::move(*Record);
}

llvm::Error cupel::writeBuildEntry(StringRef Folder, BuildRecord &Record) {
  llvm::Expected<std::string> Hash = contentHashOfFile(libraryIn(Folder));
  if (!Hash)
    return makeError("build-no-library",
                     "the linker made no library: " + takeReasons(Hash.takeError()).front().Text);
  Record.LibraryHash = *Hash;
  return writeFileAtomically((Folder + "/" + RecordName).str(),
                             llvm::formatv("{0:2}\n", toJson(Record)).str());
}

llvm::Error cupel::checkLibrary(std::optional<BuildRecord> &Build, CacheDirectory Cache,
                                StringRef File) {
  if (!Build || (Build->State != BuildState::Built && Build->State != BuildState::Cached))
    return llvm::Error::success();
  auto Other = [&](const llvm::Twine &What) {
    return makeError("record-other-library", What + "; evaluate anew without --from",
                     {File.str(), 0, 0});
  };
  // Without a hash it was written by a version that knew none.
  if (!llvm::sys::fs::exists(Build->Library) || Build->LibraryHash.empty() || Build->Key.empty()) {
    Build.reset();
    return llvm::Error::success();
  }
  std::optional<std::string> Folder = Cache.lookup(BuildKind, Build->Key);
  if (!Folder || !llvm::sys::fs::equivalent(libraryIn(*Folder), Build->Library))
    return Other("the record's library '" + Build->Library + "' is not the one of its key in the " +
                 "cache folder '" + Cache.root() + "'");
  std::optional<BuildRecord> Entry = readBuildEntry(*Folder);
  if (!Entry) {
    Cache.remove(BuildKind, Build->Key);
    Build.reset();
  } else if (Entry->LibraryHash != Build->LibraryHash) {
    return Other("the library '" + Build->Library + "' has not the contents that the record says");
  }
  return llvm::Error::success();
}
