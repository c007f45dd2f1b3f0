//===- RecordJson.h - the pieces that records' JSON is made of --------------===//
//
// JSON has no number for NaN and the infinities, which errors and times can be; they are the
// strings "nan", "inf" and "-inf". What is absent is null.
//
//===----------------------------------------------------------------------===//
#ifndef CUPEL_PROFILE_RECORDJSON_H
#define CUPEL_PROFILE_RECORDJSON_H

#include "cupel/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <optional>

namespace cupel::recordjson {

llvm::json::Value write(double Number);
llvm::json::Value write(const std::optional<double> &Number);
/// `{"code": ..., "text": ...}`.
llvm::json::Value write(const Reason &Why);
llvm::json::Value write(const std::optional<Reason> &Why);
llvm::json::Value write(const std::vector<Reason> &Reasons);
/// Null for an empty \p Text.
llvm::json::Value writeOrNull(llvm::StringRef Text);

/// A number or one of the three strings; nothing for any other value.
std::optional<double> asNumber(const llvm::json::Value &Value);

/// These read the field \p Key. One that is absent or null leaves \p Out as it is; one of another
/// type is reported to \p P, and the result is false.
bool read(const llvm::json::Object &Object, llvm::StringRef Key, double &Out, llvm::json::Path P);
bool read(const llvm::json::Object &Object, llvm::StringRef Key, std::optional<double> &Out,
          llvm::json::Path P);
bool read(const llvm::json::Object &Object, llvm::StringRef Key, std::string &Out,
          llvm::json::Path P);
bool read(const llvm::json::Object &Object, llvm::StringRef Key, std::optional<Reason> &Out,
          llvm::json::Path P);
bool read(const llvm::json::Object &Object, llvm::StringRef Key, std::vector<double> &Out,
          llvm::json::Path P);
bool read(const llvm::json::Object &Object, llvm::StringRef Key, std::vector<Reason> &Out,
          llvm::json::Path P);

bool readReason(const llvm::json::Value &Value, Reason &Out, llvm::json::Path P);

/// Reads the array \p Key with \p ReadOne(value, element, path).
template <typename T, typename Reader>
bool readList(const llvm::json::Object &Object, llvm::StringRef Key, std::vector<T> &Out,
              llvm::json::Path P, Reader ReadOne) {
  const llvm::json::Value *Value = Object.get(Key);
  if (!Value || Value->kind() == llvm::json::Value::Null)
    return true;
  const llvm::json::Array *List = Value->getAsArray();
  if (!List) {
    P.field(Key).report("expected an array");
    return false;
  }
  Out.clear();
  for (size_t I = 0; I != List->size(); ++I)
    if (!ReadOne((*List)[I], Out.emplace_back(), P.field(Key).index(static_cast<unsigned>(I))))
      return false;
  return true;
}

/// Reads a whole record with \p ReadOne; errors have the code `record-invalid` and name the place
/// below \p What.
template <typename T, typename Reader>
llvm::Expected<T> parse(const llvm::json::Value &Value, llvm::StringRef What, Reader ReadOne) {
  T Record;
  llvm::json::Path::Root Root(What);
  if (ReadOne(Value, Record, Root))
    return Record;
  return makeError("record-invalid", llvm::toString(Root.getError()));
}

} // namespace cupel::recordjson

#endif // CUPEL_PROFILE_RECORDJSON_H
