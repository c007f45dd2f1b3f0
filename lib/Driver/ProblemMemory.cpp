//===- ProblemMemory.cpp - the memory that a problem needs ------------------===//

#include "ProblemMemory.h"
#include "cupel/Support/Text.h"
#include "cupel/Support/Toolchain.h"

using namespace cupel;

std::string MemoryNeed::text() const {
  return PeakBytes ? formatBytes(*PeakBytes) : ">= " + formatBytes(LeastBytes);
}

llvm::json::Value MemoryNeed::json() const {
  llvm::json::Object Result{
      {"peak_bytes", nullptr}, {"least_bytes", int64_t(LeastBytes)}, {"reason", nullptr}};
  if (PeakBytes)
    Result["peak_bytes"] = int64_t(*PeakBytes);
  else
    Result["reason"] = Reason;
  return Result;
}

MemoryNeed cupel::memoryNeed(ReferenceChecker &Checker, const ProblemSpec &Problem,
                             const CaseSpec &Case) {
  MemoryNeed Need;
  Need.LeastBytes = tensorBytes(Problem, Case);
  if (Problem.Bytes)
    Need.LeastBytes =
        std::max(Need.LeastBytes, uint64_t(llvm::cantFail(Problem.Bytes->evaluate(Case.Sizes))));
  llvm::Expected<MemoryEstimate> Estimate = Checker.estimateMemory(Problem, Case);
  if (!Estimate) {
    Need.Reason = takeReasons(Estimate.takeError()).front().Text;
    return Need;
  }
  Need.Reason = Estimate->Reason;
  if (Estimate->PeakBytes)
    Need.PeakBytes = uint64_t(*Estimate->PeakBytes);
  return Need;
}

std::unique_ptr<ReferenceChecker> cupel::makeEstimator() {
  WorkerOptions Options;
  Options.Worker = findToolchain().Worker;
  Options.Device = DeviceChoice::Cpu;
  constexpr double SecondsAProblem = 5;
  return std::make_unique<ReferenceChecker>(std::move(Options), SecondsAProblem);
}
