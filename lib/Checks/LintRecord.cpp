//===- LintRecord.cpp - the lint record as JSON -----------------------------===//

#include "cupel/Checks/LintRecord.h"

namespace json = llvm::json;

namespace cupel {

llvm::StringRef toString(Verdict V) {
  switch (V) {
  case Verdict::Accepted:
    return "accepted";
  case Verdict::Rejected:
    return "rejected";
  case Verdict::CouldNotJudge:
    return "could_not_judge";
  }
  return "could_not_judge";
}

json::Value toJson(const LintRecord &Record) {
  json::Array Findings, Entries;
  for (const Finding &F : Record.Findings)
    Findings.push_back(toJson(F));
  for (const EntrySignature &E : Record.Entries)
    Entries.push_back(toJson(E));
  return json::Object{
      {"file", json::fixUTF8(Record.File)},
      {"parse", toString(Record.Parse)},
      {"verdict", toString(Record.Outcome)},
      {"policy", Record.Policy},
      {"policy_source", Record.PolicySource},
      {"suppressed", json::Array(Record.Suppressed)},
      {"findings", std::move(Findings)},
      {"kernels", json::Array(Record.Kernels)},
      {"entries", std::move(Entries)},
      {"entry", Record.Entry ? toJson(*Record.Entry) : json::Value(nullptr)},
      {"seconds", Record.Seconds},
  };
}

/// The member of \p Values whose name is \p Text.
template <typename T>
static bool parseEnum(llvm::StringRef Text, std::initializer_list<T> Values, T &Result) {
  for (T V : Values)
    if (toString(V) == Text) {
      Result = V;
      return true;
    }
  return false;
}

static llvm::Error readEntries(const json::Object &Object, LintRecord &Record) {
  if (const json::Array *Entries = Object.getArray("entries"))
    for (const json::Value &Value : *Entries) {
      llvm::Expected<EntrySignature> Entry = entryFromJson(Value);
      if (!Entry)
        return Entry.takeError();
      Record.Entries.push_back(std::move(*Entry));
    }
  if (const json::Value *Value = Object.get("entry"); Value && !Value->getAsNull()) {
    llvm::Expected<EntrySignature> Entry = entryFromJson(*Value);
    if (!Entry)
      return Entry.takeError();
    Record.Entry = std::move(*Entry);
  }
  return llvm::Error::success();
}

llvm::Expected<LintRecord> lintRecordFromJson(const json::Value &Value) {
  json::Path::Root Root("lint");
  json::ObjectMapper Map(Value, Root);
  LintRecord Record;
  std::string Parse, Outcome;
  if (!Map || !Map.map("file", Record.File) || !Map.map("parse", Parse) ||
      !Map.map("verdict", Outcome) || !Map.map("policy", Record.Policy) ||
      !Map.map("policy_source", Record.PolicySource) || !Map.map("suppressed", Record.Suppressed) ||
      !Map.map("kernels", Record.Kernels) || !Map.map("seconds", Record.Seconds))
    return withContext(Root.getError(), "lint record");
  if (!parseEnum(Parse, {ParseState::Complete, ParseState::Partial, ParseState::Failed},
                 Record.Parse))
    return makeError("record-malformed", "lint record: unknown parse state '" + Parse + "'");
  if (!parseEnum(Outcome, {Verdict::Accepted, Verdict::Rejected, Verdict::CouldNotJudge},
                 Record.Outcome))
    return makeError("record-malformed", "lint record: unknown verdict '" + Outcome + "'");
  const json::Object &Object = *Value.getAsObject();
  if (const json::Array *Findings = Object.getArray("findings"))
    for (const json::Value &Item : *Findings) {
      llvm::Expected<Finding> F = findingFromJson(Item);
      if (!F)
        return F.takeError();
      Record.Findings.push_back(std::move(*F));
    }
  if (llvm::Error E = readEntries(Object, Record))
    return E;
  return Record;
}

} // namespace cupel
