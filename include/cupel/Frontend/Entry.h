//===- Entry.h - the host function that takes and returns tensors -----------===//
//
// Plain data, free of Clang's types: the record that lib/Build makes the adapter from.
//
//===----------------------------------------------------------------------===//
#ifndef CUPEL_FRONTEND_ENTRY_H
#define CUPEL_FRONTEND_ENTRY_H

#include "cupel/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>
#include <vector>

namespace cupel {

/// What a type of an entry's signature is to the adapter.
enum class ValueKind {
  None, ///< `void`, only as a result.
  Tensor,
  OptionalTensor,
  TensorList,  ///< `std::vector<Tensor>`, `TensorList`, `std::array<Tensor, N>`.
  TensorTuple, ///< `std::tuple` or `std::pair` of tensors, only as a result.
  Int,
  OptionalInt,
  Float,
  OptionalFloat,
  Bool,
  OptionalBool,
  String,
  IntList,
  FloatList,
  BoolList,
  ScalarType,
  Scalar,
  Unsupported,
};

/// One argument. \c Type is the exact canonical type as C++ spells it, with references and const.
struct EntryArgument {
  std::string Name;
  std::string Type;
  ValueKind Kind = ValueKind::Unsupported;
  bool HasDefault = false; ///< In C++, which evaluates it in each call.
  /// The constant that the binding gives, `py::arg("eps") = 1e-5`: null, a bool, a number (infinite
  /// ones are the texts `inf`, `-inf` and `nan`) or a text. Nobody evaluates other expressions.
  std::optional<llvm::json::Value> BoundDefault;
};

/// How the entry was found (design section 5).
enum class EntryBinding {
  Pybind,
  TorchLibrary,
  NamedForward,
  NamedByProblem,
  OnlyCandidate, ///< Unbound, and the only host function from tensors to tensors.
};

/// One host function that a caller can reach.
struct EntrySignature {
  std::string BoundName;     ///< As the binding calls it: `forward`.
  std::string QualifiedName; ///< As C++ calls it: `ns::relu_forward`.
  /// The text of a lambda that is bound in place, `[](torch::Tensor x) { ... }`; QualifiedName is
  /// empty then. An adapter in the TU can repeat it.
  std::string LambdaSource;
  std::string FunctionType; ///< Exact type: `at::Tensor (const at::Tensor &, double)`.
  bool IsInternal = false;  ///< Static or in an anonymous namespace: the adapter must be in the TU.
  EntryBinding Binding = EntryBinding::NamedForward;
  std::vector<EntryArgument> Arguments;
  std::string ResultType;
  ValueKind ResultKind = ValueKind::Unsupported;
  SourcePlace Place;
};

/// Whether a call can leave out all arguments from \p Count on: the binding gives them, or C++
/// does.
inline bool bindingGivesFrom(const EntrySignature &Entry, size_t Count) {
  return llvm::all_of(llvm::drop_begin(Entry.Arguments, Count),
                      [](const EntryArgument &A) { return A.BoundDefault.has_value(); });
}

/// Fewest arguments of a call: what the binding gives or what C++ gives can be left out at the end.
inline size_t fewestArguments(const EntrySignature &Entry) {
  size_t ByBinding = Entry.Arguments.size(), ByFunction = ByBinding;
  while (ByBinding && Entry.Arguments[ByBinding - 1].BoundDefault)
    --ByBinding;
  while (ByFunction && Entry.Arguments[ByFunction - 1].HasDefault)
    --ByFunction;
  return std::min(ByBinding, ByFunction);
}

llvm::json::Value toJson(const EntrySignature &Entry);
llvm::Expected<EntrySignature> entryFromJson(const llvm::json::Value &Value);

} // namespace cupel

#endif // CUPEL_FRONTEND_ENTRY_H
