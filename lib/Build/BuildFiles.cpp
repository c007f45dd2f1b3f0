//===- BuildFiles.cpp - folders and stamps of what a build uses --------------===//

#include "BuildFiles.h"
#include "cupel/Support/File.h"
#include "cupel/Support/Hash.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace cupel;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static std::string join(StringRef A, StringRef B, StringRef C = "") {
  llvm::SmallString<256> Result(A);
  path::append(Result, B);
  if (!C.empty())
    path::append(Result, C);
  return Result.str().str();
}

std::string cupel::shareFolder(const Toolchain &Tools, StringRef Name) {
  // Installed, share/cupel/NAME; in the source tree, share/NAME.
  for (std::string Folder : {join(Tools.ShareDir, Name), join(Tools.ShareDir, "share", Name)})
    if (!Tools.ShareDir.empty() && fs::is_directory(Folder))
      return Folder;
  return "";
}

llvm::Expected<std::string> cupel::folderHash(StringRef Folder) {
  std::vector<std::string> Files;
  std::error_code EC;
  for (fs::recursive_directory_iterator It(Folder, EC), End; It != End && !EC; It.increment(EC))
    if (It->type() == fs::file_type::regular_file)
      Files.push_back(It->path());
  if (EC)
    return makeError("build-headers-unreadable", "cannot read " + Folder + ": " + EC.message());
  llvm::sort(Files);
  ContentHasher Hasher;
  for (const std::string &File : Files) {
    llvm::Expected<std::string> Text = readFile(File);
    if (!Text)
      return Text.takeError();
    Hasher.add(StringRef(File).drop_front(Folder.size())).add(*Text);
  }
  return Hasher.hex();
}

std::string cupel::fileStamp(StringRef Path) {
  fs::file_status Status;
  if (fs::status(Path, Status))
    return (Path + " absent").str();
  return (Path + " " + llvm::Twine(Status.getSize()) + " " +
          llvm::Twine(Status.getLastModificationTime().time_since_epoch().count()))
      .str();
}

/// The file in \p Folder whose name begins with lib\p Name.so; the plain name first, since a wheel
/// has only the versioned one.
static std::string findLibrary(StringRef Folder, StringRef Name) {
  std::string Plain = join(Folder, ("lib" + Name + ".so").str());
  if (fs::exists(Plain))
    return Plain;
  std::error_code EC;
  for (fs::directory_iterator It(Folder, EC), End; It != End && !EC; It.increment(EC))
    if (path::filename(It->path()).starts_with(("lib" + Name + ".so.").str()))
      return It->path();
  return "";
}

/// Where torch's wheels put NVIDIA's libraries, then the toolkit: torch's own copies are loaded
/// already when the library is.
static std::vector<std::string> libraryFolders(const Toolchain &Tools) {
  std::string Wheels = join(path::parent_path(Tools.TorchHome), "nvidia");
  StringRef Major = StringRef(Tools.CudaVersion).split('.').first;
  std::vector<std::string> Result = {
      join(Tools.TorchHome, "lib"), join(Wheels, ("cu" + Major).str(), "lib"),
      join(Wheels, "cudnn", "lib"), join(Wheels, "cusparselt", "lib")};
  for (StringRef Part : {"cuda_runtime", "cublas", "curand", "cufft", "cusparse", "cusolver"})
    Result.push_back(join(Wheels, Part, "lib"));
  Result.push_back(join(Tools.CudaHome, "lib64"));
  Result.push_back(join(Tools.CudaHome, "lib"));
  return Result;
}

static std::string findInFolders(const Toolchain &Tools, StringRef Name) {
  for (const std::string &Folder : libraryFolders(Tools))
    if (std::string Path = findLibrary(Folder, Name); !Path.empty())
      return Path;
  return "";
}

std::string cupel::cudaRuntimeLibrary(const Toolchain &Tools) {
  return findInFolders(Tools, "cudart");
}

std::string cupel::cudaDriverLibrary(const Toolchain &Tools) {
  // The toolkit's stub, which has the driver's names; else the driver's own.
  for (StringRef Folder : {"lib64/stubs", "lib/stubs", "targets/x86_64-linux/lib/stubs"})
    if (std::string Path = findLibrary(join(Tools.CudaHome, Folder), "cuda");
        !Tools.CudaHome.empty() && !Path.empty())
      return Path;
  for (StringRef Path : {"/usr/lib/x86_64-linux-gnu/libcuda.so.1", "/usr/lib64/libcuda.so.1"})
    if (fs::exists(Path))
      return Path.str();
  return "";
}

std::vector<std::string> cupel::knownLibraries() {
  return {"cublas", "cublasLt", "cudnn", "cufft", "curand", "cusolver", "cusparse", "cusparseLt"};
}

bool cupel::isKnownLibrary(StringRef Name) { return llvm::is_contained(knownLibraries(), Name); }

std::string cupel::vendorLibrary(const Toolchain &Tools, StringRef Name) {
  return findInFolders(Tools, Name);
}
