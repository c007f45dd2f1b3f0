//===- FailureReason.cpp - what a failure of a worker process means --------===//

#include "cupel/Runner/FailureReason.h"
#include "cupel/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <cassert>
#include <csignal>

using namespace cupel;
using llvm::StringRef;

namespace {

// Meanings of CUDA errors are those of the CUDA Runtime API manual, "Data types", cudaError.
constexpr FailureKind Kinds[] = {
    // Ends of the process.
    {"crashed-segfault", "host code touched memory that it may not",
     "look at pointers that host code follows: device memory cannot be read there"},
    {"crashed-abort", "host code aborted itself",
     "look for assert, std::terminate, an exception that leaves a destructor, heap corruption"},
    {"crashed-bus-error", "host code touched memory that is not there",
     "look at mapped files and shared memory that shrank"},
    {"crashed-arithmetic", "host code failed in integer arithmetic",
     "look for a division by zero, as in a grid size"},
    {"crashed-illegal-instruction", "host code met an illegal instruction",
     "look for a function that reaches its end without a return"},
    {"crashed-signal", "the process was ended by a signal", "look at what host code does"},
    {"killed", "the process was killed, and not by cupel",
     "the system may have been out of memory"},
    {"keeper-killed", "the process that watches over the submission was killed, and it with it",
     "a submission must leave other processes alone; the system may also have been out of memory"},
    {"exited-early", "the process ended itself before it had answered",
     "a submission must return its result, not call exit"},
    {"exited-with-error", "the process ended itself with an error before it had answered",
     "an error macro that calls exit is the usual cause; its message is in the output"},
    {"closed-replies", "the process closed its pipe to cupel",
     "a submission must leave descriptors alone that it did not open"},
    // Limits.
    {"timed-out", "no answer came in time",
     "look for a kernel that never ends: a spin on a flag, a barrier that not all threads reach, "
     "a loop without progress"},
    {"output-limit", "the submission printed more than is allowed", "remove printf from kernels"},
    {"memory-limit", "the process took more host memory than is allowed",
     "look at what host code allocates on each call"},
    {"cpu-limit", "the process took more processor time than is allowed",
     "the work belongs on the GPU"},
    {"process-limit", "the submission started more processes than are allowed",
     "a submission has no use for processes"},
    // The conversation.
    {"protocol-violation", "something else than cupel's worker wrote to its reply pipe",
     "a submission must not write to descriptors that it did not open"},
    {"worker-error", "the worker could not do what was asked with this submission",
     "it is not the submission's fault; the text is the worker's"},
    // The library and its entry.
    {"load-failed", "the built library could not be loaded",
     "look for a function that is declared and used, but defined nowhere"},
    {"entry-missing", "the built library has no entry", "look at the name that is bound"},
    {"exception", "the entry threw an exception",
     "look at checks of shape, dtype and device that these inputs do not pass"},
    {"bad-result", "the entry returned something else than tensors",
     "return a tensor, or a tuple or vector of them, as the reference does"},
    // CUDA.
    {"cuda-illegal-address", "a kernel touched memory that is not its own",
     "look at the bounds check of the index, and at sizes that are no multiple of the block"},
    {"cuda-misaligned-address", "a kernel loaded or stored at an address that is not aligned",
     "vector loads such as float4 need 16-byte alignment: look at odd row lengths and offsets"},
    {"cuda-launch-failure", "a kernel failed while it ran",
     "look for stack overflow, shared memory out of bounds, or a pointer to host memory"},
    {"cuda-launch-timeout", "a kernel ran longer than the driver allows",
     "look for a loop without progress"},
    {"cuda-out-of-memory", "the GPU's memory did not suffice",
     "look at temporaries of the size of the input times a dimension"},
    {"cuda-invalid-configuration", "a launch asked for a grid or block that the GPU does not have",
     "a block has at most 1024 threads, and no dimension of the grid may be 0"},
    {"cuda-launch-out-of-resources", "a launch asked for more registers or memory than there are",
     "use smaller blocks, or __launch_bounds__"},
    {"cuda-invalid-value", "a CUDA function got an argument that it does not take",
     "look at the sizes and pointers of copies; more than 48 KiB of dynamic shared memory needs "
     "cudaFuncSetAttribute"},
    {"cuda-illegal-instruction", "a kernel met an instruction that the GPU does not have",
     "look at inline PTX and at the architecture"},
    {"cuda-invalid-address-space", "an instruction got an address of the wrong memory space",
     "look at casts between shared, global and generic pointers"},
    {"cuda-invalid-pc", "a kernel jumped to a place that is no code",
     "look at function pointers in device code"},
    {"cuda-hardware-stack-error", "a kernel's stack overflowed or was corrupted",
     "look at recursion and large local arrays"},
    {"cuda-assert", "an assert in a kernel failed", "the message is in the output"},
    {"cuda-no-kernel-image", "the library holds no code for this GPU",
     "it was built for another architecture"},
    {"cuda-invalid-device-function", "a launch named a kernel that is not there for this GPU",
     "look at function pointers that are launched"},
    {"cuda-cooperative-launch-too-large", "a cooperative launch asked for too many blocks",
     "size the grid with cudaOccupancyMaxActiveBlocksPerMultiprocessor"},
    {"cuda-sync-depth-exceeded", "device-side synchronisation went too deep",
     "look at dynamic parallelism"},
    // Results, told by the runner from what the worker answers.
    {"output-count", "the entry returned another number of tensors than the reference",
     "return what the reference returns, in its order"},
    {"wrong-shape", "an output has another shape than the reference's", "compare the shapes"},
    {"wrong-dtype", "an output has another dtype than the reference's",
     "allocate outputs with the options of an input"},
    {"wrong-device", "an output is not on the device of the inputs",
     "allocate outputs with the options of an input"},
    {"inputs-changed", "the call changed its inputs", "write results to a tensor of their own"},
    {"output-overlaps-input", "an output lies in the memory of an input",
     "return a tensor of its own"},
    {"unstable", "two calls with equal inputs gave different results",
     "look for races, missing barriers and memory that is read before it is written"},
    {"later-call-wrong", "calls with the first values were right, one with other values was not",
     "look at state that is kept from call to call, and at values that the first call did not "
     "have"},
    {"timed-call-wrong", "a call that was timed gave a wrong result, though untimed calls did not",
     "look at state that is kept from call to call"},
    {"not-run", "the case was not run", "earlier failures, or the time limit, came first"},
    {"profile-failed", "the profile could not be taken", "timing and verdict stand without it"},
};

const FailureKind *findKind(StringRef Code) {
  const FailureKind *Kind =
      llvm::find_if(Kinds, [&](const FailureKind &K) { return K.Code == Code; });
  return Kind == std::end(Kinds) ? nullptr : Kind;
}

/// The end of what the process printed, which often holds the cause; nothing if it was silent.
std::string lastOutput(const ProcessResult &Result) {
  StringRef Text = StringRef(Result.Stderr).trim();
  if (Text.empty())
    Text = StringRef(Result.Stdout).trim();
  if (Text.empty() || Result.Kind == ExitKind::OutputLimit)
    return "";
  constexpr size_t Shown = 300;
  StringRef End = Text.take_back(Shown);
  if (size_t Line = End.find('\n'); End.size() < Text.size() && Line != StringRef::npos)
    End = End.drop_front(Line + 1);
  return "it printed last: " + printableLine(End, 2 * Shown);
}

StringRef codeForSignal(int Signal) {
  switch (Signal) {
  case SIGSEGV:
    return "crashed-segfault";
  case SIGABRT:
    return "crashed-abort";
  case SIGBUS:
    return "crashed-bus-error";
  case SIGFPE:
    return "crashed-arithmetic";
  case SIGILL:
    return "crashed-illegal-instruction";
  case SIGKILL:
    return "killed";
  default:
    return "crashed-signal";
  }
}

StringRef codeForExit(const ProcessResult &Result) {
  switch (Result.Kind) {
  case ExitKind::Exited:
    return Result.Code == 0 ? "exited-early" : "exited-with-error";
  case ExitKind::Signaled:
    return codeForSignal(Result.Signal);
  case ExitKind::Killed:
    return "closed-replies";
  case ExitKind::KeeperLost:
    return "keeper-killed";
  case ExitKind::TimedOut:
  case ExitKind::OutputLimit:
  case ExitKind::MemoryLimit:
  case ExitKind::CpuLimit:
  case ExitKind::ProcessLimit:
    return toString(Result.Kind);
  }
  llvm_unreachable("unknown ExitKind");
}

} // namespace

llvm::ArrayRef<FailureKind> cupel::failureKinds() { return Kinds; }

std::string cupel::cudaErrorCode(StringRef CudaName) {
  if (CudaName == "cudaErrorMemoryAllocation")
    return "cuda-out-of-memory";
  if (CudaName == "cudaErrorNoKernelImageForDevice")
    return "cuda-no-kernel-image";
  StringRef Name = CudaName;
  Name.consume_front("cudaError");
  std::string Code = "cuda";
  bool InWord = false;
  for (char C : Name) {
    if (!llvm::isAlnum(C))
      continue;
    if (llvm::isUpper(C) || !InWord)
      Code += '-';
    Code += llvm::toLower(C);
    InWord = true;
  }
  return InWord ? Code : "cuda-error";
}

Reason cupel::failureReason(StringRef Code, StringRef During, StringRef Detail) {
  const FailureKind *Kind = findKind(Code);
  std::string Text = Kind ? Kind->Meaning.str() : "CUDA reported an error";
  if (!During.empty())
    Text += " " + During.str();
  if (!Detail.empty())
    Text += ": " + Detail.str();
  if (Kind)
    Text += " (" + Kind->Advice.str() + ")";
  return {Code.str(), Text};
}

Reason cupel::reasonForExit(const ProcessResult &Result, StringRef During) {
  // "exited with status 3" and the like: what the table's meaning leaves open.
  std::string Detail = Result.Kind == ExitKind::Killed ? "" : "it " + Result.describe();
  if (std::string Last = lastOutput(Result); !Last.empty())
    Detail += (Detail.empty() ? "" : "; ") + Last;
  return failureReason(codeForExit(Result), During, Detail);
}

Reason cupel::reasonForWorkerError(const WorkerError &Error, StringRef During) {
  std::string Text = printableLine(Error.Text, 600);
  if (Error.Code == "cuda-error")
    return failureReason(cudaErrorCode(printableLine(Error.CudaError, 80)), During, Text);
  // Memory that the inputs alone do not leave is not what a submission can be blamed for.
  if (Error.Code == "out-of-memory" && Error.Stage == "call")
    return failureReason("cuda-out-of-memory", During, Text);
  for (StringRef Known : {"exception", "bad-result", "load-failed", "entry-missing"})
    if (Error.Code == Known)
      return failureReason(Known, During, Text);
  return failureReason("worker-error", During, printableLine(Error.Code, 80) + ": " + Text);
}

bool cupel::isWorkersOwn(const Reason &Why) { return Why.Code == "worker-error"; }

bool cupel::survives(const WorkerError &Error) {
  return Error.Code == "exception" || Error.Code == "bad-result";
}

llvm::Error cupel::judgeExitError(const ProcessResult &Result, StringRef During) {
  StringRef Code = "judge-crashed";
  if (Result.Kind == ExitKind::MemoryLimit)
    Code = "judge-memory";
  else if (Result.Kind == ExitKind::Exited && Result.Code == 127)
    Code = "worker-start";
  std::string Text = "the judge's process " + Result.describe() + " " + During.str();
  if (std::string Last = lastOutput(Result); !Last.empty())
    Text += "; " + Last;
  return makeError(Code, Text);
}

llvm::Error cupel::judgeWorkerError(const WorkerError &Error, StringRef During) {
  return makeError(Error.Code.empty() ? "judge-failed" : StringRef(Error.Code),
                   "the judge failed " + During + ": " + printableLine(Error.Text, 2000));
}
