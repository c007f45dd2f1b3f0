//===- Process.cpp - what became of a child, in words -----------------------===//

#include "cupel/Support/Process.h"
#include "cupel/Support/Text.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"
#include <csignal>
#include <cstring>

using namespace cupel;

llvm::StringRef cupel::toString(ExitKind Kind) {
  switch (Kind) {
  case ExitKind::Exited:
    return "exited";
  case ExitKind::Signaled:
    return "signaled";
  case ExitKind::TimedOut:
    return "timed-out";
  case ExitKind::OutputLimit:
    return "output-limit";
  case ExitKind::MemoryLimit:
    return "memory-limit";
  case ExitKind::CpuLimit:
    return "cpu-limit";
  case ExitKind::ProcessLimit:
    return "process-limit";
  case ExitKind::Killed:
    return "killed";
  case ExitKind::KeeperLost:
    return "keeper-lost";
  }
  llvm_unreachable("all kinds are handled");
}

std::string cupel::describeSignal(int Signal) {
  const char *Short = ::sigabbrev_np(Signal);
  if (!Short)
    return "signal " + std::to_string(Signal);
  std::string Long = ::sigdescr_np(Signal);
  return "SIG" + std::string(Short) + " (" + llvm::StringRef(Long).lower() + ")";
}

std::string ProcessResult::describe() const {
  switch (Kind) {
  case ExitKind::Exited:
    return "exited with status " + std::to_string(Code);
  case ExitKind::Signaled:
    return "was killed by " + describeSignal(Signal);
  case ExitKind::TimedOut:
    return "ran longer than its limit of " + formatDuration(TimeoutSeconds);
  case ExitKind::OutputLimit:
    return "printed more than it may";
  case ExitKind::MemoryLimit:
    return "used more memory than its limit of " + formatBytes(MemoryBytes);
  case ExitKind::CpuLimit:
    return "used more CPU time than it may";
  case ExitKind::ProcessLimit:
    return "started more processes than it may";
  case ExitKind::Killed:
    return "was stopped";
  case ExitKind::KeeperLost:
    return "ended together with the process that watched over it, which somebody killed";
  }
  llvm_unreachable("all kinds are handled");
}

std::optional<std::string> cupel::findProgram(llvm::StringRef Name) {
  if (Name.empty())
    return std::nullopt;
  if (Name.contains('/'))
    return llvm::sys::fs::exists(Name) ? std::optional(Name.str()) : std::nullopt;
  llvm::ErrorOr<std::string> Found = llvm::sys::findProgramByName(Name);
  return Found ? std::optional(*Found) : std::nullopt;
}
