//===- ReferenceChecker.cpp - runs problems' references without a submission ===//

#include "cupel/Runner/ReferenceChecker.h"
#include "Judge.h"
#include "Randomness.h"
#include "cupel/Profile/RecordJson.h"
#include "cupel/Support/Text.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace cupel;
using llvm::StringRef;
namespace json = llvm::json;

namespace {

/// The same values in every check, so that a problem that passed today passes tomorrow.
constexpr uint64_t CheckSeed = 0x6375706c;

bool readMutation(const json::Value &Value, MutationResult &Out, json::Path P) {
  json::ObjectMapper Map(Value, P);
  std::string State;
  int64_t Output = 0;
  if (!Map || !Map.map("name", Out.Name) || !Map.map("output", Output) ||
      !Map.map("state", State) || !Map.map("reason", Out.Reason))
    return false;
  auto Known = llvm::StringSwitch<std::optional<MutationState>>(State)
                   .Case("refused", MutationState::Refused)
                   .Case("accepted", MutationState::Accepted)
                   .Case("equal", MutationState::Equal)
                   .Case("not_applicable", MutationState::NotApplicable)
                   .Default(std::nullopt);
  if (!Known || Output < 0) {
    P.report("no state of a mutation, or no output");
    return false;
  }
  Out.State = *Known;
  Out.Output = size_t(Output);
  return true;
}

bool readNumbers(const json::Object &Object, StringRef Key, std::vector<size_t> &Out,
                 json::Path P) {
  std::vector<uint64_t> Numbers;
  const json::Value *Value = Object.get(Key);
  if (!Value || !json::fromJSON(*Value, Numbers, P.field(Key)))
    return false;
  Out.assign(Numbers.begin(), Numbers.end());
  return true;
}

bool readReport(const json::Value &Value, ReferenceReport &Out, json::Path P) {
  json::ObjectMapper Map(Value, P);
  const json::Object *Object = Value.getAsObject();
  return Map && Map.map("shapes", Out.Shapes) && Map.map("dtypes", Out.DTypes) &&
         Map.map("not_finite", Out.NotFinite) && Map.map("repeat_equal", Out.RepeatEqual) &&
         Map.map("inputs_changed", Out.InputsChanged) && Map.map("depends", Out.Depends) &&
         Map.map("negligible", Out.Negligible) && Map.map("independent", Out.Independent) &&
         readNumbers(*Object, "fixed_outputs", Out.FixedOutputs, P) &&
         Map.map("named_dtypes", Out.NamedDTypes) &&
         Map.map("within_tolerance", Out.WithinTolerance) &&
         recordjson::read(*Object, "max_error", Out.MaxError, P) &&
         recordjson::read(*Object, "allowed_error", Out.AllowedError, P) &&
         recordjson::read(*Object, "reference_precision", Out.ReferencePrecision, P) &&
         recordjson::read(*Object, "reference_precision_reason", Out.ReferencePrecisionReason, P) &&
         recordjson::readList(*Object, "mutations", Out.Mutations, P, readMutation);
}

} // namespace

ReferenceChecker::ReferenceChecker(WorkerOptions Workers, double TimeoutSeconds)
    : Workers(std::move(Workers)), TimeoutSeconds(TimeoutSeconds) {}

ReferenceChecker::~ReferenceChecker() = default;

/// A problem's time starts with its first case, when the judge is there.
void ReferenceChecker::begin(const ProblemSpec &Problem) {
  std::string Key = Problem.File + '\0' + Problem.Id + '\0' + Problem.ReferenceSource;
  if (Key == Current)
    return;
  Current = std::move(Key);
  Began = std::chrono::steady_clock::now();
}

double ReferenceChecker::secondsLeft() const {
  std::chrono::duration<double> Used = std::chrono::steady_clock::now() - Began;
  // Never 0: a request that cannot be waited for would end the judge.
  return std::max(TimeoutSeconds - Used.count(), 0.01);
}

/// Nothing but the reference runs in the judge here: silence for as long as a problem has, a crash
/// and a lack of memory are its fault, or that of the case's sizes.
llvm::Error ReferenceChecker::explain(llvm::Error E, const ProblemSpec &Problem,
                                      const SourcePlace &CasePlace) const {
  return llvm::handleErrors(std::move(E), [&](std::unique_ptr<CupelError> Known) -> llvm::Error {
    StringRef Code = Known->code(), Text = Known->text();
    if (!Known->place().File.empty())
      return llvm::Error(std::move(Known));
    if (Code == "unsupported-language" || Code == "out-of-memory") {
      Text = Text.substr(Text.find(": ") + 2); // Behind `the judge failed while ...`.
      return makeError(Code, Text, Code == "out-of-memory" ? CasePlace : Problem.ReferencePlace);
    }
    if (Code == "judge-crashed" || Code == "judge-memory") {
      Text.consume_front("the judge's process ");
      return makeError(Code == "judge-memory" ? "judge-memory" : "reference-crashed",
                       "the process that ran the reference " + Text, Problem.ReferencePlace);
    }
    if (Code != "judge-timed-out")
      return llvm::Error(std::move(Known));
    return makeError("reference-timed-out",
                     llvm::formatv("no result within the {0} that a problem has; "
                                   "'problem check --timeout SECONDS' gives it more",
                                   formatDuration(TimeoutSeconds))
                         .str(),
                     Problem.ReferencePlace);
  });
}

llvm::Error ReferenceChecker::ensureJudge() {
  if (TheJudge && TheJudge->alive())
    return llvm::Error::success();
  Opened.clear();
  TheJudge.reset();
  // A start can take minutes to fail, and there may be hundreds of problems.
  if (NoStart)
    return makeError(NoStart->Code, NoStart->Text);
  llvm::Expected<std::unique_ptr<Judge>> Fresh = Judge::start(Workers);
  if (!Fresh) {
    NoStart = takeReasons(Fresh.takeError()).front();
    return makeError(NoStart->Code, NoStart->Text);
  }
  llvm::Expected<HelloReply> Hello = (*Fresh)->awaitHello(Workers.Limits.StartSeconds);
  if (Hello) {
    Device = Workers.Device == DeviceChoice::Cpu ? "cpu" : Hello->DeviceName;
    TheJudge = std::move(*Fresh);
    return llvm::Error::success();
  }
  std::vector<Reason> Why = takeReasons(Hello.takeError());
  if (Why.front().Code != "device-unavailable" || Workers.Device != DeviceChoice::Auto) {
    NoStart = Why.front();
    return makeError(NoStart->Code, NoStart->Text);
  }
  Workers.Device = DeviceChoice::Cpu;
  return ensureJudge();
}

llvm::Error ReferenceChecker::open(const ProblemSpec &Problem) {
  if (Opened == Current)
    return llvm::Error::success();
  Opened.clear();
  if (llvm::Error E = TheJudge->openProblem(Problem, secondsLeft()))
    return explain(std::move(E), Problem, Problem.ReferencePlace);
  Opened = Current;
  return llvm::Error::success();
}

llvm::Expected<json::Object> ReferenceChecker::ask(StringRef Command, const ProblemSpec &Problem,
                                                   const CaseSpec &Case) {
  if (llvm::Error E = ensureJudge())
    return E;
  begin(Problem);
  if (llvm::Error E = open(Problem))
    return E;
  llvm::Expected<json::Object> Reply =
      TheJudge->ask(Command,
                    json::Object{{"case", toJson(Problem, Case)},
                                 {"seed", callSeed(CheckSeed, Case.Name, "reference", 0)}},
                    secondsLeft(), "while it checked the reference");
  if (!Reply)
    return withContext(explain(Reply.takeError(), Problem, Case.Place), "case '" + Case.Name + "'");
  return Reply;
}

llvm::Expected<ReferenceReport> ReferenceChecker::check(const ProblemSpec &Problem,
                                                        const CaseSpec &Case) {
  llvm::Expected<json::Object> Reply = ask("check_reference", Problem, Case);
  if (!Reply)
    return Reply.takeError();
  ReferenceReport Report;
  json::Path::Root Root("check_reference");
  if (!readReport(std::move(*Reply), Report, Root))
    return TheJudge->malformed(Root.getError());
  if (llvm::Error E = TheJudge->release(Workers.Limits.CallSeconds))
    return E;
  return Report;
}

llvm::Expected<MemoryEstimate> ReferenceChecker::estimateMemory(const ProblemSpec &Problem,
                                                                const CaseSpec &Case) {
  llvm::Expected<json::Object> Reply = ask("estimate_memory", Problem, Case);
  if (!Reply)
    return Reply.takeError();
  MemoryEstimate Estimate;
  Estimate.PeakBytes = Reply->getInteger("peak_bytes");
  Estimate.Reason = printableLine(Reply->getString("reason").value_or(""), 300);
  json::Path::Root Root("estimate_memory");
  if (!Estimate.PeakBytes && Estimate.Reason.empty()) {
    json::Path(Root).report("neither an estimate nor a reason");
    return TheJudge->malformed(Root.getError());
  }
  return Estimate;
}
