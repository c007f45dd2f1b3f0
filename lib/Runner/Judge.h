//===- Judge.h - the process that holds the reference ------------------------===//
#ifndef CUPEL_LIB_RUNNER_JUDGE_H
#define CUPEL_LIB_RUNNER_JUDGE_H

#include "ExchangeMemory.h"
#include "Messages.h"
#include "WorkerProcess.h"
#include "cupel/Problem/ProblemSpec.h"
#include "cupel/Runner/Baseline.h"
#include "cupel/Runner/WorkerPair.h"

namespace cupel {

/// The device of each process, as `hello` says it, and the one that outputs say they are on.
llvm::StringRef judgeDevice(DeviceChoice Device);
llvm::StringRef candidateDevice(DeviceChoice Device);
llvm::StringRef outputDevice(DeviceChoice Device);

/// What both workers are asked to time.
struct BlockRequest {
  std::string Seed;
  unsigned Samples = 1, Warmup = 0;
  unsigned WarmSamples = 0; ///< With a warm cache, before the others.
  double TimeLimitUs = 0;
};

/// The judge's commands. Its failures are Errors, after which it is of no more use, except when the
/// worker itself answered with an error; see alive().
class Judge {
public:
  /// Starts the process and sends `hello`. Errors: `worker-missing`, those of ChildProcess::start.
  /// \p Exchange: where outputs cross that are not in GPU memory; null where none will.
  static llvm::Expected<std::unique_ptr<Judge>> start(const WorkerOptions &Options,
                                                      const ExchangeMemory *Exchange = nullptr);

  /// The answer to the `hello` of start(). An error of the worker keeps its code, such as
  /// `no-cuda-device`.
  llvm::Expected<HelloReply> awaitHello(double Seconds);

  llvm::Error openProblem(const ProblemSpec &ToOpen, double Seconds);
  llvm::Expected<ExpectReply> expect(const llvm::json::Value &Case, llvm::StringRef Seed,
                                     double Seconds);
  llvm::Expected<CompareReply> compare(const llvm::json::Value &Outputs, double Seconds);
  /// \p Package: of a baseline that needs one.
  llvm::Expected<TimeReply> time(const BaselineKind &Baseline, llvm::StringRef Package,
                                 const llvm::json::Value &Case, const BlockRequest &Block,
                                 double Seconds);
  /// Of each kernel, whose figures are known, on the device that the emulation stands for: 0 to 1,
  /// or nothing for one that does not fit.
  llvm::Expected<std::vector<std::optional<double>>>
  occupancy(llvm::ArrayRef<EmulatedKernel> Kernels, double Seconds);
  /// \p Action: `start` or `stop`, which gives what was read in between. Clocks that cannot be read
  /// are no Error.
  llvm::Expected<ClockReadings> clocks(llvm::StringRef Action, double Seconds);
  /// The rates that the GPU reaches; takes about a second. Those that cannot be measured are no
  /// Error.
  llvm::Expected<PeakRates> peaks(double Seconds);
  llvm::Error release(double Seconds);

  /// Any command; \p During as in `during the call`.
  llvm::Expected<llvm::json::Object> ask(llvm::StringRef Command, llvm::json::Object Fields,
                                         double Seconds, llvm::StringRef During);

  /// The Error for an answer that lacks what \p Problem says. The process is ended: one answer that
  /// is wrong leaves all that follow in doubt.
  llvm::Error malformed(llvm::Error Problem);

  /// False once the process ended or can no longer be trusted to answer in turn.
  bool alive() const { return Process != nullptr; }

private:
  explicit Judge(std::unique_ptr<WorkerProcess> Process) : Process(std::move(Process)) {}
  llvm::Expected<llvm::json::Object> take(Answer A, llvm::StringRef During);
  template <typename T>
  llvm::Expected<T> askFor(llvm::StringRef Command, llvm::json::Object Fields, double Seconds,
                           llvm::StringRef During);

  std::unique_ptr<WorkerProcess> Process;
  ProblemSpec Problem; ///< That was opened last, for the places of errors.
};

} // namespace cupel

#endif // CUPEL_LIB_RUNNER_JUDGE_H
