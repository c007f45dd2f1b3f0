//===- ToolRun.cpp - compilers as children with limits -----------------------===//

#include "cupel/Build/BuildStrategy.h"
#include "cupel/Support/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Process.h"
#include <thread>

using namespace cupel;
using llvm::StringRef;

double BuildContext::secondsLeft() const {
  return std::chrono::duration<double>(Deadline - std::chrono::steady_clock::now()).count();
}

/// Only what compilers need to find their parts and a place for temporary files. The messages are
/// parsed, so they are English.
static std::vector<std::string> toolEnvironment(StringRef Folder) {
  std::vector<std::string> Result = {"LC_ALL=C", ("TMPDIR=" + Folder).str()};
  for (const char *Name : {"PATH", "HOME", "LD_LIBRARY_PATH"})
    if (std::optional<std::string> Value = llvm::sys::Process::GetEnv(Name))
      Result.push_back(Name + ("=" + *Value));
  return Result;
}

/// nvcc reports a part of it that dies as an error of its own, with status 1 or the like.
static bool saysCrash(StringRef Output) {
  for (StringRef Sign : {"died due to signal", "internal compiler error",
                         "internal error:", "Segmentation fault", "core dumped"})
    if (Output.contains(Sign))
      return true;
  return false;
}

static bool saysOutOfMemory(StringRef Output) {
  for (StringRef Sign : {"Killed signal terminated program", "virtual memory exhausted",
                         "out of memory", "cannot allocate", "died due to signal 9"})
    if (Output.contains_insensitive(Sign))
      return true;
  return false;
}

static Reason reasonOf(const ProcessResult &Result, StringRef Tool, StringRef FailureCode,
                       StringRef Output) {
  std::string Text = Tool.str() + " " + Result.describe();
  switch (Result.Kind) {
  case ExitKind::TimedOut:
  case ExitKind::CpuLimit:
    return {"build-timeout", Text};
  case ExitKind::MemoryLimit:
    return {"build-memory", Text};
  case ExitKind::ProcessLimit:
    return {"build-processes", Text};
  case ExitKind::OutputLimit:
    return {"build-output", Text};
  case ExitKind::Signaled:
  case ExitKind::Killed:
  case ExitKind::KeeperLost:
    return {"nvcc-crashed", Text};
  case ExitKind::Exited:
    break;
  }
  constexpr int ShellSaysKilled = 128 + 9;
  if (saysOutOfMemory(Output) || Result.Code == ShellSaysKilled)
    return {"build-memory", Tool.str() + " ran out of memory"};
  if (Output.contains("File size limit exceeded") || Output.contains("File too large"))
    return {"build-too-big", Tool.str() + " writes more than the build allows for one file"};
  // Of the cache or of the temporary files: the submission has no part in it.
  if (Output.contains("No space left on device") || Output.contains("Disk quota exceeded"))
    return {"disk-full", Tool.str() + " found no room on the disk: make some in the cache folder " +
                             "(CUPEL_CACHE_DIR moves it) and in that of temporary files (TMPDIR)"};
  // A shell tells a signal as 128 and its number.
  if (saysCrash(Output) || (Result.Code > 128 && Result.Code < 128 + 65))
    return {"nvcc-crashed", "a part of " + Tool.str() + " crashed"};
  return {FailureCode.str(), Text};
}

llvm::Expected<ToolOutcome> cupel::runTool(const BuildContext &Context, StringRef FailureCode,
                                           llvm::ArrayRef<std::string> Command) {
  StringRef Tool = StringRef(Command.front()).rsplit('/').second;
  if (Tool.empty())
    Tool = Command.front();
  if (Tool == "sh") // Runs nvcc's steps; nobody asked for a shell.
    Tool = "nvcc";
  double Left = Context.secondsLeft();
  if (Left <= 0)
    return ToolOutcome{false, {"build-timeout", "no time is left for " + Tool.str()}, ""};

  const BuildLimits &Limits = Context.Request.Limits;
  ProcessOptions Options;
  Options.Program = Command.front();
  Options.Arguments = Command.drop_front().vec();
  Options.Environment = toolEnvironment(Context.Folder);
  Options.InheritEnvironment = false;
  Options.WorkingDirectory = Context.Folder;
  Options.TimeoutSeconds = Left;
  Options.MemoryBytes = Limits.MemoryBytes;
  Options.MaxProcesses = Limits.MaxProcesses;
  Options.MaxFileBytes = Limits.MaxFileBytes;
  // Template errors are long; the reader of the output bounds what is shown.
  Options.MaxOutputBytes = 64 << 20;
  llvm::Expected<ProcessResult> Result = runProcess(Options);
  if (!Result)
    return Result.takeError();

  ToolOutcome Outcome{Result->succeeded(), {}, Result->Stdout};
  if (!Outcome.Output.empty() && Outcome.Output.back() != '\n')
    Outcome.Output += '\n';
  Outcome.Output += Result->Stderr;
  if (!Outcome.Succeeded) {
    Outcome.Why = reasonOf(*Result, Tool, FailureCode, Outcome.Output);
    if (Outcome.Why.Code == "build-timeout") // The whole build's limit, not what was left of it.
      Outcome.Why.Text =
          "the build took longer than its limit of " + formatDuration(Limits.TimeoutSeconds);
  }
  return Outcome;
}

llvm::Expected<HalvesOutcome>
cupel::runHalves(llvm::function_ref<llvm::Expected<ToolOutcome>()> Device,
                 llvm::function_ref<llvm::Expected<ToolOutcome>()> Host) {
  llvm::Expected<ToolOutcome> DeviceDone = ToolOutcome();
  std::thread Beside([&] { DeviceDone = Device(); });
  llvm::Expected<ToolOutcome> HostDone = Host();
  Beside.join();
  if (HostDone && DeviceDone)
    return HalvesOutcome{std::move(*DeviceDone), std::move(*HostDone)};
  return llvm::joinErrors(HostDone.takeError(), DeviceDone.takeError());
}
