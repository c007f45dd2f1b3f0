//===- AdapterPrelude.h - the part of every adapter that never changes ------===//
#ifndef CUPEL_LIB_BUILD_ADAPTERPRELUDE_H
#define CUPEL_LIB_BUILD_ADAPTERPRELUDE_H

namespace cupel {

/// Conversions out of IValue that refuse whatever pybind11 would refuse. c10's own `toInt()` and
/// kin are not enough: their failures name neither function nor argument.
inline constexpr const char *AdapterPrelude = R"cpp(#include <ATen/core/ivalue.h>
#include <stdexcept>

using Stack = std::vector<c10::IValue>;

struct CupelEntry {
  const char *name;
  void (*call)(Stack &);
  const char *type;
};

[[noreturn]] static void refuse(const char *where, const std::string &why) {
  throw std::invalid_argument(std::string(where) + ": " + why);
}

static const c10::IValue &expect(bool good, const c10::IValue &value, const char *where,
                                 const char *wanted) {
  if (!good)
    refuse(where, std::string("expected ") + wanted + ", got " + value.tagKind());
  return value;
}

[[maybe_unused]] static at::Tensor tensorFrom(const c10::IValue &value, const char *where) {
  return expect(value.isTensor(), value, where, "a tensor").toTensor();
}

[[maybe_unused]] static int64_t integerFrom(const c10::IValue &value, const char *where) {
  return expect(value.isInt(), value, where, "an integer").toInt();
}

[[maybe_unused]] static double floatFrom(const c10::IValue &value, const char *where) {
  if (value.isInt())
    return static_cast<double>(value.toInt());
  return expect(value.isDouble(), value, where, "a number").toDouble();
}

[[maybe_unused]] static bool boolFrom(const c10::IValue &value, const char *where) {
  return expect(value.isBool(), value, where, "a bool").toBool();
}

[[maybe_unused]] static std::string stringFrom(const c10::IValue &value, const char *where) {
  return expect(value.isString(), value, where, "a string").toStringRef();
}

[[maybe_unused]] static c10::Scalar scalarFrom(const c10::IValue &value, const char *where) {
  return expect(value.isScalar(), value, where, "a number").toScalar();
}

[[maybe_unused]] static c10::ScalarType scalarTypeFrom(const c10::IValue &value, const char *where) {
  const int64_t number = integerFrom(value, where);
  if (number < 0 || number >= static_cast<int64_t>(c10::ScalarType::NumOptions))
    refuse(where, std::to_string(number) + " is no scalar type");
  return static_cast<c10::ScalarType>(number);
}

// The elements of a list, whichever of c10's list types holds it.
[[maybe_unused]] static std::vector<c10::IValue> elementsFrom(const c10::IValue &value,
                                                              const char *where) {
  expect(value.isList() || value.isTuple(), value, where, "a list");
  if (value.isTuple())
    return value.toTupleRef().elements().vec();
  return value.toListRef().vec();
}

[[maybe_unused]] static void checkFits(bool fits, int64_t number, const char *where) {
  if (!fits)
    refuse(where, std::to_string(number) + " does not fit the argument's type");
}

[[maybe_unused]] static void checkLength(size_t wanted, size_t got, const char *where) {
  if (wanted != got)
    refuse(where, "expected " + std::to_string(wanted) + " elements, got " + std::to_string(got));
}

static void checkCount(const Stack &stack, size_t least, size_t most, const char *where) {
  if (stack.size() < least || stack.size() > most)
    refuse(where, "expected " + std::to_string(most) + " arguments" +
                      (least == most ? "" : " (at least " + std::to_string(least) + ")") +
                      ", got " + std::to_string(stack.size()));
}
)cpp";

} // namespace cupel

#endif // CUPEL_LIB_BUILD_ADAPTERPRELUDE_H
