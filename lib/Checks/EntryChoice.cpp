//===- EntryChoice.cpp - which bound function answers the problem -----------===//

#include "cupel/Checks/EntryChoice.h"
#include "llvm/ADT/STLExtras.h"

namespace cupel {

static bool takesScalar(ValueKind Kind, ScalarSpec::Kind Value) {
  switch (Kind) {
  case ValueKind::Scalar:
  case ValueKind::Float:
  case ValueKind::OptionalFloat:
    return Value != ScalarSpec::Kind::Bool;
  case ValueKind::Int:
  case ValueKind::OptionalInt:
    return Value == ScalarSpec::Kind::Int;
  case ValueKind::Bool:
  case ValueKind::OptionalBool:
    return Value == ScalarSpec::Kind::Bool;
  default:
    return false;
  }
}

static const ScalarSpec *scalarNamed(const ProblemSpec &Problem, llvm::StringRef Name) {
  for (const InputSpec &Input : Problem.Inputs)
    if (Input.Scalar && Input.Scalar->Name == Name)
      return &*Input.Scalar;
  return nullptr;
}

bool fitsProblem(const EntrySignature &Entry, const ProblemSpec &Problem) {
  const auto &Given = Problem.EntryArguments;
  if (Entry.Arguments.size() < Given.size())
    return false;
  for (const auto &[Index, Argument] : llvm::enumerate(Entry.Arguments)) {
    if (Index >= Given.size()) {
      if (!Argument.HasDefault)
        return false;
      continue;
    }
    const ScalarSpec *Scalar = scalarNamed(Problem, Given[Index]);
    bool Takes = Scalar ? takesScalar(Argument.Kind, Scalar->Type)
                        : Argument.Kind == ValueKind::Tensor ||
                              Argument.Kind == ValueKind::OptionalTensor;
    if (!Takes)
      return false;
  }
  return true;
}

/// The only element of \p Entries for which \p Wanted holds.
template <typename Predicate>
static std::optional<size_t> onlyOne(const std::vector<EntrySignature> &Entries,
                                     Predicate Wanted) {
  std::optional<size_t> Found;
  for (size_t I = 0; I < Entries.size(); ++I) {
    if (!Wanted(Entries[I]))
      continue;
    if (Found)
      return std::nullopt;
    Found = I;
  }
  return Found;
}

std::optional<size_t> chooseEntry(const std::vector<EntrySignature> &Entries,
                                  const ProblemSpec *Problem) {
  auto Named = [&](llvm::StringRef Name) {
    return onlyOne(Entries, [&](const EntrySignature &E) { return E.BoundName == Name; });
  };
  if (Problem && !Problem->EntryName.empty())
    return Named(Problem->EntryName);
  if (Problem)
    if (auto Fitting = onlyOne(Entries, [&](const EntrySignature &E) {
          return fitsProblem(E, *Problem);
        }))
      return Fitting;
  if (Entries.size() == 1)
    return 0;
  return Named("forward");
}

} // namespace cupel
