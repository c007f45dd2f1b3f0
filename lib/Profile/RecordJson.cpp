//===- RecordJson.cpp - the pieces that records' JSON is made of -----------===//

#include "cupel/Profile/RecordJson.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <limits>

using namespace cupel;
using llvm::StringRef;
namespace json = llvm::json;

namespace {

/// The field, or null when there is nothing to read.
const json::Value *present(const json::Object &Object, StringRef Key) {
  const json::Value *Value = Object.get(Key);
  return Value && Value->kind() != json::Value::Null ? Value : nullptr;
}

} // namespace

json::Value recordjson::write(double Number) {
  if (std::isnan(Number))
    return "nan";
  if (std::isinf(Number))
    return Number > 0 ? "inf" : "-inf";
  return Number;
}

json::Value recordjson::write(const std::optional<double> &Number) {
  return Number ? write(*Number) : json::Value(nullptr);
}

json::Value recordjson::write(const Reason &Why) {
  // Text can hold what a submission printed, which need not be UTF-8.
  return json::Object{{"code", json::fixUTF8(Why.Code)}, {"text", json::fixUTF8(Why.Text)}};
}

json::Value recordjson::write(const std::optional<Reason> &Why) {
  return Why ? write(*Why) : json::Value(nullptr);
}

json::Value recordjson::write(const std::vector<Reason> &Reasons) {
  json::Array List;
  for (const Reason &Why : Reasons)
    List.push_back(write(Why));
  return List;
}

json::Value recordjson::writeOrNull(StringRef Text) {
  return Text.empty() ? json::Value(nullptr) : json::Value(json::fixUTF8(Text));
}

std::optional<double> recordjson::asNumber(const json::Value &Value) {
  if (std::optional<double> Number = Value.getAsNumber())
    return Number;
  std::optional<StringRef> Text = Value.getAsString();
  constexpr double Infinity = std::numeric_limits<double>::infinity();
  if (Text == "nan")
    return std::numeric_limits<double>::quiet_NaN();
  if (Text == "inf")
    return Infinity;
  if (Text == "-inf")
    return -Infinity;
  return std::nullopt;
}

bool recordjson::read(const json::Object &Object, StringRef Key, double &Out, json::Path P) {
  const json::Value *Value = present(Object, Key);
  if (!Value)
    return true;
  std::optional<double> Number = asNumber(*Value);
  if (!Number) {
    P.field(Key).report("expected a number, \"nan\", \"inf\" or \"-inf\"");
    return false;
  }
  Out = *Number;
  return true;
}

bool recordjson::read(const json::Object &Object, StringRef Key, std::optional<double> &Out,
                      json::Path P) {
  if (!present(Object, Key))
    return true;
  return read(Object, Key, Out.emplace(), P);
}

bool recordjson::read(const json::Object &Object, StringRef Key, std::string &Out, json::Path P) {
  const json::Value *Value = present(Object, Key);
  return !Value || json::fromJSON(*Value, Out, P.field(Key));
}

bool recordjson::read(const json::Object &Object, StringRef Key, std::optional<Reason> &Out,
                      json::Path P) {
  const json::Value *Value = present(Object, Key);
  return !Value || readReason(*Value, Out.emplace(), P.field(Key));
}

bool recordjson::read(const json::Object &Object, StringRef Key, std::vector<double> &Out,
                      json::Path P) {
  return readList(Object, Key, Out, P, [](const json::Value &Value, double &One, json::Path At) {
    std::optional<double> Number = asNumber(Value);
    if (!Number) {
      At.report("expected a number, \"nan\", \"inf\" or \"-inf\"");
      return false;
    }
    One = *Number;
    return true;
  });
}

bool recordjson::read(const json::Object &Object, StringRef Key, std::vector<Reason> &Out,
                      json::Path P) {
  return readList(Object, Key, Out, P, readReason);
}

bool recordjson::readReason(const json::Value &Value, Reason &Out, json::Path P) {
  json::ObjectMapper Map(Value, P);
  return Map && Map.map("code", Out.Code) && Map.map("text", Out.Text);
}
