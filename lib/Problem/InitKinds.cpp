//===- InitKinds.cpp - the ways in which values are drawn -------------------===//

#include "cupel/Problem/InitKinds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace cupel;

llvm::ArrayRef<InitKind> cupel::initKinds() {
  static const std::vector<InitKind> Table = {
      {"uniform", {{"low", {}}, {"high", {}}}, true, false, false},
      {"normal", {{"mean", {}}, {"std", {}}}, true, false, false},
      {"integers", {{"low", {}}, {"high", {}}}, true, true, false},
      {"bernoulli", {{"p", {}}}, true, true, true},
      {"constant", {{"value", {}}}, true, true, true},
      {"sign", {{"p", 0.5}}, true, true, false},
      {"log_uniform", {{"low", {}}, {"high", {}}}, true, false, false},
      {"arange", {{"start", 0.0}, {"step", 1.0}}, true, true, false},
      {"permutation", {}, true, true, false},
      {"kaiming_uniform", {{"gain", 1.0}}, true, false, false},
      {"kaiming_normal", {{"gain", 1.0}}, true, false, false},
  };
  return Table;
}

const InitKind *cupel::findInitKind(llvm::StringRef Name) {
  const auto *Found = llvm::find_if(initKinds(), [&](const InitKind &K) { return K.Name == Name; });
  return Found == initKinds().end() ? nullptr : Found;
}

llvm::ArrayRef<InitTransform> cupel::initTransforms() {
  static constexpr InitTransform Table[] = {
      {"uneven"},
      {"sparse", 1},
      {"equal_rows", 1, false, true},
      {"special_values"},
      {"random_scale"},
      {"symmetric", 2, true},
      {"upper_triangular", 2},
      {"lower_triangular", 2},
      {"positive_definite", 2, true},
      {"softmax"},
  };
  return Table;
}

const InitTransform *cupel::findInitTransform(llvm::StringRef Name) {
  const auto *Found =
      llvm::find_if(initTransforms(), [&](const InitTransform &T) { return T.Name == Name; });
  return Found == initTransforms().end() ? nullptr : Found;
}

namespace {

/// As short as can be, for messages.
std::string print(double Value) {
  std::string Text;
  llvm::raw_string_ostream(Text) << llvm::format("%g", Value);
  return Text;
}

bool isWhole(double Value) { return std::floor(Value) == Value; }

/// Smallest and largest value that the arguments themselves name.
std::optional<std::pair<double, double>> namedRange(const InitSpec &Init) {
  auto Argument = [&](const char *Name) { return Init.Arguments.at(Name); };
  if (Init.Kind == "uniform" || Init.Kind == "log_uniform")
    return std::pair{Argument("low"), Argument("high")};
  if (Init.Kind == "integers")
    return std::pair{Argument("low"), Argument("high") - 1};
  if (Init.Kind == "constant")
    return std::pair{Argument("value"), Argument("value")};
  if (Init.Kind == "sign")
    return std::pair{-1.0, 1.0};
  return std::nullopt;
}

std::string checkArguments(const InitSpec &Init) {
  auto Argument = [&](const char *Name) { return Init.Arguments.at(Name); };
  for (const auto &[Name, Value] : Init.Arguments)
    if (!std::isfinite(Value))
      return "'" + Name + "' is not a finite number";
  if (Init.Arguments.count("low") && Argument("low") >= Argument("high"))
    return llvm::formatv("'low' ({0}) is not below 'high' ({1})", print(Argument("low")),
                         print(Argument("high")));
  if (Init.Kind == "integers" && (!isWhole(Argument("low")) || !isWhole(Argument("high"))))
    return "'low' and 'high' of 'integers' are whole numbers";
  if (Init.Kind == "integers" && (std::fabs(Argument("low")) >= MostExactWhole ||
                                  std::fabs(Argument("high")) >= MostExactWhole))
    return "'low' and 'high' of 'integers' lie between -2^53 and 2^53";
  if (Init.Kind == "log_uniform" && Argument("low") <= 0)
    return "'low' of 'log_uniform' is above 0";
  if (Init.Kind == "normal" && Argument("std") <= 0)
    return "'std' is above 0; for equal values use the kind 'constant'";
  if (Init.Arguments.count("p") && (Argument("p") < 0 || Argument("p") > 1))
    return "'p' is a probability, from 0 to 1";
  if (Init.Arguments.count("gain") && Argument("gain") <= 0)
    return "'gain' is above 0";
  return "";
}

} // namespace

std::string cupel::checkInit(const InitSpec &Init, const DType &Type) {
  const InitKind &Kind = *findInitKind(Init.Kind);
  bool Fits = Type.Kind == DType::Family::Real      ? Kind.Reals
              : Type.Kind == DType::Family::Integer ? Kind.Integers
                                                    : Kind.Bools;
  if (!Fits)
    return llvm::formatv("the kind '{0}' makes no values of dtype {1}", Init.Kind, Type.Name);
  if (std::string Why = checkArguments(Init); !Why.empty())
    return Why;
  if (!Init.Transforms.empty() && Type.Kind != DType::Family::Real)
    return llvm::formatv("a transform needs a real dtype, not {0}", Type.Name);
  if (Type.Kind != DType::Family::Real)
    for (const auto &[Name, Value] : Init.Arguments) {
      if (Name != "p" && !isWhole(Value))
        return llvm::formatv("'{0}' is {1}; dtype {2} takes whole numbers", Name, print(Value),
                             Type.Name);
      if (std::fabs(Value) >= MostExactWhole)
        return llvm::formatv("'{0}' does not lie between -2^53 and 2^53", Name);
    }
  if (auto Range = namedRange(Init))
    if (Range->first < Type.Lowest || Range->second > Type.Highest)
      return llvm::formatv("values from {0} to {1} do not fit dtype {2}", print(Range->first),
                           print(Range->second), Type.Name);
  // Narrower types are drawn in float32.
  const double Widest = std::max(Type.Highest, double(std::numeric_limits<float>::max()));
  if (Init.Kind == "uniform" && Init.Arguments.at("high") - Init.Arguments.at("low") > Widest)
    return llvm::formatv("from 'low' to 'high' it is more than the dtype {0} holds", Type.Name);
  return "";
}
