//===- BuildRecord.cpp - the record of the build phase as JSON ---------------===//

#include "cupel/Build/BuildRecord.h"
#include "cupel/Support/Hash.h"
#include "llvm/ADT/STLExtras.h"

using namespace cupel;
using llvm::StringRef;
namespace json = llvm::json;

StringRef cupel::toString(BuildState State) {
  switch (State) {
  case BuildState::Built:
    return "built";
  case BuildState::Cached:
    return "cached";
  case BuildState::Failed:
    return "failed";
  case BuildState::Skipped:
    return "skipped";
  }
  llvm_unreachable("unknown build state");
}

namespace {

/// llvm::json finds fromJSON by the type's namespace, and these records are ours to spell here
/// only.
bool fromJSON(const json::Value &V, BuildState &State, json::Path P) {
  std::optional<StringRef> Text = V.getAsString();
  for (BuildState S :
       {BuildState::Built, BuildState::Cached, BuildState::Failed, BuildState::Skipped})
    if (Text && *Text == toString(S)) {
      State = S;
      return true;
    }
  P.report("expected built, cached, failed or skipped");
  return false;
}

template <typename T, typename F> json::Array arrayOf(const std::vector<T> &Items, F Convert) {
  json::Array Result;
  for (const T &Item : Items)
    Result.push_back(Convert(Item));
  return Result;
}

json::Value diagnosticToJson(const BuildDiagnostic &D) {
  json::Object Result{{"severity", D.Severity}, {"message", D.Message}};
  if (!D.Place.File.empty()) {
    Result["file"] = D.Place.File;
    Result["line"] = D.Place.Line;
    Result["column"] = D.Place.Column;
  }
  return Result;
}

json::Value kernelToJson(const KernelResources &K) {
  return json::Object{
      {"mangled_name", K.MangledName},       {"name", K.Name},
      {"architecture", K.Architecture},      {"registers", K.Registers},
      {"shared_bytes", K.SharedBytes},       {"constant_bytes", K.ConstantBytes},
      {"stack_bytes", K.StackBytes},         {"spill_store_bytes", K.SpillStoreBytes},
      {"spill_load_bytes", K.SpillLoadBytes}};
}

json::Value attemptToJson(const BuildAttempt &A) {
  return json::Object{{"strategy", A.Strategy}, {"reason", A.Reason}, {"seconds", A.Seconds}};
}

json::Value reasonToJson(const Reason &R) {
  return json::Object{{"code", R.Code}, {"text", R.Text}};
}

bool fromJSON(const json::Value &V, BuildDiagnostic &D, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.map("severity", D.Severity) && O.map("message", D.Message) &&
         O.mapOptional("file", D.Place.File) && O.mapOptional("line", D.Place.Line) &&
         O.mapOptional("column", D.Place.Column);
}

bool fromJSON(const json::Value &V, KernelResources &K, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.map("mangled_name", K.MangledName) && O.map("name", K.Name) &&
         O.map("architecture", K.Architecture) && O.map("registers", K.Registers) &&
         O.map("shared_bytes", K.SharedBytes) && O.map("constant_bytes", K.ConstantBytes) &&
         O.map("stack_bytes", K.StackBytes) && O.map("spill_store_bytes", K.SpillStoreBytes) &&
         O.map("spill_load_bytes", K.SpillLoadBytes);
}

bool fromJSON(const json::Value &V, BuildAttempt &A, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.map("strategy", A.Strategy) && O.map("reason", A.Reason) &&
         O.map("seconds", A.Seconds);
}

bool fromJSON(const json::Value &V, Reason &R, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.map("code", R.Code) && O.map("text", R.Text);
}

/// Neither a path nor anything else that others chose gets through as a name in the cache.
bool isHashOrEmpty(StringRef Text, StringRef Key, json::Path P) {
  if (Text.empty() || isContentHash(Text))
    return true;
  P.field(Key).report("expected 32 hexadecimal digits");
  return false;
}

/// Lists of records: json::fromJSON for vectors looks the element's function up by its namespace,
/// which for those of this file would have to be a public one.
template <typename T>
bool mapList(const json::Object &O, StringRef Key, std::vector<T> &List, json::Path P) {
  const json::Value *Found = O.get(Key);
  if (!Found)
    return true;
  const json::Array *Items = Found->getAsArray();
  if (!Items) {
    P.field(Key).report("expected array");
    return false;
  }
  List.resize(Items->size());
  for (size_t I = 0; I != Items->size(); ++I)
    if (!fromJSON((*Items)[I], List[I], P.field(Key).index(I)))
      return false;
  return true;
}

} // namespace

json::Value cupel::toJson(const BuildRecord &R) {
  return json::Object{{"state", toString(R.State)},
                      {"strategy", R.Strategy},
                      {"seconds", R.Seconds},
                      {"command", json::Array(R.Command)},
                      {"library", R.Library},
                      {"library_hash", R.LibraryHash},
                      {"key", R.Key},
                      {"diagnostics", arrayOf(R.Diagnostics, diagnosticToJson)},
                      {"kernels", arrayOf(R.Kernels, kernelToJson)},
                      {"attempts", arrayOf(R.Attempts, attemptToJson)},
                      {"reasons", arrayOf(R.Reasons, reasonToJson)}};
}

llvm::Expected<BuildRecord> cupel::buildRecordFromJson(const json::Value &Value) {
  json::Path::Root Root("build");
  json::Path P(Root);
  BuildRecord R;
  const json::Object *Object = Value.getAsObject();
  json::ObjectMapper O(Value, P);
  bool Good = O;
  if (const json::Value *State = Object ? Object->get("state") : nullptr)
    Good = Good && fromJSON(*State, R.State, P.field("state"));
  else if (Object) {
    P.field("state").report("missing value");
    Good = false;
  }
  Good = Good && O.map("seconds", R.Seconds) && O.map("command", R.Command) &&
         O.mapOptional("strategy", R.Strategy) && O.mapOptional("library", R.Library) &&
         O.mapOptional("library_hash", R.LibraryHash) && O.mapOptional("key", R.Key) &&
         isHashOrEmpty(R.LibraryHash, "library_hash", P) && isHashOrEmpty(R.Key, "key", P) &&
         mapList(*Object, "diagnostics", R.Diagnostics, P) &&
         mapList(*Object, "kernels", R.Kernels, P) && mapList(*Object, "attempts", R.Attempts, P) &&
         mapList(*Object, "reasons", R.Reasons, P);
  if (!Good)
    return makeError("record-invalid", "build record: " + llvm::toString(Root.getError()));
  return R;
}
