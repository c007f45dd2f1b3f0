//===- File.h - reading what others wrote, writing whole files --------------===//
#ifndef CUPEL_SUPPORT_FILE_H
#define CUPEL_SUPPORT_FILE_H

#include "cupel/Support/Error.h"
#include <cstdint>

namespace cupel {

/// Sources and problems are at most this long unless the caller says otherwise.
constexpr uint64_t DefaultTextLimit = 16 << 20;

/// Reads a text file that somebody else wrote.
///
/// Errors, with the path as place: `file-missing`, `file-is-directory`, `file-not-regular` (a pipe
/// or device, which could block or never end), `file-unreadable`, `file-too-big` (over \p
/// MaxBytes), `file-binary` (a NUL byte; the place has its line), `file-utf16`. Bytes that are not
/// UTF-8 are left to the reader of the format.
llvm::Expected<std::string> readTextFile(llvm::StringRef Path,
                                         uint64_t MaxBytes = DefaultTextLimit);

/// Reads any regular file. Errors: as readTextFile, without the last two.
llvm::Expected<std::string> readFile(llvm::StringRef Path, uint64_t MaxBytes = uint64_t(1) << 32);

/// Writes \p Contents so that a reader sees the old file or the new one, never a part: into a
/// temporary file beside it that is then renamed. Missing parent folders are made. The error
/// `file-unwritable` names the path and the reason. A path that exists and is no regular file
/// (/dev/stdout, a pipe) is written directly.
llvm::Error writeFileAtomically(llvm::StringRef Path, llvm::StringRef Contents);

/// Makes a folder with its parents. Error: `folder-unwritable`.
llvm::Error makeDirectories(llvm::StringRef Path);

/// Removes a file or a folder with all that is in it, whatever that is (pipes, sockets), without
/// following links. What cannot be removed stays.
void removeTree(llvm::StringRef Path);

/// An own empty folder that is removed with its contents at the end of its life.
class TemporaryDirectory {
public:
  /// Under \p Parent, or the system's folder for temporary files when it is empty. Only the user
  /// can enter it. In the system's folder, what killed processes of this user left behind under \p
  /// Prefix is removed first. Error: `folder-unwritable`.
  static llvm::Expected<TemporaryDirectory> create(llvm::StringRef Prefix,
                                                   llvm::StringRef Parent = "");
  TemporaryDirectory(TemporaryDirectory &&Other);
  TemporaryDirectory &operator=(TemporaryDirectory &&Other);
  ~TemporaryDirectory();

  llvm::StringRef path() const { return Path; }
  /// Leaves the folder on disk.
  void keep() { Path.clear(); }

private:
  explicit TemporaryDirectory(std::string Path) : Path(std::move(Path)) {}
  std::string Path;
  int Lock = -1; ///< Held while somebody works in a folder of the system's.
};

} // namespace cupel

#endif // CUPEL_SUPPORT_FILE_H
