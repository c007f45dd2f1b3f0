//===- OtherSections.cpp - [problem], [reference], [entry] and the rest -----===//

#include "Draft.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace cupel;

bool cupel::isIdentifier(llvm::StringRef Name) {
  // Keywords of Python and C++ that a writer might think of as a name.
  static constexpr llvm::StringRef Keywords[] = {
      "and",     "as",       "assert",   "auto",  "bool",    "break",  "case",     "char",
      "class",   "const",    "continue", "def",   "default", "del",    "delete",   "do",
      "double",  "elif",     "else",     "enum",  "except",  "extern", "false",    "float",
      "for",     "from",     "global",   "goto",  "if",      "import", "in",       "int",
      "is",      "lambda",   "long",     "new",   "None",    "not",    "or",       "pass",
      "raise",   "return",   "self",     "short", "signed",  "sizeof", "static",   "struct",
      "switch",  "template", "this",     "torch", "True",    "true",   "False",    "try",
      "typedef", "union",    "unsigned", "using", "virtual", "void",   "volatile", "while",
      "with",    "yield"};
  if (Name.empty() || llvm::isDigit(Name.front()) || llvm::is_contained(Keywords, Name))
    return false;
  return llvm::all_of(Name, [](char C) { return llvm::isAlnum(C) || C == '_'; });
}

std::vector<std::pair<const TensorSpec *, const TensorPlaces *>> Draft::tensors() const {
  std::vector<std::pair<const TensorSpec *, const TensorPlaces *>> Result;
  for (auto [Input, Places] : llvm::zip(Spec.Inputs, Inputs))
    if (Input.Tensor)
      Result.push_back({&*Input.Tensor, &Places});
  for (auto [Parameter, Places] : llvm::zip(Spec.Parameters, Parameters))
    Result.push_back({&Parameter, &Places});
  return Result;
}

std::vector<std::string> Draft::names() const {
  std::vector<std::string> Names;
  for (const InputSpec &Input : Spec.Inputs)
    Names.push_back(Input.name().str());
  for (const TensorSpec &Parameter : Spec.Parameters)
    Names.push_back(Parameter.Name);
  return Names;
}

void cupel::readProblemSection(TableReader &File, Draft &D) {
  const toml::table *Section = File.table("problem", Need::Required);
  if (!Section)
    return;
  TableReader Table(*Section, "problem", File.diagnostics());
  D.Spec.Name = Table.string("name", Need::Required).value_or("");
  int64_t Level = Table.integer("level", Need::Optional).value_or(0);
  if (Level < 0 || Level > 4)
    Table.error("problem-bad-value", "level", "a level is from 0 to 4, not " + llvm::Twine(Level));
  D.Spec.Level = int(Level);
  if (std::optional<int64_t> Id = Table.integer("id", Need::Optional)) {
    if (*Id < 1 || *Id > 1000000)
      Table.error("problem-bad-value", "id", "an id is a row in KernelBench's level, from 1");
    D.Spec.KernelBenchId = int(*Id);
  }
  D.Spec.Tags = Table.strings("tags");
  Table.finish();
}

/// Where the characters of a TOML string begin: after the quotes, and after the line break that
/// TOML drops when it follows `'''` or `"""`.
static SourceOrigin originOf(llvm::StringRef Text, SourcePlace Literal) {
  llvm::StringRef Rest = Text;
  for (unsigned Line = 1; Line != Literal.Line; ++Line)
    Rest = Rest.substr(Rest.find('\n') + 1);
  Rest = Rest.substr(Literal.Column - 1);
  bool IsLong = Rest.starts_with("'''") || Rest.starts_with("\"\"\"");
  if (!IsLong)
    return {Literal, false};
  // An escape stands for other characters, and a `\` at a line's end for none at all.
  if (Rest.starts_with("\"") && Rest.take_front(Rest.find("\"\"\"", 3)).contains('\\'))
    return {Literal, false};
  Rest = Rest.substr(3);
  if (Rest.starts_with("\n") || Rest.starts_with("\r\n"))
    return {{Literal.File, Literal.Line + 1, 1}, true};
  return {{Literal.File, Literal.Line, Literal.Column + 3}, true};
}

void cupel::readReferenceSection(TableReader &File, llvm::StringRef Text, Draft &D) {
  const toml::table *Section = File.table("reference", Need::Required);
  if (!Section)
    return;
  TableReader Table(*Section, "reference", File.diagnostics());
  D.Spec.ReferenceLanguage =
      Table.choice("language", Need::Optional, "language", {"torchscript", "python"})
          .value_or("torchscript");
  std::optional<std::string> Source = Table.string("source", Need::Required);
  if (Source && llvm::StringRef(*Source).trim().empty())
    Table.error("problem-no-forward", "source", "the reference is empty");
  else if (Source) {
    D.Reference = originOf(Text, Table.placeOf("source"));
    D.Spec.ReferenceSource = *Source;
    D.Spec.ReferencePlace = D.Reference.Start;
    // Of a string on one line no line has a column of its own.
    if (!D.Reference.LineByLine)
      D.Spec.ReferencePlace.Column = 0;
  }
  Table.finish();
}

void cupel::readEntrySection(TableReader &File, Draft &D) {
  const toml::table *Section = File.table("entry", Need::Optional);
  if (!Section)
    return;
  TableReader Table(*Section, "entry", File.diagnostics());
  D.Spec.EntryName = Table.string("name", Need::Optional).value_or("");
  if (!D.Spec.EntryName.empty() && !isIdentifier(D.Spec.EntryName))
    Table.error("problem-bad-name", "name", quote(D.Spec.EntryName) + " is no identifier");
  D.Spec.EntryArguments = Table.strings("arguments", Need::Optional, &D.EntryArguments);
  Table.finish();
}

void cupel::readToleranceSection(TableReader &File, Draft &D) {
  const toml::table *Section = File.table("tolerance", Need::Optional);
  if (!Section)
    return;
  TableReader Table(*Section, "tolerance", File.diagnostics());
  D.Spec.Tolerance.Relative = Table.number("relative", Need::Optional);
  D.Spec.Tolerance.Absolute = Table.number("absolute", Need::Optional);
  if (auto Relative = D.Spec.Tolerance.Relative; Relative && !(*Relative >= 0 && *Relative < 1))
    Table.error("problem-bad-value", "relative", "a relative tolerance is at least 0 and below 1");
  if (auto Absolute = D.Spec.Tolerance.Absolute;
      Absolute && !(*Absolute >= 0 && std::isfinite(*Absolute)))
    Table.error("problem-bad-value", "absolute", "an absolute tolerance is finite and at least 0");
  Table.finish();
}

/// `aten::bmm`, without an overload: so the linter names operators.
static bool isOperator(llvm::StringRef Name) {
  auto IsWord = [](llvm::StringRef Text) {
    return !Text.empty() && llvm::all_of(Text, [](char C) { return llvm::isAlnum(C) || C == '_'; });
  };
  auto [Namespace, Base] = Name.split("::");
  return IsWord(Namespace) && IsWord(Base);
}

/// Names of \p Key that \p Mistake, if anybody is asked, finds fault with.
static void checkNames(TableReader &Table, llvm::StringRef Key, llvm::StringRef Code,
                       const std::vector<std::string> &Names,
                       const std::vector<SourcePlace> &Places,
                       const std::function<std::string(llvm::StringRef)> &Mistake) {
  if (!Mistake)
    return;
  for (auto [Name, Place] : llvm::zip(Names, Places))
    if (std::string Why = Mistake(Name); !Why.empty())
      Table.diagnostics().add(Code, "policy." + Key + ": " + Why, Place);
}

void cupel::readPolicySection(TableReader &File, const PolicyNames &Names, Draft &D) {
  const toml::table *Section = File.table("policy", Need::Optional);
  if (!Section)
    return;
  static constexpr llvm::StringRef Libraries[] = {"cublas",   "cublaslt", "cudnn",  "cufft",
                                                  "cusparse", "cusolver", "curand", "thrust",
                                                  "cub",      "cutlass"};
  TableReader Table(*Section, "policy", File.diagnostics());
  PolicySpec &Policy = D.Spec.Policy;
  Policy.Preset =
      Table.choice("preset", Need::Optional, "preset", {"strict", "partial"}).value_or("strict");
  Policy.Libraries = Table.strings("libraries");
  for (const std::string &Library : Policy.Libraries)
    if (!llvm::is_contained(Libraries, llvm::StringRef(Library)))
      Table.error("problem-unknown-library", "libraries",
                  "unknown library " + quote(Library) + suggest(Library, Libraries));
  std::vector<SourcePlace> Operators, Suppressed;
  Policy.Operators = Table.strings("operators", Need::Optional, &Operators);
  checkNames(Table, "operators", "problem-bad-value", Policy.Operators, Operators,
             [&](llvm::StringRef Name) {
               if (!isOperator(Name))
                 return quote(Name) +
                        " is no operator; write it with its namespace, as 'aten::bmm'";
               return Names.OperatorMistake ? Names.OperatorMistake(Name) : std::string();
             });
  Policy.Suppressed = Table.strings("suppressed", Need::Optional, &Suppressed);
  checkNames(Table, "suppressed", "problem-unknown-check", Policy.Suppressed, Suppressed,
             Names.CheckMistake);
  Table.finish();
}

static std::optional<ShapeExpr> readCost(TableReader &Table, llvm::StringRef Key) {
  std::optional<std::string> Text = Table.string(Key, Need::Optional);
  if (!Text)
    return std::nullopt;
  llvm::Expected<ShapeExpr> Expression = ShapeExpr::parse(*Text);
  if (Expression)
    return *Expression;
  for (const Reason &Why : takeReasons(Expression.takeError()))
    Table.error(Why.Code, Key, Why.Text);
  return std::nullopt;
}

void cupel::readCostSection(TableReader &File, Draft &D) {
  const toml::table *Section = File.table("cost", Need::Optional);
  if (!Section)
    return;
  TableReader Table(*Section, "cost", File.diagnostics());
  D.Spec.Flops = readCost(Table, "flops");
  D.Spec.Bytes = readCost(Table, "bytes");
  D.Flops = Table.placeOf("flops");
  D.Bytes = Table.placeOf("bytes");
  Table.finish();
}
