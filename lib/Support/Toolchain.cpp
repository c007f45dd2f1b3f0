//===- Toolchain.cpp - where nvcc, CUDA, torch, Python and our own files are -===//
//
// Every finder below is a list of places in the order of Toolchain.h; the first that holds what is
// looked for wins. Only stat and small files are read: starting Python takes 20 ms, importing torch
// seconds, so Python is asked last and never imports torch.
//
//===----------------------------------------------------------------------===//

#include "cupel/Support/Toolchain.h"
#include "RecordedPaths.h"
#include "cupel/Support/File.h"
#include "cupel/Support/TorchPlace.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include <cerrno>
#include <cstring>
#include <unistd.h>

using namespace cupel;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

static std::string pathIn(StringRef Folder, StringRef Name) {
  llvm::SmallString<256> Path(Folder);
  path::append(Path, Name);
  return Path.str().str();
}

static std::string parent(StringRef Path, unsigned Levels = 1) {
  for (; Levels != 0; --Levels)
    Path = path::parent_path(Path);
  return Path.str();
}

static bool exists(const std::string &Path) { return !Path.empty() && fs::exists(Path); }
static bool executable(const std::string &Path) {
  return !Path.empty() && fs::can_execute(Path) && !fs::is_directory(Path);
}

static std::string environment(const char *Name) {
  return llvm::sys::Process::GetEnv(Name).value_or("");
}

static std::string onPath(StringRef Name) {
  llvm::ErrorOr<std::string> Found = llvm::sys::findProgramByName(Name);
  return Found ? *Found : "";
}

static std::string realPath(StringRef Path) {
  llvm::SmallString<256> Real;
  return fs::real_path(Path, Real) ? Path.str() : Real.str().str();
}

/// The text between \p Before and the first character of \p Ends in a small file, or empty.
static std::string textAfter(const std::string &File, StringRef Before, StringRef Ends) {
  llvm::Expected<std::string> Text = readFile(File);
  if (!Text) {
    llvm::consumeError(Text.takeError());
    return "";
  }
  size_t At = StringRef(*Text).find(Before);
  if (At == StringRef::npos)
    return "";
  StringRef Rest = StringRef(*Text).drop_front(At + Before.size());
  return Rest.take_until([&](char C) { return Ends.contains(C); }).trim().str();
}

std::string cupel::executablePath() { return realPath("/proc/self/exe"); }
std::string cupel::installPrefix() { return parent(executablePath(), 2); }

std::vector<std::string> Toolchain::torchIncludeDirs() const {
  if (TorchHome.empty())
    return {};
  return {pathIn(TorchHome, "include"), pathIn(TorchHome, "include/torch/csrc/api/include")};
}

std::string Toolchain::ownFile(StringRef Path) const {
  std::string Installed = ShareDir + "/" + Path.str();
  return fs::exists(Installed) ? Installed : ShareDir + "/share/" + Path.str();
}

//===----------------------------------------------------------------------===//
// Python and torch
//===----------------------------------------------------------------------===//

/// The folder `torch` of the packages that \p Python sees, by the usual layouts of a virtual
/// environment and of Debian's Python.
static std::string torchBeside(StringRef Python) {
  std::string Prefix = parent(Python, 2);
  for (StringRef Lib : {"lib", "local/lib", "lib64"}) {
    std::error_code Failed;
    for (fs::directory_iterator At(pathIn(Prefix, Lib), Failed), End; At != End && !Failed;
         At.increment(Failed)) {
      if (!path::filename(At->path()).starts_with("python3"))
        continue;
      for (StringRef Packages : {"site-packages", "dist-packages"}) {
        std::string Torch = pathIn(pathIn(At->path(), Packages), "torch");
        if (exists(pathIn(Torch, "include/torch")))
          return Torch;
      }
    }
  }
  return "";
}

static std::string askPythonForTorch(const std::string &Python) {
  llvm::Expected<TemporaryDirectory> Folder = TemporaryDirectory::create("cupel-python");
  if (!Folder) {
    llvm::consumeError(Folder.takeError());
    return "";
  }
  std::string Output = pathIn(Folder->path(), "out");
  std::optional<StringRef> Redirects[] = {StringRef(""), StringRef(Output), StringRef("")};
  llvm::sys::ExecuteAndWait(Python,
                            {Python, "-I", "-c",
                             "import importlib.util as u; s = u.find_spec('torch'); "
                             "print('<' + s.submodule_search_locations[0] + '>')"},
                            std::nullopt, Redirects, /*SecondsToWait=*/10);
  std::string Torch = textAfter(Output, "<", ">");
  return exists(pathIn(Torch, "include/torch")) ? Torch : "";
}

std::string cupel::whyTorchIsUnreadable() {
  for (const std::string &Place : {environment("CUPEL_TORCH_HOME"), environment("CUPEL_PYTHON"),
                                   std::string(recorded::TorchHome)}) {
    if (Place.empty() || ::access(Place.c_str(), R_OK) == 0 || errno != EACCES)
      continue;
    return "torch in '" + Place + "' cannot be read by this user: " + std::strerror(EACCES);
  }
  return "";
}

static void findPython(Toolchain &T) {
  std::string Build = installPrefix();
  T.TorchHome = environment("CUPEL_TORCH_HOME");
  std::vector<std::string> Candidates = {
      environment("CUPEL_PYTHON"), recorded::Python, pathIn(Build, "venv/bin/python"),
      pathIn(parent(Build), "venv/bin/python"), onPath("python3")};
  llvm::erase_if(Candidates, [](const std::string &Python) { return !executable(Python); });
  for (const std::string &Python : Candidates) {
    std::string Torch = Python == recorded::Python && exists(recorded::TorchHome)
                            ? std::string(recorded::TorchHome)
                            : torchBeside(Python);
    if (Torch.empty())
      continue;
    T.Python = Python;
    if (T.TorchHome.empty())
      T.TorchHome = Torch;
    return;
  }
  for (const std::string &Python : Candidates) {
    if (T.Python.empty())
      T.Python = Python;
    if (std::string Torch = T.TorchHome.empty() ? askPythonForTorch(Python) : ""; !Torch.empty()) {
      T.Python = Python;
      T.TorchHome = Torch;
      return;
    }
  }
}

static void describePython(Toolchain &T) {
  if (T.Python.empty())
    return;
  // A virtual environment has no headers of its own; its interpreter is a link to one that does.
  std::string Real = realPath(T.Python);
  StringRef Name = path::filename(Real);
  std::string Include = pathIn(pathIn(parent(Real, 2), "include"), Name);
  if (exists(pathIn(Include, "Python.h")))
    T.PythonInclude = Include;
}

static void describeTorch(Toolchain &T) {
  if (!exists(pathIn(T.TorchHome, "include/torch"))) {
    T.TorchHome.clear();
    return;
  }
  // `__version__ = '2.11.0+cu130'`; what follows the plus names the build, not the version.
  T.TorchVersion = textAfter(pathIn(T.TorchHome, "version.py"), "__version__ = '", "'+\n");
  T.TorchCxx11Abi = textAfter(pathIn(T.TorchHome, "share/cmake/Torch/TorchConfig.cmake"),
                              "-D_GLIBCXX_USE_CXX11_ABI=", "\" \n") != "0";
}

//===----------------------------------------------------------------------===//
// CUDA and the host compiler
//===----------------------------------------------------------------------===//

static void findCuda(Toolchain &T) {
  std::string NvccOnPath = onPath("nvcc");
  std::string OfNvcc = NvccOnPath.empty() ? "" : parent(realPath(NvccOnPath), 2);
  // The wheels of NVIDIA lie beside torch.
  std::string OfWheels = T.TorchHome.empty() ? "" : pathIn(parent(T.TorchHome), "nvidia/cu13");
  for (const std::string &Home :
       {environment("CUPEL_CUDA_HOME"), std::string(recorded::CudaHome), environment("CUDA_HOME"),
        OfNvcc, std::string("/usr/local/cuda"), OfWheels}) {
    if (Home.empty() || !exists(pathIn(Home, "include/cuda_runtime.h")))
      continue;
    T.CudaHome = Home;
    break;
  }
  if (executable(pathIn(T.CudaHome, "bin/nvcc")))
    T.Nvcc = pathIn(T.CudaHome, "bin/nvcc");
  else
    T.Nvcc = NvccOnPath;

  unsigned Version = 0;
  StringRef Digits;
  std::string Text =
      textAfter(pathIn(T.CudaHome, "include/cuda_runtime_api.h"), "#define CUDART_VERSION", "\n");
  Digits = Text;
  if (!T.CudaHome.empty() && !Digits.trim().getAsInteger(10, Version))
    T.CudaVersion = std::to_string(Version / 1000) + "." + std::to_string(Version % 1000 / 10);
}

static std::string findHostCompiler() {
  for (const std::string &Compiler :
       {environment("CUPEL_HOST_COMPILER"), std::string(recorded::HostCompiler), onPath("g++"),
        onPath("clang++-22"), onPath("clang++"), onPath("c++")})
    if (executable(Compiler))
      return Compiler;
  return "";
}

/// The version counts: the emulation uses flags and entry points of Clang 22.
static std::string findClang() {
  for (const std::string &Clang :
       {pathIn(recorded::LLVMPrefix, "bin/clang++"), std::string("/usr/lib/llvm-22/bin/clang++"),
        onPath("clang++-22")})
    if (executable(Clang))
      return Clang;
  return "";
}

//===----------------------------------------------------------------------===//
// Our own files
//===----------------------------------------------------------------------===//

static std::string findClangResourceDir() {
  for (const std::string &Prefix :
       {installPrefix(), std::string(recorded::LLVMPrefix), std::string("/usr/lib/llvm-22")}) {
    std::string Folder = pathIn(Prefix, "lib/clang/22");
    if (!Prefix.empty() && exists(pathIn(Folder, "include/stddef.h")))
      return Folder;
  }
  return "";
}

static void findOwnFiles(Toolchain &T) {
  std::string Prefix = installPrefix();
  if (std::string Installed = pathIn(Prefix, "share/cupel"); exists(Installed))
    T.ShareDir = Installed;
  else if (exists(pathIn(recorded::SourceDir, "problems")))
    T.ShareDir = recorded::SourceDir;

  T.ProblemDir = environment("CUPEL_PROBLEMS");
  if (T.ProblemDir.empty() && !T.ShareDir.empty())
    T.ProblemDir = pathIn(T.ShareDir, "problems");

  // The second place: a host half that was unpacked into the folder where the worker was built.
  for (const std::string &Worker :
       {environment("CUPEL_WORKER"), pathIn(parent(executablePath()), "cupel-worker"),
        pathIn(parent(Prefix), "bin/cupel-worker"), onPath("cupel-worker")}) {
    if (!executable(Worker))
      continue;
    T.Worker = Worker;
    break;
  }
  if (std::string Library = pathIn(parent(realPath(T.Worker), 2), "lib/libcupel-emulate.so");
      !T.Worker.empty() && exists(Library))
    T.EmulateLibrary = Library;
}

const Toolchain &cupel::findToolchain() {
  static const Toolchain Found = [] {
    Toolchain T;
    findPython(T);
    describePython(T);
    describeTorch(T);
    findCuda(T);
    T.HostCompiler = findHostCompiler();
    T.Clang = findClang();
    T.ClangResourceDir = findClangResourceDir();
    findOwnFiles(T);
    return T;
  }();
  return Found;
}
