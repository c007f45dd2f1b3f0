//===- TemporaryDirectory.cpp - folders that end with their owner ------------===//
//
// A process that is killed removes nothing. In the system's folder for temporary files a folder is
// therefore locked while its owner lives (flock, which the kernel gives up with the owner), and
// whoever makes the next one removes those of the same kind that nobody locks. Process numbers
// would not do: two containers can share the folder and not the numbers.
//
//===----------------------------------------------------------------------===//

#include "cupel/Support/File.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <mutex>
#include <set>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace cupel;
using llvm::StringRef;

/// Locks the folder \p Path itself. -1 when it is locked already, or no folder of the user's own.
static int lockFolder(const std::string &Path) {
  int Number = ::open(Path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  struct stat Status;
  if (Number >= 0 && ::fstat(Number, &Status) == 0 && Status.st_uid == ::geteuid() &&
      ::flock(Number, LOCK_EX | LOCK_NB) == 0)
    return Number;
  if (Number >= 0)
    ::close(Number);
  return -1;
}

/// Younger ones may be made just now and not locked yet.
static bool isOld(int Number) {
  constexpr time_t Seconds = 60;
  struct stat Status;
  return ::fstat(Number, &Status) == 0 && Status.st_mtime + Seconds < ::time(nullptr);
}

/// Once a process: /tmp can hold many thousands of files.
static void removeLeftOvers(StringRef Parent, StringRef Prefix) {
  static std::mutex Guard;
  static std::set<std::string> Done;
  std::lock_guard<std::mutex> Lock(Guard);
  if (!Done.insert((Parent + "/" + Prefix).str()).second)
    return;
  std::error_code Failed;
  for (llvm::sys::fs::directory_iterator At(Parent, Failed), End; At != End && !Failed;
       At.increment(Failed)) {
    const std::string Path = At->path();
    StringRef Name = llvm::sys::path::filename(Path);
    // `-XXXXXX` of mkdtemp.
    if (!Name.consume_front(Prefix) || Name.size() != 7 || Name.front() != '-')
      continue;
    if (int Number = lockFolder(Path); Number >= 0) {
      if (isOld(Number))
        removeTree(Path);
      ::close(Number);
    }
  }
}

llvm::Expected<TemporaryDirectory> TemporaryDirectory::create(StringRef Prefix, StringRef Parent) {
  const bool IsSystems = Parent.empty();
  llvm::SmallString<128> Path(Parent);
  if (IsSystems) {
    llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/true, Path);
    removeLeftOvers(Path, Prefix);
  }
  llvm::sys::path::append(Path, Prefix + "-XXXXXX");
  // mkdtemp makes the folder for the user alone (mode 0700).
  std::string Name = Path.str().str();
  if (!::mkdtemp(Name.data()))
    return makeError("folder-unwritable", "no temporary folder can be made in '" +
                                              llvm::sys::path::parent_path(Path) +
                                              "': " + std::strerror(errno));
  TemporaryDirectory Made(Name);
  if (IsSystems)
    Made.Lock = lockFolder(Name);
  return Made;
}

TemporaryDirectory::TemporaryDirectory(TemporaryDirectory &&Other)
    : Path(std::exchange(Other.Path, std::string())), Lock(std::exchange(Other.Lock, -1)) {}

TemporaryDirectory &TemporaryDirectory::operator=(TemporaryDirectory &&Other) {
  std::swap(Path, Other.Path);
  std::swap(Lock, Other.Lock);
  return *this;
}

TemporaryDirectory::~TemporaryDirectory() {
  if (!Path.empty())
    removeTree(Path);
  if (Lock >= 0)
    ::close(Lock);
}
