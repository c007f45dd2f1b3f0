//===- CandidateSandbox.cpp - what a candidate's process may see and take --===//

#include "CandidateSandbox.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
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

ProcessOptions workerProcess(const WorkerOptions &Options, StringRef Role) {
  ProcessOptions Process;
  Process.Program = Options.Worker;
  Process.Arguments = {Role.str(), "--request-fd", "3", "--reply-fd", "4"};
  Process.MemoryBytes = memoryLimit(Options.Limits);
  Process.MaxOutputBytes = Options.Limits.MaxOutputBytes;
  Process.MaxProcesses = Options.Limits.MaxProcesses;
  Process.KeptOutputBytes = 64 << 10;
  return Process;
}

} // namespace

llvm::Expected<CandidateSandbox> CandidateSandbox::create(const WorkerOptions &Options) {
  llvm::Expected<TemporaryDirectory> Scratch = TemporaryDirectory::create("cupel-candidate");
  if (!Scratch)
    return Scratch.takeError();
  ProcessOptions Process = workerProcess(Options, "candidate");
  Process.WorkingDirectory = Scratch->path().str();
  Process.Environment = candidateEnvironment(Scratch->path());
  if (Options.Device == DeviceChoice::Emulated)
    // Loaded with the program, since its variables of a thread are read past the loader's functions.
    Process.Environment.push_back("LD_PRELOAD=" + Options.EmulateLibrary);
  Process.InheritEnvironment = false;
  Process.MaxFileBytes = 1 * GiB;
  return CandidateSandbox(std::move(*Scratch), std::move(Process));
}

ProcessOptions cupel::judgeProcess(const WorkerOptions &Options) {
  return workerProcess(Options, "judge");
}
