//===- ReadRecord.cpp - the record of `cupel eval` back from JSON -------------===//

#include "cupel/Report/ReadRecord.h"
#include "cupel/Support/Json.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace cupel;
using llvm::StringRef;
namespace json = llvm::json;

namespace {

/// The messages alone: the error that they go into has the prefix.
std::string textOf(llvm::Error E) {
  std::vector<Reason> Reasons = takeReasons(std::move(E));
  return llvm::join(llvm::map_range(Reasons, [](const Reason &R) { return R.Text; }), "; ");
}

/// What one key of a record must be to be read.
llvm::Error invalid(StringRef File, const llvm::Twine &What) {
  return makeError("record-invalid", "not a record of 'cupel eval': " + What, {File.str(), 0, 0});
}

PolicySpec readPolicy(const json::Object *Object) {
  PolicySpec Policy;
  if (!Object)
    return Policy;
  Policy.Preset = Object->getString("preset").value_or("strict").str();
  auto Read = [&](StringRef Key, std::vector<std::string> &Names) {
    if (const json::Array *Items = Object->getArray(Key))
      for (const json::Value &Item : *Items)
        if (auto Name = Item.getAsString())
          Names.push_back(Name->str());
  };
  Read("libraries", Policy.Libraries);
  Read("operators", Policy.Operators);
  return Policy;
}

/// Reads \p Key with \p Parse into \p Out; an absent or null key leaves it empty.
template <typename T, typename ParseFn>
llvm::Error readPhase(const json::Object &Root, StringRef Key, ParseFn Parse, StringRef File,
                      std::optional<T> &Out) {
  const json::Value *Value = Root.get(Key);
  if (!Value || Value->kind() == json::Value::Null)
    return llvm::Error::success();
  llvm::Expected<T> Parsed = Parse(*Value);
  if (!Parsed)
    return invalid(File, textOf(Parsed.takeError()));
  Out = std::move(*Parsed);
  return llvm::Error::success();
}

llvm::Error readStoppedAfter(const json::Object &Root, StringRef File, std::string &Out) {
  const json::Value *Value = Root.get("stopped_after");
  if (!Value || Value->kind() == json::Value::Null)
    return llvm::Error::success();
  Out = Value->getAsString().value_or("").str();
  if (!llvm::is_contained({"lint", "build", "run", "profile"}, StringRef(Out)))
    return invalid(File, "'stopped_after': expected lint, build, run, profile or null");
  return llvm::Error::success();
}

/// The phases of \p Root that can be gone on from.
llvm::Expected<EvalRecord> readPhases(const json::Object &Root, StringRef File) {
  EvalRecord Record;
  for (auto [Key, Out] : {std::pair{"problem", &Record.Problem},
                          {"problem_hash", &Record.ProblemHash},
                          {"submission", &Record.Submission},
                          {"submission_hash", &Record.SubmissionHash}}) {
    auto Found = Root.getString(Key);
    if (!Found)
      return invalid(File, llvm::Twine("it has no text '") + Key + "'");
    *Out = Found->str();
  }
  if (auto E = readStoppedAfter(Root, File, Record.StoppedAfter))
    return E;
  Record.Policy = readPolicy(Root.getObject("policy"));
  if (auto E = readPhase(Root, "lint", lintRecordFromJson, File, Record.Lint))
    return E;
  if (auto E = readPhase(Root, "build", buildRecordFromJson, File, Record.Build))
    return E;
  if (auto E = readPhase(Root, "run", runRecordFromJson, File, Record.Run))
    return E;
  // The stand-in for a build that was never started is no record.
  if (Record.Build && Record.Build->State == BuildState::Skipped && Record.Build->Reasons.empty())
    Record.Build.reset();
  return Record;
}

/// The run's record as toJson(RunRecord) writes it, of the fields that a finished record spreads
/// over its top level. Raw samples are not among them.
json::Object runFields(const json::Object &Root) {
  auto Field = [&](StringRef Key) {
    const json::Value *Value = Root.get(Key);
    return Value ? *Value : json::Value(nullptr);
  };
  json::Object Profile{{"state", Field("kernels_state")}, {"reason", Field("kernels_reason")}};
  for (StringRef Key : {"launch_gaps_us", "gpu_busy_us", "multiprocessors", "kernels",
                        "torch_operators", "libraries"})
    Profile[Key] = Field(Key);
  json::Object Run{{"profile", std::move(Profile)}};
  for (StringRef Key :
       {"device", "seed", "correctness", "isolation", "profile_isolation", "emulated_kernels"})
    Run[Key] = Field(Key);
  return Run;
}

std::optional<Verdict> parseVerdict(StringRef Text) {
  for (Verdict V : {Verdict::Accepted, Verdict::Rejected, Verdict::CouldNotJudge})
    if (Text == toString(V))
      return V;
  return std::nullopt;
}

llvm::Error readResult(const json::Object &Root, StringRef File, Judgement &Result) {
  std::optional<Verdict> Outcome = parseVerdict(Root.getString("verdict").value_or(""));
  const json::Array *Reasons = Root.getArray("reasons");
  if (!Outcome || !Reasons)
    return invalid(File, "it has no 'verdict' with 'reasons'");
  Result.Outcome = *Outcome;
  for (const json::Value &Value : *Reasons) {
    const json::Object *Why = Value.getAsObject();
    if (!Why || !Why->getString("code") || !Why->getString("text"))
      return invalid(File, "'reasons': expected 'code' and 'text'");
    Result.Reasons.push_back({Why->getString("code")->str(), Why->getString("text")->str()});
  }
  return llvm::Error::success();
}

llvm::Expected<json::Value> parseRecord(StringRef Text, StringRef File) {
  llvm::Expected<json::Value> Value = parseJson(Text);
  if (!Value)
    return makeError("record-syntax", "not JSON: " + textOf(Value.takeError()), {File.str(), 0, 0});
  if (!Value->getAsObject() || !Value->getAsObject()->getString("cupel"))
    return invalid(File, "it has no key 'cupel'");
  return Value;
}

} // namespace

llvm::Expected<EvalRecord> cupel::readEvalRecord(StringRef Text, StringRef File) {
  llvm::Expected<json::Value> Value = parseRecord(Text, File);
  if (!Value)
    return Value.takeError();
  return readPhases(*Value->getAsObject(), File);
}

llvm::Expected<EvalRecord> cupel::readFinishedRecord(StringRef Text, StringRef File) {
  llvm::Expected<json::Value> Value = parseRecord(Text, File);
  if (!Value)
    return Value.takeError();
  const json::Object &Root = *Value->getAsObject();
  llvm::Expected<EvalRecord> Record = readPhases(Root, File);
  if (!Record)
    return Record;
  if (auto E = readResult(Root, File, Record->Result))
    return E;
  // Without a seed nothing ran.
  if (!Record->Run && Root.getString("seed")) {
    llvm::Expected<RunRecord> Run = runRecordFromJson(runFields(Root));
    if (!Run)
      return invalid(File, textOf(Run.takeError()));
    Record->Run = std::move(*Run);
  }
  if (Record->Run) {
    if (auto E = readPhase(Root, "timing", timingRecordFromJson, File, Record->Timing))
      return E;
    if (auto E = readPhase(Root, "roofline", rooflineRecordFromJson, File, Record->Roofline))
      return E;
  }
  return Record;
}
