//===- Correctness.cpp - every case called and compared ----------------------===//

#include "Randomness.h"
#include "Session.h"
#include "cupel/Profile/RecordJson.h"
#include "cupel/Support/Text.h"
#include "llvm/ADT/STLExtras.h"

using namespace cupel;
using llvm::StringRef;

namespace {

/// After so many broken processes a submission has had its chances; each may have cost the limit of
/// a call.
constexpr unsigned MaxBroken = 3;

std::string numberText(const std::optional<double> &Number) {
  if (!Number)
    return "?";
  if (std::optional<StringRef> Name = recordjson::write(*Number).getAsString())
    return Name->str();
  return formatSignificant(*Number, 6);
}

/// The judge's reasons; should it have given none, the figures speak.
std::vector<Reason> reasonsOf(const CompareReply &Compared) {
  if (Compared.State == CheckState::Passed)
    return {};
  if (!Compared.Reasons.empty())
    return Compared.Reasons;
  return {{"wrong-values", numberText(Compared.Actual) + " instead of " +
                               numberText(Compared.Expected) + " at " +
                               shapeText(Compared.FirstMismatch) + "; the error is " +
                               numberText(Compared.MaxError) + ", allowed is " +
                               numberText(Compared.AllowedError)}};
}

void addReasons(std::vector<Reason> &To, llvm::ArrayRef<Reason> More) {
  for (const Reason &R : More)
    if (llvm::none_of(To, [&](const Reason &Known) { return Known.Code == R.Code; }))
      To.push_back(R);
}

void addNotes(std::vector<KernelNote> &To, llvm::ArrayRef<KernelNote> More) {
  for (const KernelNote &N : More)
    if (llvm::none_of(To, [&](const KernelNote &Known) { return isAlike(Known, N); }))
      To.push_back(N);
}

/// A case that is too large for the emulation says nothing against the others.
constexpr char TooLarge[] = "too-large-for-emulation";

/// Elements of all tensors of a case that the emulation still runs: some ten million steps of
/// threads a second leave seconds for kernels that do more with each than one step.
constexpr uint64_t EmulatedElements = 1 << 22;
/// Operations of a case, where the problem tells them, that the emulation still runs.
constexpr int64_t EmulatedFlops = 100'000'000;
/// Seconds for the one call of a benchmark, whose work is not known before.
constexpr double EmulatedBenchmarkSeconds = 10;

bool isWorse(const CompareReply &A, const CaseRecord &Than) {
  if (!Than.MaxError)
    return true;
  if (Than.State == CheckState::Failed)
    return false;
  // A NaN error compares false both ways, but then the state is failed.
  return A.State == CheckState::Failed || A.MaxError.value_or(0) > *Than.MaxError;
}

/// Adds one call's outcome to the case's record, which shows the worst call's figures.
void merge(CaseRecord &Record, const CheckedCall &Call) {
  if (Call.Compared && isWorse(*Call.Compared, Record))
    static_cast<ErrorFigures &>(Record) = *Call.Compared;
  addReasons(Record.Reasons, Call.Reasons);
  addNotes(Record.Notes, Call.Notes);
  Record.State = Record.Reasons.empty()                       ? CheckState::Passed
                 : llvm::all_of(Record.Reasons, isWorkersOwn) ? CheckState::NotMeasured
                                                              : CheckState::Failed;
}

/// Calls the candidate with \p Seed, whose results the judge expects.
llvm::Expected<CheckedCall> callOnce(Session &S, const CaseSpec &Case, const ExpectReply &Expected,
                                     const std::string &Seed) {
  Candidate::CallRequest Call = S.callRequest(Case, Seed);
  Call.Receive = Expected.Receive;
  llvm::Expected<std::optional<Reason>> NotReady = S.ensureCandidate();
  if (!NotReady)
    return NotReady.takeError();
  if (*NotReady)
    return CheckedCall{std::nullopt, {**NotReady}, {}};
  CandidateResult<CallReply> Reply = S.TheCandidate->call(Call, S.callSeconds());
  if (Reason *Why = std::get_if<Reason>(&Reply))
    return CheckedCall{std::nullopt, {*Why}, {}};
  return checkReply(S, Expected, std::get<CallReply>(Reply));
}

/// Calls with equal inputs must agree: both pass, or both fail in the same way. What was never
/// written holds chance values, so two such outputs may differ.
bool agree(const CompareReply &A, const CompareReply &B) {
  auto Unwritten = [](const CompareReply &C) {
    return llvm::any_of(C.Reasons, [](const Reason &R) { return R.Code == "unwritten-output"; });
  };
  if (Unwritten(A) || Unwritten(B))
    return true;
  auto Text = [](const CompareReply &C) {
    return numberText(C.Actual) + shapeText(C.FirstMismatch) + numberText(C.MaxError);
  };
  return A.State == B.State && (A.State == CheckState::Passed || Text(A) == Text(B));
}

/// Two calls with one seed.
llvm::Error checkTwice(Session &S, const CaseSpec &Case, CaseRecord &Record) {
  std::string Seed = callSeed(S.Master, Case.Name, "check", 0);
  llvm::Expected<ExpectReply> Expected =
      S.TheJudge->expect(toJson(S.Request.Problem, Case), Seed, S.commandSeconds());
  if (!Expected)
    return Expected.takeError();
  llvm::Expected<CheckedCall> First = callOnce(S, Case, *Expected, Seed);
  if (!First)
    return First.takeError();
  merge(Record, *First);
  if (!First->Compared)
    return llvm::Error::success();
  // `compare` has filled the receive buffers with poison again, so this cannot pass on the first
  // call's results.
  llvm::Expected<CheckedCall> Again = callOnce(S, Case, *Expected, Seed);
  if (!Again)
    return Again.takeError();
  if (Again->Compared && !agree(*First->Compared, *Again->Compared))
    Record.Reasons.push_back(failureReason("unstable", ""));
  merge(Record, *Again);
  return llvm::Error::success();
}

/// A call with values that differ from those of checkTwice.
llvm::Error checkOther(Session &S, const CaseSpec &Case, CaseRecord &Record) {
  std::string Seed = callSeed(S.Master, Case.Name, "check", 1);
  llvm::Expected<ExpectReply> Expected =
      S.TheJudge->expect(toJson(S.Request.Problem, Case), Seed, S.commandSeconds());
  if (!Expected)
    return Expected.takeError();
  llvm::Expected<CheckedCall> Other = callOnce(S, Case, *Expected, Seed);
  if (!Other)
    return Other.takeError();
  merge(Record, *Other);
  if (Other->Compared && Other->Compared->State == CheckState::Failed && !S.CallLimit)
    addReasons(Record.Reasons, failureReason("later-call-wrong", ""));
  return llvm::Error::success();
}

/// Whether one call with a limit of its own has to do: a benchmark under emulation, which may be
/// more work than its tensors show, and is there for code that treats large sizes in another way.
bool isTried(const Session &S, const CaseSpec &Case) {
  return S.emulates() && Case.IsBenchmark && S.Request.Cases.empty() &&
         llvm::any_of(S.Record.Correctness.Cases,
                      [](const CaseRecord &C) { return C.State == CheckState::Passed; });
}

llvm::Error tryOnce(Session &S, const CaseSpec &Case, CaseRecord &Record) {
  S.CallLimit = EmulatedBenchmarkSeconds;
  llvm::Error E = checkOther(S, Case, Record);
  S.CallLimit.reset();
  if (Record.Reasons.size() != 1 || Record.Reasons.front().Code != "timed-out")
    return E;
  Record.State = CheckState::NotMeasured;
  Record.Reasons = {{TooLarge, "it takes longer than " + formatDuration(EmulatedBenchmarkSeconds) +
                                   " under emulation; --case " + Case.Name + " runs it"}};
  return E;
}

/// A judge that fails, for want of memory for one, cannot judge this case; others it can, or a
/// fresh one. The second one that is gone ends the run.
llvm::Expected<CaseRecord> checkCase(Session &S, const CaseSpec &Case) {
  CaseRecord Record;
  Record.Name = Case.Name;
  bool Tried = isTried(S, Case);
  llvm::Error E = Tried ? tryOnce(S, Case, Record) : checkTwice(S, Case, Record);
  if (!E && !Tried && Record.State == CheckState::Passed)
    E = checkOther(S, Case, Record);
  if (!E)
    return Record;
  if (!S.TheJudge->alive() && S.BrokenJudges++ > 0)
    return E;
  std::vector<Reason> Why = takeReasons(std::move(E));
  if (Record.State != CheckState::Failed) {
    Record.State = CheckState::NotMeasured;
    Record.Reasons = std::move(Why);
  }
  return Record;
}

/// Why the emulation leaves \p Case out; empty when it does not. Who names a case gets it.
std::string whyTooLarge(const Session &S, const CaseSpec &Case) {
  const ProblemSpec &Problem = S.Request.Problem;
  if (!S.emulates() || !S.Request.Cases.empty())
    return "";
  if (Problem.Flops) {
    llvm::Expected<int64_t> Flops = Problem.Flops->evaluate(Case.Sizes);
    if (!Flops)
      llvm::consumeError(Flops.takeError());
    else if (*Flops > EmulatedFlops)
      return "it takes " + std::to_string(*Flops) +
             " operations, and the emulation runs cases of " + std::to_string(EmulatedFlops) +
             "; --case " + Case.Name + " runs it";
  }
  if (tensorBytes(Problem, Case) <= 4 * EmulatedElements)
    return "";
  return "its tensors have " + formatBytes(tensorBytes(Problem, Case)) +
         ", and the emulation runs cases of at most " + formatBytes(4 * EmulatedElements) +
         "; --case " + Case.Name + " runs it";
}

CaseRecord notRun(const CaseSpec &Case, StringRef Why) {
  CaseRecord Record;
  Record.Name = Case.Name;
  Record.Reasons = {{"not-run", Why.str()}};
  return Record;
}

std::vector<const CaseSpec *> selectCases(const RunRequest &Request) {
  std::vector<const CaseSpec *> Selected;
  for (const CaseSpec &Case : Request.Problem.Cases)
    // A case without a role runs only when it is asked for.
    if (Request.Cases.empty() ? Case.IsCheck || Case.IsBenchmark
                              : llvm::is_contained(Request.Cases, Case.Name))
      Selected.push_back(&Case);
  // Small cases first: they find most mistakes in the least time.
  llvm::stable_sort(Selected, [](const CaseSpec *A, const CaseSpec *B) {
    return !A->IsBenchmark && B->IsBenchmark;
  });
  return Selected;
}

void conclude(CorrectnessRecord &Record) {
  auto Has = [&](CheckState State) {
    return llvm::any_of(Record.Cases, [&](const CaseRecord &C) {
      return C.State == State && (C.Reasons.empty() || C.Reasons.front().Code != TooLarge);
    });
  };
  Record.State = Has(CheckState::Failed)        ? CheckState::Failed
                 : Has(CheckState::NotMeasured) ? CheckState::NotMeasured
                 : Has(CheckState::Passed)      ? CheckState::Passed
                                                : CheckState::NotMeasured;
  if (Record.State != CheckState::NotMeasured)
    return;
  for (const CaseRecord &Case : Record.Cases)
    if (Case.State == CheckState::NotMeasured && !Record.Why)
      Record.Why = Reason{Case.Reasons.front().Code,
                          "case '" + Case.Name + "': " + Case.Reasons.front().Text};
  if (!Record.Why)
    Record.Why = Reason{"not-run", "the problem has no case to check"};
}

} // namespace

/// An emulated candidate's tensors say that they are on a CUDA device, which checkOutputs has
/// looked at; the judge's are on the CPU.
static llvm::json::Value onJudgesDevice(llvm::json::Value Outputs) {
  if (llvm::json::Array *List = Outputs.getAsArray())
    for (llvm::json::Value &Output : *List)
      if (llvm::json::Object *Fields = Output.getAsObject())
        (*Fields)["device"] = judgeDevice(DeviceChoice::Emulated);
  return Outputs;
}

llvm::Expected<CheckedCall> cupel::checkReply(Session &S, const ExpectReply &Expected,
                                              const CallReply &Call) {
  CheckedCall Result;
  for (const EmulationError &Error : Call.EmulationErrors)
    if (Error.Rejects)
      Result.Reasons.push_back(toReason(Error, S.Request.File));
    else
      Result.Notes.push_back(toNote(Error, S.Request.File));
  if (!Result.Reasons.empty())
    return Result; // What such a kernel wrote says nothing more.
  if (Call.Thrown) {
    Result.Reasons.push_back(reasonForWorkerError(*Call.Thrown, "during the call"));
    return Result;
  }
  Result.Reasons = checkOutputs(Expected, Call, outputDevice(S.Request.Workers.Device));
  // Tensors of another shape or dtype have no values to compare.
  auto Shapeless = [](const Reason &R) {
    return R.Code == "output-count" || StringRef(R.Code).starts_with("wrong-");
  };
  if (llvm::any_of(Result.Reasons, Shapeless))
    return Result;
  llvm::Expected<CompareReply> Compared = S.TheJudge->compare(
      S.emulates() ? onJudgesDevice(Call.OutputsJson) : Call.OutputsJson, S.commandSeconds());
  if (!Compared)
    return Compared.takeError();
  addReasons(Result.Reasons, reasonsOf(*Compared));
  Result.Compared = std::move(*Compared);
  if (!Call.EmulatedKernels.empty())
    S.Record.EmulatedKernels = Call.EmulatedKernels;
  return Result;
}

llvm::Error cupel::checkCases(Session &S) {
  CorrectnessRecord &Correctness = S.Record.Correctness;
  for (const CaseSpec *Case : selectCases(S.Request)) {
    if (S.Broken >= MaxBroken) {
      Correctness.Cases.push_back(notRun(*Case, "the cases before it broke too many processes"));
      continue;
    }
    if (S.remainingSeconds() <= 0) {
      Correctness.Cases.push_back(notRun(
          *Case, "the run's limit of " + formatDuration(S.Request.TimeoutSeconds) + " is over"));
      continue;
    }
    if (std::string Why = whyTooLarge(S, *Case); !Why.empty()) {
      Correctness.Cases.push_back(notRun(*Case, Why));
      Correctness.Cases.back().Reasons.front().Code = TooLarge;
      continue;
    }
    S.progress("case " + Case->Name);
    if (llvm::Error E = S.ensureJudge())
      return E;
    llvm::Expected<CaseRecord> Record = checkCase(S, *Case);
    if (!Record)
      return withContext(Record.takeError(), "case '" + Case->Name + "'");
    Correctness.Cases.push_back(std::move(*Record));
    S.Broken += !S.TheCandidate->usable();
    if (!S.TheJudge->alive())
      continue;
    if (llvm::Error E = S.TheJudge->release(S.Request.Workers.Limits.CallSeconds))
      return E;
  }
  conclude(Correctness);
  return llvm::Error::success();
}
