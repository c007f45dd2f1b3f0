//===- CacheDirectory.cpp - folders that are made once and shared -----------===//
//
// ROOT/KIND/KEY              a whole entry; its time of modification is its last use
// ROOT/KIND/.KEY.lock        flock: one maker at a time
// ROOT/KIND/.KEY.tmp-XXXXXX  an entry that is being made
//
// flock belongs to the open file, so it also keeps threads of one process apart, and the kernel
// gives it up when its holder dies.
//
//===----------------------------------------------------------------------===//

#include "cupel/Support/CacheDirectory.h"
#include "cupel/Support/File.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace cupel;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static constexpr int64_t NanosecondsInHour = 3'600'000'000'000;

static std::string pathIn(StringRef Folder, const llvm::Twine &Name) {
  llvm::SmallString<256> Path(Folder);
  path::append(Path, Name);
  return Path.str().str();
}

CacheDirectory CacheDirectory::standard() {
  auto Variable = [](const char *Name) {
    return llvm::sys::Process::GetEnv(Name).value_or(std::string());
  };
  if (std::string Own = Variable("CUPEL_CACHE_DIR"); !Own.empty()) {
    // A relative folder would be another one for a child that runs elsewhere.
    llvm::SmallString<256> Absolute(Own);
    if (!fs::make_absolute(Absolute))
      Own = Absolute.str().str();
    return CacheDirectory(Own);
  }
  // The XDG specification has relative values ignored.
  if (std::string Xdg = Variable("XDG_CACHE_HOME"); path::is_absolute(Xdg))
    return CacheDirectory(pathIn(Xdg, "cupel"));
  if (std::string Home = Variable("HOME"); path::is_absolute(Home) && fs::is_directory(Home))
    return CacheDirectory(pathIn(Home, ".cache/cupel"));
  llvm::SmallString<128> Temporary;
  path::system_temp_directory(/*ErasedOnReboot=*/true, Temporary);
  return CacheDirectory(pathIn(Temporary, "cupel-" + llvm::Twine(::getuid())));
}

static llvm::Error unwritable(StringRef Root, const llvm::Twine &Why) {
  return makeError("cache-unwritable", "the cache folder '" + Root + "' cannot be used: " + Why +
                                           "; set CUPEL_CACHE_DIR to a folder that can be written");
}

static std::string textOf(llvm::Error E) { return takeReasons(std::move(E)).front().Text; }

/// A file that a maker could not write into the folder it was given is the cache's trouble, such as
/// a full disk.
static llvm::Error asUnwritable(llvm::Error Failed, StringRef Root, StringRef Temporary) {
  return llvm::handleErrors(std::move(Failed),
                            [&](std::unique_ptr<CupelError> Known) -> llvm::Error {
                              if (Known->code() == "file-unwritable" &&
                                  StringRef(Known->place().File).starts_with(Temporary))
                                return unwritable(Root, Known->text());
                              return llvm::Error(std::move(Known));
                            });
}

/// Why code from \p Folder cannot be run: somebody else may be able to put it there. Empty when
/// nobody.
static std::string whyUntrusted(StringRef Folder) {
  struct stat Status;
  if (::stat(Folder.str().c_str(), &Status) != 0)
    return std::strerror(errno);
  if (Status.st_uid != ::geteuid() && Status.st_uid != 0)
    return "it belongs to another user";
  if ((Status.st_mode & S_IWOTH) && !(Status.st_mode & S_ISVTX))
    return "everybody may write to it";
  return "";
}

/// Below a root like /tmp, where everybody can make folders, one of \p Folder's kind may be foreign
/// too.
static llvm::Error checkOwner(StringRef Root, StringRef Folder) {
  for (StringRef Checked : {Root, Folder})
    if (std::string Why = whyUntrusted(Checked); !Why.empty())
      return unwritable(Checked, Why);
  return llvm::Error::success();
}

/// What cupel puts into a folder of a kind that it makes. In others nothing is listed or removed:
/// the cache may be a folder in which others keep theirs.
static constexpr const char Mark[] = ".cupel-cache";

static void markOwn(StringRef Folder) {
  std::error_code Failed;
  llvm::raw_fd_ostream(pathIn(Folder, Mark), Failed, fs::CD_CreateAlways);
}

static llvm::Error prepareFolder(StringRef Root, StringRef Folder) {
  const bool New = Folder != Root && !fs::exists(Folder);
  if (std::error_code Failed =
          fs::create_directories(Folder, /*IgnoreExisting=*/true, fs::perms::owner_all))
    return unwritable(Root, Failed.message());
  if (llvm::Error Failed = checkOwner(Root, Folder))
    return Failed;
  if (::access(Folder.str().c_str(), W_OK | X_OK) != 0)
    return unwritable(Root, std::strerror(errno));
  if (New)
    markOwn(Folder);
  return llvm::Error::success();
}

llvm::Error CacheDirectory::prepare(StringRef Kind) {
  return prepareFolder(Root, Kind.empty() ? Root : pathIn(Root, Kind));
}

static bool isEntry(const std::string &Path) { return fs::is_directory(Path); }

/// Only the time is changed, and a failure (a cache that is read-only for us) is no harm.
static void markUsed(const std::string &Path) { ::utimensat(AT_FDCWD, Path.c_str(), nullptr, 0); }

namespace {
class FileLock {
public:
  /// Waits for the lock. A lock file that was removed in the meantime, as prune does, is not the
  /// one that others would wait for, so the wait starts anew.
  static llvm::Expected<FileLock> take(StringRef Root, const std::string &Path) {
    while (true) {
      int Number = ::open(Path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
      if (Number < 0)
        return unwritable(Root, std::strerror(errno));
      FileLock Lock(Number);
      while (::flock(Number, LOCK_EX) != 0)
        if (errno != EINTR)
          return unwritable(Root, std::strerror(errno));
      struct stat Ours, Named;
      if (::fstat(Number, &Ours) == 0 && ::stat(Path.c_str(), &Named) == 0 &&
          Ours.st_ino == Named.st_ino && Ours.st_dev == Named.st_dev)
        return Lock;
    }
  }

  /// True and locked only if nobody holds it.
  static bool tryRemove(const std::string &Path) {
    int Number = ::open(Path.c_str(), O_RDWR | O_CLOEXEC);
    if (Number < 0)
      return false;
    FileLock Lock(Number);
    return ::flock(Number, LOCK_EX | LOCK_NB) == 0 && ::unlink(Path.c_str()) == 0;
  }

  FileLock(FileLock &&Other) : Number(std::exchange(Other.Number, -1)) {}
  ~FileLock() {
    if (Number >= 0)
      ::close(Number);
  }

  /// Whether nobody holds it. No file is no lock: makers take it before anything else.
  static bool isFree(const std::string &Path) {
    int Number = ::open(Path.c_str(), O_RDWR | O_CLOEXEC);
    if (Number < 0)
      return errno == ENOENT;
    FileLock Lock(Number);
    return ::flock(Number, LOCK_EX | LOCK_NB) == 0;
  }

private:
  explicit FileLock(int Number) : Number(Number) {}
  int Number;
};
} // namespace

/// Calls \p Visit for each path in \p Folder.
static void forEachIn(const std::string &Folder,
                      llvm::function_ref<void(const std::string &Path)> Visit) {
  std::error_code Failed;
  for (fs::directory_iterator At(Folder, Failed), End; At != End && !Failed; At.increment(Failed))
    Visit(At->path());
}

static constexpr const char TemporaryPart[] = ".tmp-";

/// What makers of \p Key left that were killed. The lock of the key must be held.
static void removeLeftOvers(const std::string &Folder, StringRef Key) {
  forEachIn(Folder, [&](const std::string &Path) {
    if (path::filename(Path).starts_with(("." + Key + TemporaryPart).str()))
      removeTree(Path);
  });
}

std::optional<std::string> CacheDirectory::lookup(StringRef Kind, StringRef Key) {
  std::string Folder = pathIn(Root, Kind), Path = pathIn(Folder, Key);
  if (!isEntry(Path))
    return std::nullopt;
  for (StringRef Checked : {StringRef(Root), StringRef(Folder), StringRef(Path)})
    if (!whyUntrusted(Checked).empty())
      return std::nullopt;
  markUsed(Path);
  return Path;
}

llvm::Expected<std::string>
CacheDirectory::getOrCreate(StringRef Kind, StringRef Key,
                            llvm::function_ref<llvm::Error(StringRef TempDir)> Make) {
  assert(!Kind.empty() && !Key.empty() && !Key.starts_with(".") && !Key.contains('/'));
  if (std::optional<std::string> There = lookup(Kind, Key))
    return *There;
  std::string Folder = pathIn(Root, Kind);
  if (llvm::Error Failed = prepareFolder(Root, Folder))
    return Failed;
  llvm::Expected<FileLock> Lock = FileLock::take(Root, pathIn(Folder, "." + Key + ".lock"));
  if (!Lock)
    return Lock.takeError();
  if (std::optional<std::string> MadeMeanwhile = lookup(Kind, Key))
    return *MadeMeanwhile;

  removeLeftOvers(Folder, Key);
  llvm::Expected<TemporaryDirectory> Temporary =
      TemporaryDirectory::create(("." + Key + ".tmp").str(), Folder);
  if (!Temporary)
    return unwritable(Root, textOf(Temporary.takeError()));
  if (llvm::Error Failed = Make(Temporary->path()))
    return asUnwritable(std::move(Failed), Root, Temporary->path());
  std::string Path = pathIn(Folder, Key);
  if (::rename(Temporary->path().str().c_str(), Path.c_str()) != 0) {
    std::string Why = std::strerror(errno), Foreign = isEntry(Path) ? whyUntrusted(Path) : "";
    return Foreign.empty() ? unwritable(Root, Why) : unwritable(Path, Foreign);
  }
  Temporary->keep();
  markUsed(Path);
  keepBounded();
  return Path;
}

static int64_t lastUse(const std::string &Path) {
  struct stat Status;
  if (::stat(Path.c_str(), &Status) != 0)
    return 0;
  return int64_t(Status.st_mtim.tv_sec) * 1'000'000'000 + Status.st_mtim.tv_nsec;
}

static int64_t now() {
  struct timespec Time;
  ::clock_gettime(CLOCK_REALTIME, &Time);
  return int64_t(Time.tv_sec) * 1'000'000'000 + Time.tv_nsec;
}

static uint64_t bytesUnder(const std::string &Folder) {
  uint64_t Bytes = 0;
  std::error_code Failed;
  for (fs::recursive_directory_iterator At(Folder, Failed, /*FollowSymlinks=*/false), End;
       At != End && !Failed; At.increment(Failed))
    if (llvm::ErrorOr<fs::basic_file_status> Status = At->status();
        Status && Status->type() == fs::file_type::regular_file)
      Bytes += Status->getSize();
  return Bytes;
}

static void forEachKindIn(const std::string &Root,
                          llvm::function_ref<void(const std::string &Path)> Visit) {
  forEachIn(Root, [&](const std::string &Path) {
    if (fs::exists(pathIn(Path, Mark)))
      Visit(Path);
  });
}

std::vector<CacheDirectory::Entry> CacheDirectory::list() const {
  std::vector<Entry> Entries;
  forEachKindIn(Root, [&](const std::string &KindPath) {
    forEachIn(KindPath, [&](const std::string &Path) {
      StringRef Key = path::filename(Path);
      if (!Key.starts_with(".") && isEntry(Path))
        Entries.push_back(
            {path::filename(KindPath).str(), Key.str(), Path, bytesUnder(Path), lastUse(Path)});
    });
  });
  llvm::sort(Entries, [](const Entry &A, const Entry &B) { return A.LastUse < B.LastUse; });
  return Entries;
}

uint64_t CacheDirectory::totalBytes() const {
  uint64_t Bytes = 0;
  for (const Entry &E : list())
    Bytes += E.Bytes;
  return Bytes;
}

/// The entry gets another name before it is removed, so that nobody finds a part of it.
static void removeEntry(const std::string &Path) {
  std::string Doomed =
      pathIn(path::parent_path(Path), "." + path::filename(Path) + ".tmp-removed-" +
                                          llvm::Twine(llvm::sys::Process::GetRandomNumber()));
  if (::rename(Path.c_str(), Doomed.c_str()) == 0)
    removeTree(Doomed);
}

uint64_t CacheDirectory::prune(uint64_t MaxBytes) {
  const int64_t RecentlyUsed = now() - NanosecondsInHour;
  uint64_t Freed = 0;
  std::vector<Entry> Entries = list();
  uint64_t Total = 0;
  for (const Entry &E : Entries)
    Total += E.Bytes;
  for (const Entry &E : Entries) {
    if (Total <= MaxBytes || E.LastUse > RecentlyUsed)
      break;
    removeEntry(E.Path);
    Total -= E.Bytes;
    Freed += E.Bytes;
  }

  forEachKindIn(Root, [&](const std::string &KindPath) {
    forEachIn(KindPath, [&](const std::string &Path) {
      StringRef Name = path::filename(Path);
      auto [Key, Random] = Name.split(TemporaryPart);
      if (!Name.starts_with("."))
        return;
      if (Name.ends_with(".lock")) {
        if (lastUse(Path) <= RecentlyUsed)
          FileLock::tryRemove(Path);
      } else if (!Random.empty() && FileLock::isFree(pathIn(KindPath, Key + ".lock"))) {
        // Who would work in it took the lock before it was made. Another one that takes it now
        // makes a folder of another name.
        Freed += bytesUnder(Path);
        removeTree(Path);
      }
    });
  });
  return Freed;
}

llvm::Expected<uint64_t> CacheDirectory::sizeLimit() {
  constexpr uint64_t Gigabyte = 1'000'000'000;
  std::optional<std::string> Text = llvm::sys::Process::GetEnv("CUPEL_CACHE_MAX_GB");
  if (!Text || Text->empty())
    return 20 * Gigabyte;
  double Own = 0;
  if (!StringRef(*Text).getAsDouble(Own) && Own > 0 && Own < 1e6)
    return uint64_t(Own * double(Gigabyte));
  return makeError("cache-bad-limit",
                   "CUPEL_CACHE_MAX_GB is '" + *Text +
                       "': give the cache's size in GB, more than 0 and less than "
                       "1000000");
}

void CacheDirectory::keepBounded() {
  // To walk over thousands of entries takes longer than to make one: once an hour is enough.
  std::string Stamp = pathIn(Root, ".pruned");
  if (fs::exists(Stamp) && lastUse(Stamp) > now() - NanosecondsInHour)
    return;
  llvm::Expected<uint64_t> Limit = sizeLimit();
  if (!Limit) // The program has said so at its start.
    return llvm::consumeError(Limit.takeError());
  llvm::consumeError(writeFileAtomically(Stamp, ""));
  prune(*Limit);
}

void CacheDirectory::remove(StringRef Kind, StringRef Key) {
  removeEntry(pathIn(pathIn(Root, Kind), Key));
}
