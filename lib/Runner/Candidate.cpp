//===- Candidate.cpp - the process that runs the submission ------------------===//

#include "Candidate.h"
#include "cupel/Support/Text.h"
#include "llvm/ADT/STLExtras.h"

using namespace cupel;
using llvm::StringRef;
namespace json = llvm::json;

namespace {

json::Object callFields(const Candidate::CallRequest &Request) {
  return json::Object{{"case", Request.Case},
                      {"seed", Request.Seed},
                      {"arguments", json::Array(Request.Arguments)},
                      {"receive", Request.Receive}};
}

} // namespace

llvm::Expected<std::unique_ptr<Candidate>>
Candidate::start(const WorkerOptions &Options, std::shared_ptr<const ExchangeMemory> Exchange) {
  std::unique_ptr<Candidate> New(new Candidate(Options, std::move(Exchange)));
  if (llvm::Error E = New->launch())
    return E;
  return New;
}

llvm::Error Candidate::launch() {
  llvm::Expected<CandidateSandbox> Made = CandidateSandbox::create(Options, Exchange.get());
  if (!Made)
    return Made.takeError();
  llvm::Expected<std::unique_ptr<WorkerProcess>> Started = WorkerProcess::start(Made->process());
  if (!Started)
    return Started.takeError();
  Process = std::move(*Started);
  Sandbox.emplace(std::move(*Made));
  Isolation = Process->isolation();
  json::Object Hello{{"device", candidateDevice(Options.Device)}};
  if (!Options.Counters.empty())
    Hello["counters"] = Options.Counters;
  Process->send("hello", std::move(Hello));
  return llvm::Error::success();
}

/// A machine may keep its driver or libraries where nobody would look for them, so that the worker
/// finds them only in the machine's own root. Until `hello` nothing of the submission has run.
/// What a worker's libraries and driver may not be found under, or CUDA not start under.
static constexpr IsolationLayer Left[] = {IsolationLayer::Files, IsolationLayer::User,
                                          IsolationLayer::Landlock, IsolationLayer::Processes};

llvm::Error Candidate::relaunchInOurRoot(StringRef Why) {
  for (IsolationLayer Layer : Left)
    Options.Isolation &= ~layerBit(Layer);
  if (llvm::Error E = launch())
    return E;
  for (IsolationLayer Layer : Left) {
    LayerState &State = Isolation[unsigned(Layer)];
    State.Asked = true;
    State.Why = "with it the worker does not start: " + printableLine(Why, 300);
  }
  if (LoadSent)
    sendLoad(Library, Entry);
  return llvm::Error::success();
}

void Candidate::sendLoad(std::string NewLibrary, std::string NewEntry) {
  Library = std::move(NewLibrary);
  Entry = std::move(NewEntry);
  Process->send("load", json::Object{{"library", Sandbox->admit(Library)}, {"entry", Entry}});
  LoadSent = true;
}

llvm::Expected<std::optional<Reason>> Candidate::awaitReady(double StartSeconds,
                                                            double LoadSeconds) {
  while (!SaidHello) {
    Answer Hello = Process->receive(StartSeconds);
    bool Reported = Hello.What == Answer::Kind::Error;
    std::string Code = Reported ? Hello.Error.Code : "worker-start";
    std::optional<Reason> Why = failureOf(Hello, "while it started");
    SaidHello = !Why;
    if (SaidHello)
      break;
    bool MayBeIsolation = !Isolation.empty() && llvm::any_of(Left, [&](IsolationLayer Layer) {
      return Isolation[unsigned(Layer)].Held;
    });
    if (!MayBeIsolation)
      return makeError(Code, "the candidate's process did not start: " + Why->Text);
    if (llvm::Error E = relaunchInOurRoot(Why->Text))
      return E;
  }
  if (!LoadSent)
    return std::nullopt;
  LoadSent = false;
  return failureOf(Process->receive(LoadSeconds), "while its library was loaded");
}

std::optional<Reason> Candidate::failureOf(const Answer &A, StringRef During) {
  std::optional<Reason> Why;
  switch (A.What) {
  case Answer::Kind::Ok:
    return std::nullopt;
  case Answer::Kind::Error:
    Why = reasonForWorkerError(A.Error, During);
    if (survives(A.Error))
      return Why;
    Process->kill();
    break;
  case Answer::Kind::Silent:
    Process->kill();
    Why = failureReason("timed-out", During, "ended after " + formatDuration(A.WaitedSeconds));
    break;
  case Answer::Kind::Gone:
    Why = reasonForExit(Process->end(), During);
    break;
  case Answer::Kind::Forged:
    Process->kill();
    Why = failureReason("protocol-violation", During, A.Detail);
    break;
  }
  Process.reset();
  return Why;
}

template <typename T>
CandidateResult<T> Candidate::askFor(StringRef Command, json::Object Fields, double Seconds,
                                     StringRef During) {
  Answer A = Process->ask(Command, std::move(Fields), Seconds);
  if (std::optional<Reason> Why = failureOf(A, During))
    return std::move(*Why);
  T Result;
  json::Path::Root Root(Command);
  if (fromReply(A.Fields, Result, Root))
    return Result;
  // The worker's answers are whole, so the submission made this one up.
  Process->kill();
  Process.reset();
  return failureReason("protocol-violation", During, llvm::toString(Root.getError()));
}

CandidateResult<CallReply> Candidate::call(const CallRequest &Request, double Seconds) {
  return askFor<CallReply>("call", callFields(Request), Seconds, "during the call");
}

CandidateResult<TimeReply> Candidate::time(const CallRequest &Request, const BlockRequest &Block,
                                           double Seconds) {
  json::Object Fields = callFields(Request);
  Fields["samples"] = static_cast<int64_t>(Block.Samples);
  Fields["warmup"] = static_cast<int64_t>(Block.Warmup);
  Fields["warm_samples"] = static_cast<int64_t>(Block.WarmSamples);
  Fields["time_limit_us"] = Block.TimeLimitUs;
  return askFor<TimeReply>("time", std::move(Fields), Seconds, "while it was timed");
}

CandidateResult<ProfileData> Candidate::profile(const CallRequest &Request, StringRef Level,
                                                double Seconds) {
  json::Object Fields = callFields(Request);
  Fields.erase("receive");
  Fields["level"] = Level;
  return askFor<ProfileData>("profile", std::move(Fields), Seconds, "under the profiler");
}

std::optional<Reason> Candidate::close() {
  if (!Process)
    return std::nullopt;
  constexpr double GraceSeconds = 5;
  Answer A = Process->close(GraceSeconds);
  Process->kill();
  Process.reset();
  if (A.What == Answer::Kind::Forged)
    return failureReason("protocol-violation", "after its last answer", A.Detail);
  return std::nullopt;
}
