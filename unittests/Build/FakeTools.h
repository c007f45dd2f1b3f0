//===- FakeTools.h - a toolchain of shell scripts ---------------------------===//
#ifndef CUPEL_UNITTESTS_BUILD_FAKETOOLS_H
#define CUPEL_UNITTESTS_BUILD_FAKETOOLS_H

#include "TestEntries.h"
#include "cupel/Build/Builder.h"
#include "cupel/Support/File.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"

namespace cupel::test {

/// A folder with scripts for nvcc and g++, and just enough of torch and of cupel's headers for the
/// builder to start. By default the scripts succeed and write the file behind `-o`.
class FakeTools {
public:
  FakeTools() : Folder(llvm::cantFail(TemporaryDirectory::create("cupel-fake-tools"))) {
    write("torch/include/torch/x.h", "");
    write("share/shadow/torch/extension.h", "slim");
    write("share/full/torch/extension.h", "full");
    nvcc(succeed());
    script("g++", succeed());
  }

  /// A script for nvcc that knows no --dryrun, so that it is run for the compile itself.
  void nvcc(llvm::StringRef Body) {
    script("nvcc", ("case \"$*\" in *--dryrun*) exit 0;; esac\n" + Body).str());
  }

  /// Shell text that writes the output file.
  static std::string succeed() {
    return "while [ $# -gt 0 ]; do [ \"$1\" = -o ] && echo made > \"$2\"; shift; done\n";
  }

  void script(llvm::StringRef Name, llvm::StringRef Body) {
    write(Name, ("#!/bin/sh\n" + Body).str());
    llvm::cantFail(llvm::errorCodeToError(
        llvm::sys::fs::setPermissions(path(Name), llvm::sys::fs::perms::owner_all)));
  }
  void write(llvm::StringRef Name, llvm::StringRef Text) {
    llvm::cantFail(writeFileAtomically(path(Name), Text));
  }
  std::string path(llvm::StringRef Name) const { return (Folder.path() + "/" + Name).str(); }
  std::string read(llvm::StringRef Name) const { return llvm::cantFail(readTextFile(path(Name))); }

  BuildRequest request() const {
    BuildRequest R;
    R.File = "user/relu.cu";
    R.Source = "int a;\nint b;\n";
    R.Entries = {tensorEntry("forward")};
    R.Tools.Nvcc = path("nvcc");
    R.Tools.HostCompiler = path("g++");
    R.Tools.TorchHome = path("torch");
    R.Tools.TorchVersion = "2.11.0";
    R.Tools.CudaVersion = "13.0";
    R.Tools.PythonInclude = path("python");
    R.Tools.ShareDir = path("share");
    R.Cache = CacheDirectory(path("cache"));
    return R;
  }

private:
  TemporaryDirectory Folder;
};

} // namespace cupel::test

#endif // CUPEL_UNITTESTS_BUILD_FAKETOOLS_H
