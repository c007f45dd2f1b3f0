//===- EntryRecord.cpp - EntrySignature as JSON and back --------------------===//

#include "cupel/Frontend/Entry.h"
#include "llvm/ADT/STLExtras.h"

namespace cupel {

namespace {

template <typename EnumT> struct EnumName {
  EnumT Value;
  llvm::StringLiteral Name;
};

constexpr EnumName<ValueKind> KindNames[] = {
    {ValueKind::None, "none"},
    {ValueKind::Tensor, "tensor"},
    {ValueKind::OptionalTensor, "optional_tensor"},
    {ValueKind::TensorList, "tensor_list"},
    {ValueKind::TensorTuple, "tensor_tuple"},
    {ValueKind::Int, "int"},
    {ValueKind::OptionalInt, "optional_int"},
    {ValueKind::Float, "float"},
    {ValueKind::OptionalFloat, "optional_float"},
    {ValueKind::Bool, "bool"},
    {ValueKind::OptionalBool, "optional_bool"},
    {ValueKind::String, "string"},
    {ValueKind::IntList, "int_list"},
    {ValueKind::FloatList, "float_list"},
    {ValueKind::BoolList, "bool_list"},
    {ValueKind::ScalarType, "scalar_type"},
    {ValueKind::Scalar, "scalar"},
    {ValueKind::Unsupported, "unsupported"},
};

constexpr EnumName<EntryBinding> BindingNames[] = {
    {EntryBinding::Pybind, "pybind"},
    {EntryBinding::TorchLibrary, "torch_library"},
    {EntryBinding::NamedForward, "named_forward"},
    {EntryBinding::NamedByProblem, "named_by_problem"},
    {EntryBinding::OnlyCandidate, "only_candidate"},
};

template <typename TableT, typename EnumT>
llvm::StringRef nameOf(const TableT &Table, EnumT Value) {
  return llvm::find_if(Table, [&](const auto &Entry) { return Entry.Value == Value; })->Name;
}

template <typename TableT, typename EnumT>
bool readEnum(const llvm::json::Object &O, llvm::StringRef Key, const TableT &Table, EnumT &Value) {
  std::optional<llvm::StringRef> Text = O.getString(Key);
  const auto *Found =
      llvm::find_if(Table, [&](const auto &Entry) { return Text && Entry.Name == *Text; });
  if (Found == std::end(Table))
    return false;
  Value = Found->Value;
  return true;
}

bool readString(const llvm::json::Object &O, llvm::StringRef Key, std::string &Value) {
  std::optional<llvm::StringRef> Text = O.getString(Key);
  if (Text)
    Value = Text->str();
  return Text.has_value();
}

bool readArgument(const llvm::json::Value &V, EntryArgument &Argument) {
  const llvm::json::Object *O = V.getAsObject();
  if (!O)
    return false;
  Argument.HasDefault = O->getBoolean("has_default").value_or(false);
  if (const llvm::json::Value *Default = O->get("bound_default"))
    Argument.BoundDefault = *Default;
  return readString(*O, "name", Argument.Name) && readString(*O, "type", Argument.Type) &&
         readEnum(*O, "kind", KindNames, Argument.Kind);
}

} // namespace

llvm::json::Value toJson(const EntrySignature &Entry) {
  llvm::json::Array Arguments;
  for (const EntryArgument &A : Entry.Arguments) {
    llvm::json::Object Argument{{"name", A.Name},
                                {"type", A.Type},
                                {"kind", nameOf(KindNames, A.Kind)},
                                {"has_default", A.HasDefault}};
    if (A.BoundDefault)
      Argument["bound_default"] = *A.BoundDefault;
    Arguments.push_back(std::move(Argument));
  }
  return llvm::json::Object{{"name", Entry.BoundName},
                            {"qualified_name", Entry.QualifiedName},
                            {"lambda_source", Entry.LambdaSource},
                            {"function_type", Entry.FunctionType},
                            {"is_internal", Entry.IsInternal},
                            {"binding", nameOf(BindingNames, Entry.Binding)},
                            {"arguments", std::move(Arguments)},
                            {"result_type", Entry.ResultType},
                            {"result_kind", nameOf(KindNames, Entry.ResultKind)},
                            {"file", Entry.Place.File},
                            {"line", Entry.Place.Line},
                            {"column", Entry.Place.Column}};
}

llvm::Expected<EntrySignature> entryFromJson(const llvm::json::Value &Value) {
  EntrySignature Entry;
  const llvm::json::Object *O = Value.getAsObject();
  const llvm::json::Array *Arguments = O ? O->getArray("arguments") : nullptr;
  bool IsValid = Arguments && readString(*O, "name", Entry.BoundName) &&
                 readString(*O, "qualified_name", Entry.QualifiedName) &&
                 readString(*O, "lambda_source", Entry.LambdaSource) &&
                 readString(*O, "function_type", Entry.FunctionType) &&
                 readString(*O, "result_type", Entry.ResultType) &&
                 readEnum(*O, "result_kind", KindNames, Entry.ResultKind) &&
                 readEnum(*O, "binding", BindingNames, Entry.Binding);
  for (size_t I = 0; IsValid && I < Arguments->size(); ++I)
    IsValid = readArgument((*Arguments)[I], Entry.Arguments.emplace_back());
  if (!IsValid)
    return makeError("record-invalid", "the record's entry lacks a field or has a wrong one");
  Entry.IsInternal = O->getBoolean("is_internal").value_or(false);
  Entry.Place = {O->getString("file").value_or("").str(),
                 static_cast<unsigned>(O->getInteger("line").value_or(0)),
                 static_cast<unsigned>(O->getInteger("column").value_or(0))};
  return Entry;
}

} // namespace cupel
