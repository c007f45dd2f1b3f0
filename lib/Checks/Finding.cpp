//===- Finding.cpp - findings as text and JSON ------------------------------===//

#include "cupel/Checks/Finding.h"

namespace json = llvm::json;

namespace cupel {

llvm::StringRef toString(Level L) {
  switch (L) {
  case Level::Note:
    return "note";
  case Level::Warn:
    return "warn";
  case Level::Reject:
    return "reject";
  case Level::Error:
    return "error";
  }
  return "note";
}

llvm::Expected<Level> parseLevel(llvm::StringRef Text) {
  for (Level L : {Level::Note, Level::Warn, Level::Reject, Level::Error})
    if (toString(L) == Text)
      return L;
  return makeError("record-malformed", "unknown level '" + Text + "'");
}

static json::Object placeToJson(const SourcePlace &Place) {
  return json::Object{
      {"file", json::fixUTF8(Place.File)}, {"line", Place.Line}, {"column", Place.Column}};
}

json::Value toJson(const Finding &F) {
  json::Object Result = placeToJson(F.Place);
  Result["id"] = F.Id;
  Result["level"] = toString(F.Severity);
  Result["message"] = json::fixUTF8(F.Message);
  json::Array Notes;
  for (const FindingNote &N : F.Notes) {
    json::Object Note = placeToJson(N.Place);
    Note["message"] = json::fixUTF8(N.Message);
    Notes.push_back(std::move(Note));
  }
  Result["notes"] = std::move(Notes);
  return Result;
}

static bool fromJson(const json::Value &Value, SourcePlace &Place, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  return Map && Map.map("file", Place.File) && Map.map("line", Place.Line) &&
         Map.map("column", Place.Column);
}

static bool fromJson(const json::Value &Value, FindingNote &Note, json::Path Path) {
  json::ObjectMapper Map(Value, Path);
  return fromJson(Value, Note.Place, Path) && Map.map("message", Note.Message);
}

llvm::Expected<Finding> findingFromJson(const json::Value &Value) {
  json::Path::Root Root("finding");
  json::ObjectMapper Map(Value, Root);
  Finding F;
  std::string LevelName;
  if (!Map || !fromJson(Value, F.Place, Root) || !Map.map("id", F.Id) ||
      !Map.map("level", LevelName) || !Map.map("message", F.Message))
    return withContext(Root.getError(), "finding");
  if (const json::Array *Notes = Value.getAsObject()->getArray("notes"))
    for (const json::Value &Note : *Notes)
      if (!fromJson(Note, F.Notes.emplace_back(), Root))
        return withContext(Root.getError(), "finding");
  llvm::Expected<Level> Severity = parseLevel(LevelName);
  if (!Severity)
    return Severity.takeError();
  F.Severity = *Severity;
  return F;
}

} // namespace cupel
