//===- Runner.cpp - runs a built submission and judges its results -----------===//

#include "cupel/Runner/Runner.h"
#include "Randomness.h"
#include "Session.h"
#include "WorkerPairState.h"
#include "cupel/Runner/FailureReason.h"
#include "cupel/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <unistd.h>

using namespace cupel;
using llvm::StringRef;

std::optional<ProfileLevel> cupel::parseProfileLevel(StringRef Text) {
  if (Text == "none")
    return ProfileLevel::None;
  if (Text == "basic")
    return ProfileLevel::Basic;
  if (Text == "full")
    return ProfileLevel::Full;
  return std::nullopt;
}

std::optional<DeviceChoice> cupel::parseDeviceChoice(StringRef Text) {
  if (Text == "auto")
    return DeviceChoice::Auto;
  if (Text == "cuda")
    return DeviceChoice::Cuda;
  if (Text == "cpu")
    return DeviceChoice::Cpu;
  return std::nullopt;
}

namespace {

llvm::Error checkCaseNames(const RunRequest &Request) {
  std::vector<std::string> Known;
  for (const CaseSpec &Case : Request.Problem.Cases)
    Known.push_back(Case.Name);
  llvm::Error All = llvm::Error::success();
  for (const std::string &Name : Request.Cases)
    if (!llvm::is_contained(Known, Name))
      All = llvm::joinErrors(std::move(All),
                             makeError("unknown-case", "the problem '" + Request.Problem.Id +
                                                           "' has no case '" + Name + "'" +
                                                           didYouMean(Name, Known) + "; it has " +
                                                           llvm::join(Known, ", ")));
  return All;
}

/// The benchmark case, if it was asked for.
const CaseSpec *benchmarkCase(const RunRequest &Request) {
  const CaseSpec *Case = Request.Problem.benchmarkCase();
  bool Asked = Case && (Request.Cases.empty() || llvm::is_contained(Request.Cases, Case->Name));
  return Asked ? Case : nullptr;
}

void setNotMeasured(RunRecord &Record, const Reason &Why) {
  Record.Correctness.Why = Why;
  Record.TimingNotMeasured = Why;
  Record.Profile.Why = Why;
}

/// Both processes load the problem and the submission at the same time. False: the record is done.
llvm::Expected<bool> getReady(Session &S) {
  const WorkerLimits &Limits = S.Request.Workers.Limits;
  llvm::Expected<HelloReply> Hello = S.TheJudge->awaitHello(Limits.StartSeconds);
  if (!Hello) {
    std::vector<Reason> Why = takeReasons(Hello.takeError());
    if (Why.front().Code != "device-unavailable")
      return makeError(Why.front().Code, Why.front().Text);
    setNotMeasured(S.Record, {"no-cuda-device", Why.front().Text});
    return false;
  }
  S.Record.Device = S.emulates()                                    ? "cpu-emulation"
                    : S.Request.Workers.Device == DeviceChoice::Cpu ? "cpu"
                                                                    : Hello->DeviceName;
  S.TorchVersion = Hello->TorchVersion;
  S.Uuid = Hello->Uuid;
  S.Driver = Hello->Driver;
  S.TheCandidate->sendLoad(S.Request.Library, S.Request.Entry);
  if (llvm::Error E = S.TheJudge->openProblem(S.Request.Problem, S.commandSeconds()))
    return E;
  llvm::Expected<std::optional<Reason>> NotLoaded = S.awaitCandidate();
  if (!NotLoaded)
    return NotLoaded.takeError();
  if (!*NotLoaded)
    return true;
  setNotMeasured(S.Record, **NotLoaded);
  if (isWorkersOwn(**NotLoaded))
    return false;
  S.Record.Reasons.push_back(**NotLoaded);
  S.Record.Correctness.State = CheckState::Failed;
  return false;
}

void closeCandidate(Session &S) {
  if (!S.TheCandidate)
    return;
  if (std::optional<Reason> Why = S.TheCandidate->close())
    S.Record.Reasons.push_back(std::move(*Why));
  S.TheCandidate.reset();
}

/// Figures of a submission that is wrong would only mislead.
std::optional<Reason> whyNotTimed(const Session &S, const CaseSpec *Benchmark) {
  if (S.Record.Correctness.State == CheckState::Failed)
    return Reason{"correctness-failed", "the results are wrong, so their time means nothing"};
  if (S.Record.Correctness.State == CheckState::NotMeasured)
    return Reason{"correctness-not-measured", "correctness was not measured"};
  if (!Benchmark)
    return Reason{"no-benchmark-case", "no case with the role benchmark was to be run"};
  if (S.remainingSeconds() <= 0)
    return Reason{"not-run",
                  "the run's limit of " + formatDuration(S.Request.TimeoutSeconds) + " was over"};
  return std::nullopt;
}

llvm::Error measure(Session &S) {
  const CaseSpec *Benchmark = benchmarkCase(S.Request);
  bool OnCpu = S.Request.Workers.Device == DeviceChoice::Cpu || S.emulates();
  std::optional<Reason> WhyNot = whyNotTimed(S, Benchmark);
  if (!WhyNot && OnCpu)
    WhyNot = Reason{"no-cuda-device", "no CUDA device: times on a CPU say nothing of a GPU"};
  S.Record.TimingNotMeasured = S.Request.Time ? WhyNot : Reason{"not-asked", "not asked for"};
  if (!S.Record.TimingNotMeasured)
    if (llvm::Error E = timeBenchmark(S, *Benchmark))
      return E;
  closeCandidate(S);
  if (S.emulates())
    if (llvm::Error E = judgeEmulatedKernels(S))
      return E;
  if (!S.Record.Reasons.empty() && !WhyNot)
    WhyNot = Reason{"correctness-failed", S.Record.Reasons.front().Text};
  if (S.Request.Profile == ProfileLevel::None)
    WhyNot = Reason{"not-asked", "not asked for (--profile none)"};
  S.Record.Profile.Why = WhyNot;
  return WhyNot ? llvm::Error::success() : profileBenchmark(S, *Benchmark);
}

} // namespace

/// A profile in a fresh process: the profiler may not see what earlier calls left, nor leave
/// anything itself. A Reason: why there is none.
static llvm::Expected<CandidateResult<ProfileData>> takeProfile(Session &S, const CaseSpec &Case) {
  const StringRef Level = S.Request.Profile == ProfileLevel::Full ? "full" : "basic";
  S.Workers.Counters = Level;
  llvm::Expected<std::optional<Reason>> NotReady = S.ensureCandidate();
  if (!NotReady)
    return NotReady.takeError();
  if (*NotReady)
    return std::move(**NotReady);
  CandidateResult<ProfileData> Profile = S.TheCandidate->profile(
      S.callRequest(Case, callSeed(S.Master, Case.Name, "profile", 0)), Level, S.commandSeconds());
  closeCandidate(S);
  return Profile;
}

static bool countersForbidden(const CandidateResult<ProfileData> &Profile) {
  const auto *Data = std::get_if<ProfileData>(&Profile);
  return Data && llvm::any_of(Data->Kernels, [](const KernelRecord &K) {
           return K.Why && K.Why->Code == "counters-forbidden";
         });
}

llvm::Error cupel::profileBenchmark(Session &S, const CaseSpec &Case) {
  S.progress("profile");
  llvm::Expected<CandidateResult<ProfileData>> Profile = takeProfile(S, Case);
  if (!Profile)
    return Profile.takeError();
  // Where the driver shows counters to administrators alone, the candidate has to stay one. By now
  // the submission has been judged right, and the other layers hold.
  constexpr IsolationLayers Rights = layerBit(IsolationLayer::Privileges) |
                                     layerBit(IsolationLayer::Namespace) |
                                     layerBit(IsolationLayer::User);
  if (::geteuid() == 0 && (S.Workers.Isolation & Rights) && countersForbidden(*Profile)) {
    S.Workers.Isolation &= ~Rights;
    llvm::Expected<CandidateResult<ProfileData>> Again = takeProfile(S, Case);
    if (!Again)
      return Again.takeError();
    if (std::holds_alternative<ProfileData>(*Again))
      Profile = std::move(*Again);
  }
  if (auto *Data = std::get_if<ProfileData>(&*Profile))
    S.Record.Profile = std::move(*Data);
  else
    S.Record.Profile.Why = failureReason("profile-failed", "", std::get<Reason>(*Profile).Text);
  return llvm::Error::success();
}

llvm::Expected<RunRecord> cupel::runSubmission(const RunRequest &Request,
                                               std::unique_ptr<WorkerPair> Early) {
  if (llvm::Error E = checkCaseNames(Request))
    return E;
  if (!Early) {
    llvm::Expected<std::unique_ptr<WorkerPair>> Pair = WorkerPair::start(Request.Workers);
    if (!Pair)
      return Pair.takeError();
    Early = std::move(*Pair);
  }
  Session S(Request);
  S.Exchange = std::move(Early->state().Exchange);
  S.TheJudge = std::move(Early->state().TheJudge);
  S.TheCandidate = std::move(Early->state().TheCandidate);
  llvm::Expected<bool> Ready = getReady(S);
  if (!Ready)
    return Ready.takeError();
  if (!*Ready)
    return std::move(S.Record);
  if (llvm::Error E = checkCases(S))
    return E;
  if (llvm::Error E = measure(S))
    return E;
  return std::move(S.Record);
}
