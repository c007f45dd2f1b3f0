//===- Messages.h - what workers answer, as structs --------------------------===//
//
// The readers report what is missing or of the wrong type to the path, as those of llvm/Support/
// JSON.h do. What comes from a candidate may be made up by the submission.
//
//===----------------------------------------------------------------------===//
#ifndef CUPEL_LIB_RUNNER_MESSAGES_H
#define CUPEL_LIB_RUNNER_MESSAGES_H

#include "cupel/Runner/FailureReason.h"
#include "cupel/Runner/RunRecord.h"

namespace cupel {

struct HelloReply {
  std::string DeviceName;
  std::string TorchVersion;
  std::string Uuid, Driver; ///< Of a GPU.
};

/// An output tensor; the last three fields are the candidate's alone.
struct OutputInfo {
  std::string DType;
  std::vector<int64_t> Shape;
  std::string Device;
  std::optional<std::string> Overlaps; ///< Name of an input.
};

struct ExpectReply {
  std::vector<OutputInfo> Outputs;
  llvm::json::Value Receive = nullptr; ///< Handed on to the candidate as it is.
};

struct CompareReply : ErrorFigures {
  CheckState State = CheckState::NotMeasured; ///< Passed or Failed.
  std::vector<Reason> Reasons;
};

/// What the emulation saw a kernel do that a GPU would hide or garble. docs/emulation.md has the
/// kinds.
struct EmulationError {
  std::string Kind, Kernel, Text;
  std::vector<int64_t> Block, Thread; ///< Three numbers each, or empty.
  unsigned Line = 0;                  ///< Of the submission; 0: unknown.
  bool Rejects = true;                ///< False: it only explains why the results are wrong.
};

/// `kernel 'k', block (0, 0, 0), thread (5, 0, 0), FILE:12: ...` under the error's kind.
Reason toReason(const EmulationError &Error, llvm::StringRef File);
KernelNote toNote(const EmulationError &Error, llvm::StringRef File);

struct CallReply {
  std::vector<OutputInfo> Outputs;
  llvm::json::Value OutputsJson = nullptr; ///< For the judge's `compare`.
  std::vector<std::string> InputsChanged;
  std::vector<EmulationError> EmulationErrors;
  std::optional<WorkerError> Thrown; ///< What the entry threw; there are no outputs then.
  std::vector<EmulatedKernel> EmulatedKernels;
};

struct TimeReply {
  std::vector<double> SamplesUs, HostUs, WarmUs;
  CallReply Call; ///< Of the last call; empty for a baseline.
};

/// The `error` of an answer; what is missing is empty.
WorkerError workerError(const llvm::json::Object &Fields);

bool fromReply(const llvm::json::Object &Fields, HelloReply &Out, llvm::json::Path P);
bool fromReply(const llvm::json::Object &Fields, ExpectReply &Out, llvm::json::Path P);
bool fromReply(const llvm::json::Object &Fields, CompareReply &Out, llvm::json::Path P);
bool fromReply(const llvm::json::Object &Fields, CallReply &Out, llvm::json::Path P);
bool fromReply(const llvm::json::Object &Fields, TimeReply &Out, llvm::json::Path P);
bool fromReply(const llvm::json::Object &Fields, ProfileData &Out, llvm::json::Path P);

bool readEmulatedKernel(const llvm::json::Value &Value, EmulatedKernel &Out, llvm::json::Path P);

/// `[2, 3]`.
std::string shapeText(llvm::ArrayRef<int64_t> Shape);

/// What can be said against a call's outputs without looking at values: their number, shape, dtype
/// and device (\p Device: `cuda` or `cpu`), inputs that were changed or returned.
std::vector<Reason> checkOutputs(const ExpectReply &Expected, const CallReply &Call,
                                 llvm::StringRef Device);

} // namespace cupel

#endif // CUPEL_LIB_RUNNER_MESSAGES_H
