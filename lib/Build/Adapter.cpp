//===- Adapter.cpp - from exact signatures to boxed calls -------------------===//

#include "cupel/Build/Adapter.h"
#include "AdapterPrelude.h"
#include "cupel/Support/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace cupel;
using llvm::formatv;
using llvm::StringRef;

std::string cupel::adapterSymbol(size_t Index) { return "cupel_call_" + std::to_string(Index); }

std::string cupel::adapterAbi(StringRef TorchVersion) {
  return "cupel-adapter-1 torch-" + TorchVersion.str();
}

/// Records may come from a file, and what they hold becomes code: only what types and qualified
/// names are made of gets through.
static bool isPlainCpp(StringRef Text) {
  return !Text.empty() && llvm::all_of(Text, [](char C) {
    return llvm::isAlnum(C) || StringRef("_:<>,&*()[] ").contains(C);
  });
}

static std::string quoted(StringRef Text) {
  std::string Result = "\"";
  llvm::raw_string_ostream OS(Result);
  for (unsigned char C : Text) {
    if (llvm::isAlnum(C) || StringRef("_:<>,&*()[] .-+'").contains(C))
      OS << C;
    else // Three octal digits end by themselves; \x would swallow hexadecimal digits behind it.
      OS << '\\' << char('0' + C / 64) << char('0' + C / 8 % 8) << char('0' + C % 8);
  }
  return Result + "\"";
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

static bool isArgument(ValueKind Kind) {
  return Kind != ValueKind::None && Kind != ValueKind::TensorTuple &&
         Kind != ValueKind::Unsupported;
}

static bool isResult(ValueKind Kind) { return Kind != ValueKind::Unsupported; }

/// One element of type \p Type out of the IValue \p From, for kinds that are not lists.
static std::string scalarConversion(ValueKind Kind, StringRef Type, StringRef From) {
  switch (Kind) {
  case ValueKind::Tensor:
  case ValueKind::OptionalTensor:
    return formatv("tensorFrom({0}, where)", From);
  case ValueKind::Float:
  case ValueKind::OptionalFloat:
  case ValueKind::FloatList:
    return formatv("static_cast<{0}>(floatFrom({1}, where))", Type, From);
  case ValueKind::Bool:
  case ValueKind::OptionalBool:
  case ValueKind::BoolList:
    return formatv("boolFrom({0}, where)", From);
  case ValueKind::ScalarType:
    return formatv("scalarTypeFrom({0}, where)", From);
  case ValueKind::Scalar:
    return formatv("scalarFrom({0}, where)", From);
  default:
    llvm_unreachable("integers are checked, strings are held, lists have elements");
  }
}

/// Statements that assign \p From to \p To, which has the type \p Type.
static std::string assignment(ValueKind Kind, StringRef Type, StringRef From, StringRef To) {
  if (Kind != ValueKind::Int && Kind != ValueKind::OptionalInt && Kind != ValueKind::IntList)
    return formatv("{0} = {1};", To, scalarConversion(Kind, Type, From));
  // A value fits when it comes back the same with the same sign: `uint64_t(-1)` comes back as -1.
  return formatv(
      "const int64_t wide = integerFrom({0}, where);\n"
      "    const {1} narrow = static_cast<{1}>(wide);\n"
      "    checkFits(static_cast<int64_t>(narrow) == wide && (wide < 0) == (narrow < {1}(0)), "
      "wide, where);\n"
      "    {2} = narrow;",
      From, Type, To);
}

static bool isList(ValueKind Kind) {
  return Kind == ValueKind::TensorList || Kind == ValueKind::IntList ||
         Kind == ValueKind::FloatList || Kind == ValueKind::BoolList;
}

static bool isOptional(ValueKind Kind) {
  return Kind == ValueKind::OptionalTensor || Kind == ValueKind::OptionalInt ||
         Kind == ValueKind::OptionalFloat || Kind == ValueKind::OptionalBool;
}

/// Statements that make `<name>` of argument \p Number from the stack. What an ArrayRef or string
/// view points into stays alive beside it, as `held<number>`.
static void emitList(llvm::raw_ostream &OS, const EntryArgument &Argument, size_t Number) {
  StringRef Type = Argument.Type;
  bool IsArray = Type.contains("std::array<");
  // std::vector<bool> packs its bits, so a view of bools needs another holder.
  bool PackedBools = Argument.Kind == ValueKind::BoolList && Type.contains("ArrayRef<");
  OS << formatv("  using Value{0} = std::remove_cv_t<std::remove_reference_t<{1}>>;\n", Number,
                Type);
  std::string Element = Argument.Kind == ValueKind::TensorList
                            ? "at::Tensor"
                            : formatv("std::remove_cv_t<Value{0}::value_type>", Number).str();
  OS << formatv("  std::vector<c10::IValue> elements{0} = elementsFrom(stack[{0}], where);\n",
                Number);
  if (IsArray)
    OS << formatv("  Value{0} value{0};\n"
                  "  checkLength(value{0}.size(), elements{0}.size(), where);\n",
                  Number);
  else
    OS << formatv("  {0}<{1}{2}> held{3};\n", PackedBools ? "c10::SmallVector" : "std::vector",
                  Element, PackedBools ? ", 8" : "", Number);
  OS << formatv(
      "  for (size_t i = 0; i < elements{0}.size(); ++i) {{\n"
      "    {1} element{{};\n    {2}\n",
      Number, Element,
      assignment(Argument.Kind == ValueKind::TensorList ? ValueKind::Tensor : Argument.Kind,
                 Element, formatv("elements{0}[i]", Number).str(), "element"));
  if (IsArray)
    OS << formatv("    value{0}[i] = element;\n  }\n", Number);
  else
    OS << formatv(
        "    held{0}.push_back(element);\n  }\n  Value{0} value{0}(std::move(held{0}));\n", Number);
}

static void emitArgument(llvm::raw_ostream &OS, const EntryArgument &Argument, size_t Number,
                         StringRef Where) {
  OS << formatv("  where = {0};\n", quoted(Where));
  if (isList(Argument.Kind))
    return emitList(OS, Argument, Number);
  std::string From = formatv("stack[{0}]", Number), To = formatv("value{0}", Number);
  OS << formatv("  using Value{0} = std::remove_cv_t<std::remove_reference_t<{1}>>;\n", Number,
                Argument.Type);
  if (Argument.Kind == ValueKind::String) {
    OS << formatv(
        "  std::string held{0} = stringFrom({1}, where);\n  Value{0} value{0}(held{0}{2});\n",
        Number, From, StringRef(Argument.Type).contains('*') ? ".c_str()" : "");
    return;
  }
  if (isOptional(Argument.Kind)) {
    OS << formatv(
        "  Value{0} value{0};\n  if (!{1}.isNone()) {{\n    {2}\n  }\n", Number, From,
        assignment(Argument.Kind, formatv("Value{0}::value_type", Number).str(), From, To));
    return;
  }
  OS << formatv("  Value{0} value{0}{{};\n  {{\n    {1}\n  }\n", Number,
                assignment(Argument.Kind, formatv("Value{0}", Number).str(), From, To));
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

static StringRef resultStatements(ValueKind Kind) {
  switch (Kind) {
  case ValueKind::None:
    return "stack.emplace_back();";
  case ValueKind::Tensor:
    return "stack.emplace_back(at::Tensor(result));";
  case ValueKind::OptionalTensor:
    return "stack.push_back(result ? c10::IValue(at::Tensor(*result)) : c10::IValue());";
  case ValueKind::TensorList:
    return "c10::List<at::Tensor> list;\n"
           "  for (const at::Tensor &tensor : result)\n    list.push_back(tensor);\n"
           "  stack.emplace_back(std::move(list));";
  case ValueKind::TensorTuple:
    return "std::vector<c10::IValue> items;\n"
           "  std::apply([&](const auto &...item) { (items.emplace_back(item), ...); }, result);\n"
           "  stack.emplace_back(c10::ivalue::Tuple::create(std::move(items)));";
  case ValueKind::Int:
    return "stack.emplace_back(static_cast<int64_t>(result));";
  case ValueKind::OptionalInt:
    return "stack.push_back(result ? c10::IValue(static_cast<int64_t>(*result)) : c10::IValue());";
  case ValueKind::Float:
    return "stack.emplace_back(static_cast<double>(result));";
  case ValueKind::OptionalFloat:
    return "stack.push_back(result ? c10::IValue(static_cast<double>(*result)) : c10::IValue());";
  case ValueKind::Bool:
    return "stack.emplace_back(static_cast<bool>(result));";
  case ValueKind::OptionalBool:
    return "stack.push_back(result ? c10::IValue(static_cast<bool>(*result)) : c10::IValue());";
  case ValueKind::String:
    return "stack.emplace_back(std::string(result));";
  case ValueKind::IntList:
    return "c10::List<int64_t> list;\n"
           "  for (auto item : result)\n    list.push_back(static_cast<int64_t>(item));\n"
           "  stack.emplace_back(std::move(list));";
  case ValueKind::FloatList:
    return "c10::List<double> list;\n"
           "  for (auto item : result)\n    list.push_back(static_cast<double>(item));\n"
           "  stack.emplace_back(std::move(list));";
  case ValueKind::BoolList:
    return "c10::List<bool> list;\n"
           "  for (bool item : result)\n    list.push_back(item);\n"
           "  stack.emplace_back(std::move(list));";
  case ValueKind::ScalarType:
    return "stack.emplace_back(static_cast<int64_t>(result));";
  case ValueKind::Scalar:
    return "stack.emplace_back(c10::Scalar(result));";
  case ValueKind::Unsupported:
    break;
  }
  llvm_unreachable("refused before");
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// Numbers of arguments for which C++ has to give the rest, the binding does not.
static std::vector<size_t> shortCounts(const EntrySignature &Entry) {
  std::vector<size_t> Counts;
  for (size_t Count = fewestArguments(Entry); Count != Entry.Arguments.size(); ++Count)
    if (!bindingGivesFrom(Entry, Count))
      Counts.push_back(Count);
  return Counts;
}

/// The constant of a binding as an IValue; empty when the record has something else.
static std::string boundValue(const EntryArgument &Argument) {
  const llvm::json::Value &Value = *Argument.BoundDefault;
  if (Value.getAsNull())
    return "c10::IValue()";
  if (std::optional<bool> Bool = Value.getAsBoolean())
    return *Bool ? "c10::IValue(true)" : "c10::IValue(false)";
  // No literal of C++ is the smallest integer.
  if (std::optional<int64_t> Int = Value.getAsInteger())
    return formatv("c10::IValue(static_cast<int64_t>({0}ull))", uint64_t(*Int));
  auto Double = [](const llvm::Twine &Text) { return ("c10::IValue(double(" + Text + "))").str(); };
  if (std::optional<double> Number = Value.getAsNumber()) {
    std::string Text;
    llvm::raw_string_ostream(Text) << llvm::format("%.17g", *Number);
    return Double(Text);
  }
  std::optional<StringRef> Text = Value.getAsString();
  if (!Text)
    return "";
  if (Argument.Kind == ValueKind::String)
    return formatv("c10::IValue(std::string({0}))", quoted(*Text));
  if (*Text == "nan")
    return Double("__builtin_nan(\"\")");
  if (*Text == "inf" || *Text == "-inf")
    return Double(Text->drop_back(3) + "__builtin_inf()");
  return "";
}

static std::string parameterTypes(const EntrySignature &Entry, size_t Count) {
  std::string Result;
  for (size_t I = 0; I != Count; ++I)
    Result += (I ? ", " : "") + Entry.Arguments[I].Type + " a" + std::to_string(I);
  return Result;
}

/// `static_cast<T &&>(prefixN), ...`: moves what the function takes by value.
static std::string forwarded(const EntrySignature &Entry, size_t Count, StringRef Prefix) {
  std::string Result;
  for (size_t I = 0; I != Count; ++I) {
    StringRef Type = Entry.Arguments[I].Type;
    Result += formatv("{0}static_cast<{1}{2}>({3}{4})", I ? ", " : "", Type,
                      Type.ends_with("&") ? "" : " &&", Prefix, I);
  }
  return Result;
}

static bool isLambda(const EntrySignature &Entry) { return Entry.QualifiedName.empty(); }

static std::string lambdaName(size_t Index) { return formatv("cupel_lambda_{0}", Index); }

static std::string globalName(const EntrySignature &Entry) {
  // Unnamed namespaces have no name in code: their members are found in the namespace around them.
  std::string Name = Entry.QualifiedName;
  for (StringRef Unnamed : {"(anonymous namespace)::", "(anonymous)::"})
    for (size_t At = Name.find(Unnamed); At != std::string::npos; At = Name.find(Unnamed))
      Name.erase(At, Unnamed.size());
  return StringRef(Name).starts_with("::") ? Name : "::" + Name;
}

static std::string shortName(size_t Index, size_t Count) {
  return formatv("cupel_short_{0}_{1}", Index, Count);
}

/// The pointer's exact type picks one of several overloads, and makes a record that does not fit
/// the source a compile error instead of a wrong call. Default arguments belong to the declaration,
/// so calls that use them are compiled here.
static void emitTail(llvm::raw_ostream &OS, const EntrySignature &Entry, size_t Index) {
  OS << formatv("using cupel_type_{0} = {1};\n"
                "extern \"C\" {{\n"
                "extern cupel_type_{0} *const cupel_function_{0};\n"
                "cupel_type_{0} *const cupel_function_{0} = static_cast<cupel_type_{0} *>({2});\n",
                Index, Entry.FunctionType,
                isLambda(Entry) ? lambdaName(Index) : "&" + globalName(Entry));
  for (size_t Count : shortCounts(Entry))
    OS << formatv("{0} {1}({2}) {{ return {3}({4}); }\n", Entry.ResultType, shortName(Index, Count),
                  parameterTypes(Entry, Count), globalName(Entry), forwarded(Entry, Count, "a"));
  OS << "}\n";
}

static void emitCall(llvm::raw_ostream &OS, const EntrySignature &Entry, StringRef Function,
                     size_t Count) {
  for (size_t I = 0; I != Count; ++I)
    emitArgument(
        OS, Entry.Arguments[I], I,
        formatv("{0}: argument {1} '{2}'", Entry.BoundName, I + 1, Entry.Arguments[I].Name).str());
  // The frame lets go of its values first, so that the function sees the reference counts that a
  // direct call would give it.
  OS << "  stack.clear();\n  ";
  if (Entry.ResultKind != ValueKind::None)
    OS << "auto &&result = ";
  OS << formatv("{0}({1});\n  {2}\n", Function, forwarded(Entry, Count, "value"),
                resultStatements(Entry.ResultKind));
}

static void emitBoxed(llvm::raw_ostream &OS, const EntrySignature &Entry, size_t Index) {
  size_t Most = Entry.Arguments.size(), Least = fewestArguments(Entry);
  const std::vector<size_t> Short = shortCounts(Entry);
  OS << formatv("\nusing cupel_type_{0} = {1};\nextern \"C\" {{\n"
                "extern cupel_type_{0} *const cupel_function_{0};\n",
                Index, Entry.FunctionType);
  for (size_t Count : Short)
    OS << formatv("{0} {1}({2});\n", Entry.ResultType, shortName(Index, Count),
                  parameterTypes(Entry, Count));
  OS << "}\n";
  auto IsCompiled = [&](size_t Count) { return Count == Most || llvm::is_contained(Short, Count); };
  for (size_t Count = Least; Count <= Most; ++Count) {
    if (!IsCompiled(Count))
      continue;
    OS << formatv(
        "\nstatic void call_{0}_{1}(Stack &stack) {{\n  [[maybe_unused]] const char *where;\n",
        Index, Count);
    emitCall(OS, Entry,
             Count == Most ? formatv("cupel_function_{0}", Index).str() : shortName(Index, Count),
             Count);
    OS << "}\n";
  }
  OS << formatv(
      "\nextern \"C\" __attribute__((visibility(\"default\"))) void {0}(Stack &stack) {{\n"
      "  checkCount(stack, {1}, {2}, {3});\n  switch (stack.size()) {{\n",
      adapterSymbol(Index), Least, Most, quoted(Entry.BoundName));
  for (size_t Count = Least; Count <= Most; ++Count) {
    OS << formatv("  case {0}:\n", Count);
    if (IsCompiled(Count))
      OS << formatv("    return call_{0}_{1}(stack);\n", Index, Count);
    else // Falls through to the next, which gives the next value.
      OS << formatv("    stack.push_back({0});\n    [[fallthrough]];\n",
                    boundValue(Entry.Arguments[Count]));
  }
  OS << "  }\n}\n";
}

/// Why \p Entry cannot be adapted; empty when it can.
static std::string refusal(const EntrySignature &Entry, StringRef Source) {
  // A record may come from a file: what is no part of the source is not compiled.
  if (isLambda(Entry) && (Entry.LambdaSource.empty() || !Source.contains(Entry.LambdaSource)))
    return "'" + Entry.BoundName +
           "' is bound to a lambda whose text cannot stand elsewhere (it captures, launches a "
           "kernel, or "
           "declarations follow the binding): bind a function that has a name";
  if ((!isLambda(Entry) && !isPlainCpp(Entry.QualifiedName)) || !isPlainCpp(Entry.FunctionType) ||
      !isPlainCpp(Entry.ResultType))
    return "'" + Entry.BoundName + "' has no name or type that C++ code could spell";
  for (size_t I = 0; I != Entry.Arguments.size(); ++I) {
    const EntryArgument &Argument = Entry.Arguments[I];
    if (!isArgument(Argument.Kind) || !isPlainCpp(Argument.Type))
      return formatv(
          "argument {0} '{1}' of '{2}' has the type '{3}', which no caller can pass: use "
          "tensors, numbers, bools, strings, or lists and optionals of them",
          I + 1, Argument.Name, Entry.BoundName, Argument.Type);
    if (Argument.BoundDefault && boundValue(Argument).empty())
      return formatv("the default of argument {0} '{1}' of '{2}' is no constant", I + 1,
                     Argument.Name, Entry.BoundName);
  }
  if (!isResult(Entry.ResultKind))
    return formatv("'{0}' returns '{1}': return a tensor, or a list or tuple of tensors",
                   Entry.BoundName, Entry.ResultType);
  return "";
}

AdapterSource cupel::generateAdapter(llvm::ArrayRef<EntrySignature> Entries, StringRef TorchVersion,
                                     StringRef Source) {
  AdapterSource Result;
  std::string Lambdas, Tail, Table;
  llvm::raw_string_ostream TailOS(Tail), BoxedOS(Result.Boxed);
  BoxedOS << AdapterPrelude;
  for (size_t I = 0; I != Entries.size(); ++I) {
    if (std::string Why = refusal(Entries[I], Source); !Why.empty()) {
      Result.Refused.push_back({I, std::move(Why)});
      continue;
    }
    ++Result.Accepted;
    // In front of the #undefs: macros mean in it what they mean in the binding.
    if (isLambda(Entries[I]))
      Lambdas +=
          formatv("static auto *const {0} = +{1};\n", lambdaName(I), Entries[I].LambdaSource);
    emitTail(TailOS, Entries[I], I);
    emitBoxed(BoxedOS, Entries[I], I);
    Table += formatv("  {{{0}, {1}, {2}},\n", quoted(Entries[I].BoundName), adapterSymbol(I),
                     quoted(Entries[I].FunctionType));
  }
  BoxedOS << formatv(
      "\nextern \"C\" {{\n"
      "extern __attribute__((visibility(\"default\"))) const CupelEntry cupel_entries[];\n"
      "const CupelEntry cupel_entries[] = {{\n{0}  {{nullptr, nullptr, nullptr},\n};\n"
      "__attribute__((visibility(\"default\"))) const char *cupel_adapter_abi() {{ "
      "return {1}; }\n}\n",
      Table, quoted(adapterAbi(TorchVersion)));
  // Macros of the submission, which are still defined at its end, must not make another function of
  // what the tail names. Two line ends: the first may be spliced to a last line that ends in a
  // backslash.
  Result.Tail = "\n\n" + Lambdas + undefineWords(Tail) + Tail;
  return Result;
}
