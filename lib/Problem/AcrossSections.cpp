//===- AcrossSections.cpp - checks that need more than one section ----------===//

#include "Draft.h"
#include "cupel/Problem/DType.h"
#include "cupel/Problem/InitKinds.h"
#include "cupel/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <set>

using namespace cupel;

namespace {

constexpr uint64_t MemoryLimit = uint64_t(1) << 40;

class Checker {
public:
  Checker(Draft &D, Diagnostics &Diags) : D(D), Spec(D.Spec), Diags(Diags) {}

  void run() {
    checkNames();
    checkCaseNames();
    checkSizes();
    for (size_t I = 0; I != Spec.Cases.size(); ++I)
      checkCase(Spec.Cases[I], D.Cases[I]);
    checkReference();
    checkEntry();
  }

private:
  void add(llvm::StringRef Code, const llvm::Twine &Message, SourcePlace Place) {
    Diags.add(Code, Message, std::move(Place));
  }

  void checkNames();
  void checkCaseNames();
  void checkSizes();
  void checkSizesOf(const CaseSpec &Case, const CasePlaces &Places,
                    const std::vector<std::string> &Used, const std::set<std::string> &Given);
  void checkNamesInExpression(const ShapeExpr &Expression, const llvm::Twine &Path,
                              const SourcePlace &Place, const std::set<std::string> &Given,
                              std::vector<std::string> &Used);
  void checkCase(const CaseSpec &Case, const CasePlaces &Places);
  std::optional<uint64_t> checkTensor(const TensorSpec &Tensor, const TensorPlaces &Places,
                                      const CaseSpec &Case, const CasePlaces &CaseAt);
  void checkInitFits(const TensorSpec &Tensor, const TensorPlaces &Places, const CaseSpec &Case,
                     const CasePlaces &CaseAt, llvm::ArrayRef<int64_t> Shape);
  void checkCost(const std::optional<ShapeExpr> &Cost, llvm::StringRef Path, SourcePlace Place,
                 const CaseSpec &Case);
  void checkReference();
  void checkArguments(llvm::ArrayRef<ForwardArgument> Arguments);
  void checkAttributes(llvm::StringRef Code);
  void checkEntry();

  Draft &D;
  ProblemSpec &Spec;
  Diagnostics &Diags;
};

void Checker::checkNames() {
  if (Spec.Inputs.empty() && D.TensorsAreComplete)
    add("problem-no-input", "no [[input]]: a problem has at least one", {});
  std::map<std::string, std::string> Owner;
  auto Claim = [&](const std::string &Name, const TensorPlaces &Places) {
    if (Name.empty())
      return;
    auto [Previous, IsNew] = Owner.try_emplace(Name, Places.Path);
    if (!IsNew)
      add("problem-duplicate-name",
          Places.Path + ".name: '" + Name + "' is the name of " + Previous->second + " already",
          Places.Name);
  };
  for (auto [Input, Places] : llvm::zip(Spec.Inputs, D.Inputs))
    Claim(Input.name().str(), Places);
  for (auto [Parameter, Places] : llvm::zip(Spec.Parameters, D.Parameters)) {
    Claim(Parameter.Name, Places);
    if (Parameter.Name == "forward" || Parameter.Name == "training")
      add("problem-bad-name",
          Places.Path + ".name: every torch module has an attribute '" + Parameter.Name +
              "' already",
          Places.Name);
  }
}

void Checker::checkCaseNames() {
  std::map<std::string, std::string> Owner;
  for (auto [Case, Places] : llvm::zip(Spec.Cases, D.Cases)) {
    auto [Previous, IsNew] = Owner.try_emplace(Case.Name, Places.Path);
    if (!IsNew && !Case.Name.empty())
      add("problem-duplicate-name",
          Places.Path + ".name: '" + Case.Name + "' is the name of " + Previous->second +
              " already",
          Case.Place);
  }
  if (D.CasesAreComplete &&
      llvm::none_of(Spec.Cases, [](const CaseSpec &Case) { return Case.IsCheck; }))
    add("problem-no-check-case", "no [[case]] has the role 'check': nothing would be compared", {});
}

void Checker::checkNamesInExpression(const ShapeExpr &Expression, const llvm::Twine &Path,
                                     const SourcePlace &Place, const std::set<std::string> &Given,
                                     std::vector<std::string> &Used) {
  for (const std::string &Name : Expression.names()) {
    if (!llvm::is_contained(Used, Name))
      Used.push_back(Name);
    if (!Given.count(Name))
      add("problem-unknown-size",
          Path + ": no case gives the size '" + Name + "'" +
              suggest(Name, std::vector<std::string>(Given.begin(), Given.end())),
          Place);
  }
}

void Checker::checkSizesOf(const CaseSpec &Case, const CasePlaces &Places,
                           const std::vector<std::string> &Used,
                           const std::set<std::string> &Given) {
  for (const auto &[Name, Size] : Case.Sizes)
    if (!llvm::is_contained(Used, Name))
      add("problem-unused-size",
          Places.Path + ".sizes: no shape uses the size " + quote(Name) + suggest(Name, Used),
          Places.SizeOf.at(Name));
  for (const std::string &Name : Used)
    if (Given.count(Name) && !Case.Sizes.count(Name))
      add("problem-missing-size", Places.Path + ".sizes: missing size '" + Name + "'",
          Places.Sizes);
}

/// Every size that a shape names is given by every case, and no other.
void Checker::checkSizes() {
  bool ShapesAreComplete = D.TensorsAreComplete;
  for (auto [Tensor, Places] : D.tensors())
    ShapesAreComplete &= Places->ShapeIsComplete;
  std::set<std::string> Given;
  for (const CaseSpec &Case : Spec.Cases)
    for (const auto &[Name, Size] : Case.Sizes)
      Given.insert(Name);

  std::vector<std::string> Used;
  if (D.CasesAreComplete && !Spec.Cases.empty()) {
    for (auto [Tensor, Places] : D.tensors())
      for (auto [I, Dimension] : llvm::enumerate(Tensor->Shape))
        checkNamesInExpression(Dimension, Places->Path + ".shape[" + llvm::Twine(I) + "]",
                               Places->Dimensions[I], Given, Used);
    if (Spec.Flops)
      checkNamesInExpression(*Spec.Flops, "cost.flops", D.Flops, Given, Used);
    if (Spec.Bytes)
      checkNamesInExpression(*Spec.Bytes, "cost.bytes", D.Bytes, Given, Used);
  }
  if (ShapesAreComplete)
    for (auto [Case, Places] : llvm::zip(Spec.Cases, D.Cases))
      checkSizesOf(Case, Places, Used, Given);
}

static bool hasAllSizes(const ShapeExpr &Expression, const CaseSpec &Case) {
  return llvm::all_of(Expression.names(),
                      [&](const std::string &Name) { return Case.Sizes.count(Name) != 0; });
}

void Checker::checkInitFits(const TensorSpec &Tensor, const TensorPlaces &Places,
                            const CaseSpec &Case, const CasePlaces &CaseAt,
                            llvm::ArrayRef<int64_t> Shape) {
  const InitSpec &Init = initOf(Tensor, Case);
  const auto Own = CaseAt.InitOf.find(Tensor.Name);
  const bool IsOwn = Case.Init.count(Tensor.Name) != 0;
  auto Refuse = [&](const llvm::Twine &Why) {
    add("problem-bad-init",
        (IsOwn ? CaseAt.Path + ".init." + Tensor.Name : Places.Path + ".init") + ": in case '" +
            Case.Name + "' " + Why,
        IsOwn ? Own->second : Places.Init);
  };
  for (const std::string &Name : Init.Transforms) {
    const InitTransform &Transform = *findInitTransform(Name);
    // Of two tensors with one name, which is a mistake of its own, the case's init fits the first.
    if (Shape.size() < Transform.LeastDimensions)
      continue;
    if (Transform.NeedsSquare && Shape[Shape.size() - 1] != Shape[Shape.size() - 2])
      Refuse("the last two dimensions differ; the transform '" + Name + "' needs equal ones");
    if (Transform.NeedsRows && Shape[0] < 2)
      Refuse("there is one row; the transform '" + Name + "' needs two or more");
  }
  const DType *Type = findDType(Tensor.DType);
  if (!Type || (Init.Kind != "arange" && Init.Kind != "permutation"))
    return;
  double Count = 1;
  for (int64_t Size : Shape)
    Count *= double(Size);
  double First = Init.Kind == "arange" ? Init.Arguments.at("start") : 0;
  double Last = First + (Init.Kind == "arange" ? Init.Arguments.at("step") : 1) * (Count - 1);
  if (std::min(First, Last) < Type->Lowest || std::max(First, Last) > Type->Highest)
    Refuse("the values do not fit dtype " + Tensor.DType);
}

/// The tensor's bytes in \p Case; nothing when that is unknown or too many, which is told.
std::optional<uint64_t> Checker::checkTensor(const TensorSpec &Tensor, const TensorPlaces &Places,
                                             const CaseSpec &Case, const CasePlaces &CaseAt) {
  const DType *Type = findDType(Tensor.DType);
  uint64_t Bytes = Type ? Type->Bytes : 1;
  bool IsKnown = Places.ShapeIsComplete;
  std::vector<int64_t> Shape;
  for (auto [I, Dimension] : llvm::enumerate(Tensor.Shape)) {
    if (!hasAllSizes(Dimension, Case)) {
      IsKnown = false;
      continue;
    }
    std::string Path =
        (Places.Path + ".shape[" + llvm::Twine(I) + "]: in case '" + Case.Name + "': ").str();
    llvm::Expected<int64_t> Size = Dimension.evaluate(Case.Sizes);
    if (!Size) {
      for (const Reason &Why : takeReasons(Size.takeError()))
        add(Why.Code, Path + Why.Text, Places.Dimensions[I]);
      IsKnown = false;
    } else if (*Size < 1) {
      add("problem-bad-size", Path + "a dimension is at least 1, not " + llvm::Twine(*Size),
          Places.Dimensions[I]);
      IsKnown = false;
    } else {
      Shape.push_back(*Size);
      Bytes = llvm::SaturatingMultiply(Bytes, uint64_t(*Size));
    }
  }
  if (!IsKnown)
    return std::nullopt;
  if (!Tensor.Init.Kind.empty())
    checkInitFits(Tensor, Places, Case, CaseAt, Shape);
  return Bytes;
}

void Checker::checkCost(const std::optional<ShapeExpr> &Cost, llvm::StringRef Path,
                        SourcePlace Place, const CaseSpec &Case) {
  if (!Cost || !hasAllSizes(*Cost, Case))
    return;
  llvm::Expected<int64_t> Value = Cost->evaluate(Case.Sizes);
  if (!Value) {
    for (const Reason &Why : takeReasons(Value.takeError()))
      add(Why.Code, Path + ": in case '" + Case.Name + "': " + Why.Text, Place);
  } else if (*Value < 0) {
    add("problem-bad-value", Path + ": in case '" + Case.Name + "' it is below 0", Place);
  }
}

void Checker::checkCase(const CaseSpec &Case, const CasePlaces &Places) {
  uint64_t Total = 0;
  for (auto [Tensor, TensorAt] : D.tensors())
    Total = llvm::SaturatingAdd(Total, checkTensor(*Tensor, *TensorAt, Case, Places).value_or(0));
  if (Total > MemoryLimit)
    add("problem-too-big",
        Places.Path + ": inputs and parameters take " + formatBytes(Total) +
            "; more than 1 TiB is taken for a mistake",
        Case.Place);
  checkCost(Spec.Flops, "cost.flops", D.Flops, Case);
  checkCost(Spec.Bytes, "cost.bytes", D.Bytes, Case);
}

/// The annotation that an input's argument needs.
static llvm::StringRef annotationOf(const InputSpec &Input) {
  if (Input.Tensor)
    return "Tensor";
  switch (Input.Scalar->Type) {
  case ScalarSpec::Kind::Int:
    return "int";
  case ScalarSpec::Kind::Bool:
    return "bool";
  case ScalarSpec::Kind::Float:
    break;
  }
  return "float";
}

void Checker::checkArguments(llvm::ArrayRef<ForwardArgument> Arguments) {
  for (size_t I = 0; I != std::max(Arguments.size(), Spec.Inputs.size()); ++I) {
    if (I >= Arguments.size()) {
      add("problem-forward-arguments",
          "reference.source: forward has no argument for the input '" + Spec.Inputs[I].name() + "'",
          D.Reference.Start);
      continue;
    }
    const ForwardArgument &Argument = Arguments[I];
    if (I >= Spec.Inputs.size()) {
      add("problem-forward-arguments",
          "reference.source: no [[input]] for the argument '" + Argument.Name + "' of forward",
          Argument.Place);
      continue;
    }
    const InputSpec &Input = Spec.Inputs[I];
    if (Input.name().empty())
      continue;
    llvm::StringRef Wanted = annotationOf(Input);
    llvm::StringRef Type =
        Argument.Type.empty() ? llvm::StringRef("Tensor") : llvm::StringRef(Argument.Type);
    if (Argument.Name != Input.name())
      add("problem-forward-arguments",
          "reference.source: argument " + llvm::Twine(I + 1) + " of forward is '" + Argument.Name +
              "', but input[" + llvm::Twine(I) + "] is '" + Input.name() +
              "'; names and order must agree",
          Argument.Place);
    else if (Type != Wanted && Type != "torch.Tensor")
      add("problem-forward-arguments",
          "reference.source: write '" + Argument.Name + ": " + Wanted + "', since the input is a " +
              (Input.Tensor ? "tensor" : "number"),
          Argument.Place);
  }
}

void Checker::checkAttributes(llvm::StringRef Code) {
  std::set<std::string> Read;
  std::vector<std::string> Known;
  for (const TensorSpec &Parameter : Spec.Parameters)
    Known.push_back(Parameter.Name);
  for (const SourceName &Attribute : findSelfAttributes(Code, D.Reference)) {
    Read.insert(Attribute.Name);
    if (!llvm::is_contained(Known, Attribute.Name))
      add("problem-unknown-parameter",
          "reference.source: no [[parameter]] for 'self." + Attribute.Name + "'" +
              suggest(Attribute.Name, Known),
          Attribute.Place);
  }
  for (auto [Parameter, Places] : llvm::zip(Spec.Parameters, D.Parameters))
    if (!Parameter.Name.empty() && !Read.count(Parameter.Name) &&
        !llvm::is_contained(D.Notes.WithoutEffect, Parameter.Name))
      add("problem-unused-parameter",
          Places.Path + ": the reference never reads 'self." + Parameter.Name + "'", Places.Name);
}

void Checker::checkReference() {
  if (Spec.ReferenceSource.empty() || !D.TensorsAreComplete)
    return;
  std::string Code = blankStringsAndComments(Spec.ReferenceSource);
  llvm::Expected<std::vector<ForwardArgument>> Arguments = findForward(Code, D.Reference);
  if (!Arguments) {
    llvm::handleAllErrors(Arguments.takeError(),
                          [&](const CupelError &E) { add(E.code(), E.text(), E.place()); });
    return;
  }
  checkArguments(*Arguments);
  // A Python module makes its parameters itself; only a run tells what it reads.
  if (Spec.ReferenceLanguage != "torchscript")
    return;
  checkAttributes(Code);
  for (const SourceName &Type : findRealDTypes(Code, D.Reference))
    add("problem-names-dtype",
        "reference.source: '" + Type.Name +
            "' names a real dtype; the reference also runs in float64, so follow the inputs: "
            "x.to(y.dtype), x.type_as(y)",
        Type.Place);
}

void Checker::checkEntry() {
  std::vector<std::string> Names = D.names();
  if (Spec.EntryArguments.empty()) {
    Spec.EntryArguments = Names;
    return;
  }
  std::set<std::string> Seen;
  for (auto [Name, Place] : llvm::zip(Spec.EntryArguments, D.EntryArguments)) {
    if (!llvm::is_contained(Names, Name))
      add("problem-unknown-argument",
          "entry.arguments: no input or parameter " + quote(Name) + suggest(Name, Names), Place);
    else if (!Seen.insert(Name).second)
      add("problem-duplicate-name", "entry.arguments: '" + Name + "' is there twice", Place);
  }
  for (const std::string &Name : Names)
    if (!Name.empty() && !Seen.count(Name))
      add("problem-missing-argument", "entry.arguments: '" + Name + "' is missing",
          D.EntryArguments.front());
}

} // namespace

void cupel::checkAcrossSections(Draft &D, Diagnostics &Diags) { Checker(D, Diags).run(); }
