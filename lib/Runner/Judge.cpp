//===- Judge.cpp - the process that holds the reference ----------------------===//

#include "Judge.h"
#include "CandidateSandbox.h"
#include "ReferenceError.h"
#include "cupel/Profile/RecordJson.h"
#include "cupel/Support/Text.h"
#include "llvm/Support/FileSystem.h"

using namespace cupel;
using llvm::StringRef;
namespace json = llvm::json;

StringRef cupel::judgeDevice(DeviceChoice Device) {
  return Device == DeviceChoice::Cpu || Device == DeviceChoice::Emulated ? "cpu" : "cuda";
}

StringRef cupel::candidateDevice(DeviceChoice Device) {
  return Device == DeviceChoice::Emulated ? "emulated" : judgeDevice(Device);
}

StringRef cupel::outputDevice(DeviceChoice Device) {
  return Device == DeviceChoice::Cpu ? "cpu" : "cuda";
}

llvm::Expected<std::unique_ptr<Judge>> Judge::start(const WorkerOptions &Options,
                                                    const ExchangeMemory *Exchange) {
  if (!llvm::sys::fs::can_execute(Options.Worker))
    return makeError("worker-missing",
                     Options.Worker.empty()
                         ? "cupel-worker was not found; build it with CUPEL_ENABLE_WORKER=ON, or "
                           "name it in CUPEL_WORKER"
                         : "the worker '" + Options.Worker + "' is no program that can be run");
  llvm::Expected<std::unique_ptr<WorkerProcess>> Process =
      WorkerProcess::start(judgeProcess(Options, Exchange));
  if (!Process)
    return Process.takeError();
  (*Process)->send("hello", json::Object{{"device", judgeDevice(Options.Device)}});
  return std::unique_ptr<Judge>(new Judge(std::move(*Process)));
}

llvm::Expected<json::Object> Judge::take(Answer A, StringRef During) {
  switch (A.What) {
  case Answer::Kind::Ok:
    return std::move(A.Fields);
  case Answer::Kind::Error:
    return isReferenceError(A.Error) ? referenceError(A.Error, Problem)
                                     : judgeWorkerError(A.Error, During);
  case Answer::Kind::Silent:
    Process->kill();
    Process.reset();
    return makeError("judge-timed-out", "the judge gave no answer in " +
                                            formatDuration(A.WaitedSeconds) + " " + During);
  case Answer::Kind::Gone: {
    llvm::Error E = judgeExitError(Process->end(), During);
    Process.reset();
    return E;
  }
  case Answer::Kind::Forged:
    Process->kill();
    Process.reset();
    return makeError("judge-protocol", "the judge wrote " + A.Detail + " " + During);
  }
  llvm_unreachable("unknown Answer");
}

llvm::Expected<json::Object> Judge::ask(StringRef Command, json::Object Fields, double Seconds,
                                        StringRef During) {
  if (!Process)
    return makeError("judge-crashed", "the judge is gone");
  return take(Process->ask(Command, std::move(Fields), Seconds), During);
}

llvm::Error Judge::malformed(llvm::Error Problem) {
  Process->kill();
  Process.reset();
  return makeError("judge-protocol", "the judge's answer: " + llvm::toString(std::move(Problem)));
}

template <typename T>
llvm::Expected<T> Judge::askFor(StringRef Command, json::Object Fields, double Seconds,
                                StringRef During) {
  llvm::Expected<json::Object> Reply = ask(Command, std::move(Fields), Seconds, During);
  if (!Reply)
    return Reply.takeError();
  T Result;
  json::Path::Root Root(Command);
  if (fromReply(*Reply, Result, Root))
    return Result;
  return malformed(Root.getError());
}

llvm::Expected<HelloReply> Judge::awaitHello(double Seconds) {
  Answer A = Process->receive(Seconds);
  // What a worker says of the device is clear without the words about judges.
  if (A.What == Answer::Kind::Error && A.Error.Code == "device-unavailable")
    return makeError(A.Error.Code, printableLine(A.Error.Text, 600));
  llvm::Expected<json::Object> Reply = take(std::move(A), "while it started");
  if (!Reply)
    return Reply.takeError();
  HelloReply Hello;
  json::Path::Root Root("hello");
  if (fromReply(*Reply, Hello, Root))
    return Hello;
  return malformed(Root.getError());
}

llvm::Error Judge::openProblem(const ProblemSpec &ToOpen, double Seconds) {
  Problem = ToOpen;
  json::Array Parameters;
  for (const TensorSpec &Parameter : Problem.Parameters)
    Parameters.push_back(Parameter.Name);
  json::Object Tolerance{{"relative", recordjson::write(Problem.Tolerance.Relative)},
                         {"absolute", recordjson::write(Problem.Tolerance.Absolute)}};
  return ask("open_problem",
             json::Object{{"language", Problem.ReferenceLanguage},
                          {"source", Problem.ReferenceSource},
                          {"parameters", std::move(Parameters)},
                          {"tolerance", std::move(Tolerance)}},
             Seconds, "while it read the reference")
      .takeError();
}

llvm::Expected<ExpectReply> Judge::expect(const json::Value &Case, StringRef Seed, double Seconds) {
  return askFor<ExpectReply>("expect", json::Object{{"case", Case}, {"seed", Seed}}, Seconds,
                             "while it ran the reference");
}

llvm::Expected<CompareReply> Judge::compare(const json::Value &Outputs, double Seconds) {
  return askFor<CompareReply>("compare", json::Object{{"outputs", Outputs}}, Seconds,
                              "while it compared outputs");
}

llvm::Expected<TimeReply> Judge::time(const BaselineKind &Baseline, StringRef Package,
                                      const json::Value &Case, const BlockRequest &Block,
                                      double Seconds) {
  return askFor<TimeReply>("time",
                           json::Object{{"baseline", Baseline.workerName()},
                                        {"package", Package},
                                        {"case", Case},
                                        {"seed", Block.Seed},
                                        {"samples", static_cast<int64_t>(Block.Samples)},
                                        {"warmup", static_cast<int64_t>(Block.Warmup)},
                                        {"warm_samples", static_cast<int64_t>(Block.WarmSamples)},
                                        {"time_limit_us", Block.TimeLimitUs}},
                           Seconds, "while it timed a baseline");
}

llvm::Expected<std::vector<std::optional<double>>>
Judge::occupancy(llvm::ArrayRef<EmulatedKernel> Kernels, double Seconds) {
  json::Array List;
  for (const EmulatedKernel &K : Kernels)
    List.push_back(json::Object{{"threads", int64_t(K.Block[0]) * K.Block[1] * K.Block[2]},
                                {"registers", int64_t(K.Registers.value_or(0))},
                                {"static_shared_bytes", int64_t(K.StaticSharedBytes.value_or(0))},
                                {"dynamic_shared_bytes", K.DynamicSharedBytes}});
  llvm::Expected<json::Object> Reply = ask("occupancy", json::Object{{"kernels", std::move(List)}},
                                           Seconds, "while it worked out occupancies");
  if (!Reply)
    return Reply.takeError();
  std::vector<std::optional<double>> Result;
  json::Path::Root Root("occupancy");
  auto ReadOne = [](const json::Value &Value, std::optional<double> &Out, json::Path) {
    Out = recordjson::asNumber(Value);
    return true;
  };
  if (!recordjson::readList(*Reply, "occupancy", Result, Root, ReadOne))
    return malformed(Root.getError());
  if (Result.size() != Kernels.size())
    return malformed(makeError("judge-protocol", "another number of occupancies than of kernels"));
  return Result;
}

llvm::Expected<ClockReadings> Judge::clocks(StringRef Action, double Seconds) {
  llvm::Expected<json::Object> Reply =
      ask("clocks", json::Object{{"action", Action}}, Seconds, "while it read the clocks");
  if (!Reply)
    return Reply.takeError();
  ClockReadings Result;
  json::Path::Root Root("clocks");
  if (fromJSON(json::Value(std::move(*Reply)), Result, Root))
    return Result;
  return malformed(Root.getError());
}

llvm::Expected<PeakRates> Judge::peaks(double Seconds) {
  llvm::Expected<json::Object> Reply =
      ask("peaks", {}, Seconds, "while it measured what the GPU can do");
  if (!Reply)
    return Reply.takeError();
  PeakRates Result;
  json::Path::Root Root("peaks");
  if (fromJSON(json::Value(std::move(*Reply)), Result, Root))
    return Result;
  return malformed(Root.getError());
}

llvm::Error Judge::release(double Seconds) {
  return ask("release", {}, Seconds, "while it released memory").takeError();
}
