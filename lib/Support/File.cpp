//===- File.cpp - reading what others wrote, writing whole files ------------===//

#include "cupel/Support/File.h"
#include "Descriptor.h"
#include "cupel/Support/Text.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

using namespace cupel;
using llvm::StringRef;

static std::string reason(int Errno) { return std::strerror(Errno); }

static llvm::Error openError(StringRef Path, int Errno) {
  SourcePlace Place{Path.str()};
  if (Errno == ENOENT || Errno == ENOTDIR)
    return makeError("file-missing", "no such file", Place);
  return makeError("file-unreadable", "cannot be read: " + reason(Errno), Place);
}

static llvm::Expected<std::string> readAll(int Number, StringRef Path, uint64_t MaxBytes) {
  std::string Data;
  char Buffer[1 << 16];
  while (true) {
    ssize_t Got = ::read(Number, Buffer, sizeof(Buffer));
    if (Got < 0 && errno == EINTR)
      continue;
    if (Got < 0)
      return makeError("file-unreadable", "cannot be read: " + reason(errno), {Path.str()});
    if (Got == 0)
      return Data;
    Data.append(Buffer, size_t(Got));
    // The size was checked before, but the file may grow, or lie about it as those of /proc do.
    if (Data.size() > MaxBytes)
      return makeError("file-too-big", "is larger than the limit of " + formatBytes(MaxBytes),
                       {Path.str()});
  }
}

llvm::Expected<std::string> cupel::readFile(StringRef Path, uint64_t MaxBytes) {
  // O_NONBLOCK: opening a pipe nobody writes to would wait for ever, before fstat could tell.
  Descriptor File(::open(Path.str().c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (File < 0)
    return openError(Path, errno);
  struct stat Status;
  if (::fstat(File, &Status) != 0)
    return openError(Path, errno);
  if (S_ISDIR(Status.st_mode))
    return makeError("file-is-directory", "is a folder, not a file", {Path.str()});
  if (!S_ISREG(Status.st_mode))
    return makeError("file-not-regular", "is a pipe or device, not a regular file", {Path.str()});
  if (uint64_t(Status.st_size) > MaxBytes)
    return makeError("file-too-big",
                     "has " + formatBytes(uint64_t(Status.st_size)) + ", more than the limit of " +
                         formatBytes(MaxBytes),
                     {Path.str()});
  return readAll(File, Path, MaxBytes);
}

llvm::Expected<std::string> cupel::readTextFile(StringRef Path, uint64_t MaxBytes) {
  llvm::Expected<std::string> Text = readFile(Path, MaxBytes);
  if (!Text)
    return Text;
  StringRef View = *Text;
  if (View.starts_with("\xff\xfe") || View.starts_with("\xfe\xff"))
    return makeError("file-utf16", "is UTF-16; save it as UTF-8", {Path.str()});
  if (size_t Nul = View.find('\0'); Nul != StringRef::npos)
    return makeError("file-binary", "is not a text file: it holds a NUL byte",
                     {Path.str(), unsigned(View.take_front(Nul).count('\n')) + 1});
  return Text;
}

static llvm::Error writeError(StringRef Path, int Errno) {
  return makeError("file-unwritable", "cannot be written: " + reason(Errno), {Path.str()});
}

static int writeAll(int Number, StringRef Contents) {
  while (!Contents.empty()) {
    ssize_t Put = ::write(Number, Contents.data(), Contents.size());
    if (Put < 0 && errno == EINTR)
      continue;
    if (Put < 0)
      return errno;
    Contents = Contents.drop_front(size_t(Put));
  }
  return 0;
}

/// Opens, writes and closes; the errno of what failed, or 0.
static int writeOut(const std::string &Path, int Flags, StringRef Contents) {
  Descriptor File(::open(Path.c_str(), O_WRONLY | O_CLOEXEC | Flags, 0666));
  if (File < 0)
    return errno;
  if (int Failed = writeAll(File, Contents))
    return Failed;
  // Some file systems tell of a full disk only now.
  return File.reset() == 0 ? 0 : errno;
}

llvm::Error cupel::writeFileAtomically(StringRef Path, StringRef Contents) {
  struct stat Status;
  std::string Target = Path.str();
  if (::stat(Target.c_str(), &Status) == 0) {
    if (S_ISDIR(Status.st_mode))
      return writeError(Path, EISDIR);
    if (!S_ISREG(Status.st_mode)) {
      int Failed = writeOut(Target, 0, Contents);
      return Failed ? writeError(Path, Failed) : llvm::Error::success();
    }
    // A rename would replace a link instead of the file it points to.
    llvm::SmallString<256> Real;
    if (!llvm::sys::fs::real_path(Path, Real))
      Target = Real.str().str();
  } else if (StringRef Parent = llvm::sys::path::parent_path(Path); !Parent.empty()) {
    if (std::error_code Failed = llvm::sys::fs::create_directories(Parent))
      return writeError(Path, Failed.value());
  }

  std::string Temporary = Target + ".tmp-" + std::to_string(::getpid()) + "-" +
                          llvm::utohexstr(llvm::sys::Process::GetRandomNumber());
  int Failed = writeOut(Temporary, O_CREAT | O_EXCL, Contents);
  if (!Failed && ::rename(Temporary.c_str(), Target.c_str()) != 0)
    Failed = errno;
  if (!Failed)
    return llvm::Error::success();
  ::unlink(Temporary.c_str());
  return writeError(Path, Failed);
}

llvm::Error cupel::makeDirectories(StringRef Path) {
  if (std::error_code Failed = llvm::sys::fs::create_directories(Path))
    return makeError("folder-unwritable",
                     "the folder '" + Path + "' cannot be made: " + Failed.message());
  return llvm::Error::success();
}

// LLVM's remove_directories stops at a pipe or socket.
void cupel::removeTree(StringRef Path) {
  std::error_code Ignored;
  std::filesystem::remove_all(Path.str(), Ignored);
}
