//===- CandidateSandbox.cpp - what a candidate's process may see and take --===//

#include "CandidateSandbox.h"
#include "cupel/Support/LibraryFolders.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include <algorithm>
#include <cstdlib>
#include <sys/stat.h>
#include <unistd.h>

using namespace cupel;
using llvm::StringRef;

namespace {

constexpr uint64_t GiB = uint64_t(1) << 30;

uint64_t memoryLimit(const WorkerLimits &Limits) {
  if (Limits.MemoryBytes)
    return Limits.MemoryBytes;
  auto Machine = static_cast<uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
                 static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
  return std::min(Machine / 4 * 3, 64 * GiB);
}

/// What the loader, CUDA and torch need to work, and nothing that names us or holds a secret.
bool mayPass(StringRef Name) {
  return Name == "PATH" || Name == "LANG" || Name == "LD_LIBRARY_PATH" ||
         Name == "OMP_NUM_THREADS" || Name.starts_with("LC_") || Name.starts_with("CUDA_") ||
         Name.starts_with("NVIDIA_");
}

std::vector<std::string> candidateEnvironment(StringRef Scratch) {
  std::vector<std::string> Environment;
  for (char **Entry = ::environ; *Entry; ++Entry)
    if (mayPass(StringRef(*Entry).split('=').first))
      Environment.emplace_back(*Entry);
  for (StringRef Name : {"HOME", "TMPDIR"})
    Environment.push_back((Name + "=" + Scratch).str());
  return Environment;
}

/// torch's wheel has its own libraries, and beside it lie those of CUDA, so all of them go
/// together.
std::string wholePackages(StringRef Folder) {
  constexpr StringRef Packages = "/site-packages/";
  size_t At = (Folder + "/").str().find(Packages);
  return Folder.take_front(At == std::string::npos ? At : At + Packages.size() - 1).str();
}

IsolationOptions isolationFor(const WorkerOptions &Options, StringRef Scratch, StringRef Library) {
  IsolationOptions Isolation;
  Isolation.Layers = Options.Isolation;
  Isolation.Scratch = Scratch.str();
  Isolation.Gpu = Options.Device == DeviceChoice::Cuda || Options.Device == DeviceChoice::Auto;
  Isolation.Readable = Options.Readable;
  Isolation.Readable.push_back(Library.str());
  for (StringRef Program : {StringRef(Options.Worker), StringRef(Options.EmulateLibrary)})
    for (StringRef Folder : libraryFolders(Program))
      Isolation.Readable.push_back(wholePackages(Folder));
  if (Options.Device == DeviceChoice::Emulated)
    Isolation.Readable.push_back(Options.EmulateLibrary);
  if (const char *Path = std::getenv("LD_LIBRARY_PATH"))
    for (StringRef Folder : llvm::split(Path, ':'))
      Isolation.Readable.push_back(wholePackages(Folder));
  llvm::erase_if(Isolation.Readable, [](StringRef Path) { return !Path.starts_with("/"); });
  return Isolation;
}

ProcessOptions workerProcess(const WorkerOptions &Options, StringRef Role,
                             const ExchangeMemory *Exchange) {
  ProcessOptions Process;
  Process.Program = Options.Worker;
  Process.Arguments = {Role.str(), "--request-fd", "3", "--reply-fd", "4"};
  Process.MemoryBytes = memoryLimit(Options.Limits);
  Process.MaxOutputBytes = Options.Limits.MaxOutputBytes;
  Process.MaxProcesses = Options.Limits.MaxProcesses;
  Process.KeptOutputBytes = 64 << 10;
  if (Exchange)
    Exchange->passTo(Process);
  return Process;
}

} // namespace

llvm::Expected<CandidateSandbox> CandidateSandbox::create(const WorkerOptions &Options,
                                                          const ExchangeMemory *Exchange) {
  llvm::Expected<TemporaryDirectory> Folder = TemporaryDirectory::create("cupel-candidate");
  if (!Folder)
    return Folder.takeError();
  const std::string Scratch = (Folder->path() + "/scratch").str(),
                    Library = (Folder->path() + "/library").str();
  for (const std::string &Part : {Scratch, Library})
    if (llvm::Error E = makeDirectories(Part))
      return E;
  // The candidate may be another user, who comes through here but sees nothing else of it.
  if (::geteuid() == 0) {
    ::chmod(Folder->path().str().c_str(), 0711);
    ::chmod(Library.c_str(), 0755);
    ::chmod(Scratch.c_str(), 0700);
  }
  ProcessOptions Process = workerProcess(Options, "candidate", Exchange);
  Process.WorkingDirectory = Scratch;
  Process.Environment = candidateEnvironment(Scratch);
  if (Options.Device == DeviceChoice::Emulated)
    // Loaded with the program, since its variables of a thread are read past the loader's
    // functions.
    Process.Environment.push_back("LD_PRELOAD=" + Options.EmulateLibrary);
  Process.InheritEnvironment = false;
  Process.MaxFileBytes = 1 * GiB;
  Process.Leftovers = {Library + "/submission.so", Library, Scratch, Folder->path().str()};
  if (Options.Isolation != 0)
    Process.Isolation = isolationFor(Options, Scratch, Library);
  return CandidateSandbox(std::move(*Folder), std::move(Process));
}

std::string CandidateSandbox::admit(StringRef Library) const {
  std::string Copy = (Folder.path() + "/library/submission.so").str();
  if (llvm::sys::fs::copy_file(Library, Copy) || ::chmod(Copy.c_str(), 0555) != 0)
    return Library.str();
  return Copy;
}

ProcessOptions cupel::judgeProcess(const WorkerOptions &Options, const ExchangeMemory *Exchange) {
  return workerProcess(Options, "judge", Exchange);
}
