//===- File.cpp - process-file ---------------------------------------------===//

#include "File.h"
#include "../HostUses.h"
#include "cupel/Checks/CheckContext.h"
#include "llvm/ADT/StringSet.h"

namespace cupel {

FileCheck::FileCheck()
    : Check("process-file", Level::Reject,
            "A file is opened: fopen, open, std::fstream, std::filesystem") {}

/// Names that make or find a file. Reading and writing need one of these first.
static bool opensFile(llvm::StringRef Name) {
  static const llvm::StringSet<> Functions = {"fopen",
                                              "fopen64",
                                              "freopen",
                                              "freopen64",
                                              "tmpfile",
                                              "open",
                                              "open64",
                                              "openat",
                                              "openat64",
                                              "creat",
                                              "mkstemp",
                                              "mkostemp",
                                              "opendir",
                                              "scandir",
                                              "readlink",
                                              "readlinkat",
                                              "unlink",
                                              "remove",
                                              "rename",
                                              "mkdir",
                                              "symlink",
                                              "link",
                                              "truncate",
                                              "std::basic_ifstream::open",
                                              "std::basic_ofstream::open",
                                              "std::basic_fstream::open",
                                              "std::basic_filebuf::open"};
  static const llvm::StringSet<> Streams = {"std::basic_ifstream::basic_ifstream",
                                            "std::basic_ofstream::basic_ofstream",
                                            "std::basic_fstream::basic_fstream"};
  if (Functions.contains(Name) || Streams.contains(Name))
    return true;
  // Iterators and operations, not the arithmetic of std::filesystem::path.
  return Name.consume_front("std::filesystem::") && !Name.starts_with("path") &&
         !Name.contains("__cxx11::path");
}

void FileCheck::run(CheckContext &Context) const {
  forEachHostUse(Context, [&](const FunctionUse &Use, llvm::StringRef Name) {
    if (!opensFile(Name))
      return;
    std::optional<std::string> Path = stringArgument(Use, 0);
    Report &R = Context.report(*this, Level::Reject, Use,
                               "'" + Name + "' opens a file" +
                                   (Path ? ": '" + *Path + "'" : std::string()));
    if (Path &&
        (llvm::StringRef(*Path).starts_with("/proc") || llvm::StringRef(*Path).starts_with("/sys")))
      Context.note(R, Use.Location, "this file describes the process or the machine");
  });
}

} // namespace cupel
