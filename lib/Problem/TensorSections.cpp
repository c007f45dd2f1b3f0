//===- TensorSections.cpp - [[input]], [[parameter]] and their init ---------===//

#include "Draft.h"
#include "cupel/Problem/InitKinds.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace cupel;

static std::vector<std::string> readTransforms(TableReader &Init, bool &Complete) {
  std::vector<std::string> Names;
  const toml::node *Node = Init.find("transform");
  if (!Node)
    return Names;
  if (const auto *Name = Node->as_string())
    Names.push_back(**Name);
  else
    Names = Init.strings("transform");
  std::vector<llvm::StringRef> Known;
  for (const InitTransform &Transform : initTransforms())
    Known.push_back(Transform.Name);
  for (const std::string &Name : Names)
    if (!findInitTransform(Name)) {
      Complete = false;
      Init.error("problem-unknown-transform", "transform",
                 "unknown transform " + quote(Name) + suggest(Name, Known));
    }
  return Names;
}

/// Why a tensor of \p Dimensions dimensions cannot take the transforms of \p Init; empty when it
/// can.
static std::string checkDimensions(const InitSpec &Init, size_t Dimensions) {
  for (const std::string &Name : Init.Transforms)
    if (unsigned Least = findInitTransform(Name)->LeastDimensions; Dimensions < Least)
      return "the transform " + quote(Name) + " needs a tensor of " + (Least == 1 ? "one" : "two") +
             " or more dimensions";
  return "";
}

std::optional<InitSpec> cupel::readInit(const toml::node &Node, std::string Path, const DType *Type,
                                        std::optional<size_t> Dimensions, Diagnostics &Diags) {
  if (!Node.is_table()) {
    Diags.add("problem-wrong-type", Path + ": expected a table, found " + describe(Node),
              Diags.placeOf(Node));
    return std::nullopt;
  }
  TableReader Table(*Node.as_table(), std::move(Path), Diags);
  std::vector<llvm::StringRef> KindNames;
  for (const InitKind &Kind : initKinds())
    KindNames.push_back(Kind.Name);
  std::optional<std::string> KindName = Table.choice("kind", Need::Required, "kind", KindNames);
  // The arguments of an unknown kind are unknown too: telling of them would be noise.
  if (!KindName)
    return std::nullopt;

  InitSpec Init;
  Init.Kind = *KindName;
  bool Complete = true;
  for (const InitArgument &Argument : findInitKind(*KindName)->Arguments) {
    std::optional<double> Value =
        Table.number(Argument.Name, Argument.Default ? Need::Optional : Need::Required);
    if (!Value && !Table.has(Argument.Name))
      Value = Argument.Default;
    Complete &= Value.has_value();
    Init.Arguments[Argument.Name.str()] = Value.value_or(0);
  }
  Init.Transforms = readTransforms(Table, Complete);
  Table.finish();
  if (!Complete)
    return std::nullopt;
  std::string Why;
  if (Type)
    Why = checkInit(Init, *Type);
  if (Why.empty() && Dimensions)
    Why = checkDimensions(Init, *Dimensions);
  if (!Why.empty()) {
    Table.error("problem-bad-init", "", Why);
    return std::nullopt;
  }
  return Init;
}

static void readShape(TableReader &Table, TensorSpec &Tensor, TensorPlaces &Places) {
  const toml::array *Shape = Table.array("shape", Need::Required);
  Places.Shape = Table.placeOf("shape");
  if (!Shape)
    return;
  Places.ShapeIsComplete = true;
  Diagnostics &Diags = Table.diagnostics();
  for (size_t I = 0; I != Shape->size(); ++I) {
    const toml::node &Node = *Shape->get(I);
    std::string Path = Places.Path + ".shape[" + std::to_string(I) + "]: ";
    SourcePlace Place = Diags.placeOf(Node);
    llvm::Expected<ShapeExpr> Dimension = ShapeExpr(1);
    if (const auto *Number = Node.as_integer())
      Dimension = ShapeExpr(**Number);
    else if (const auto *Text = Node.as_string())
      Dimension = ShapeExpr::parse(**Text);
    else
      Dimension =
          makeError("problem-wrong-type",
                    "expected an integer or a string with an expression, found " + describe(Node));
    if (!Dimension) {
      for (const Reason &Why : takeReasons(Dimension.takeError()))
        Diags.add(Why.Code, Path + Why.Text, Place);
      Places.ShapeIsComplete = false;
      Dimension = ShapeExpr(1);
    }
    Tensor.Shape.push_back(*Dimension);
    Places.Dimensions.push_back(Place);
  }
}

static std::string readName(TableReader &Table, SourcePlace &Place) {
  std::optional<std::string> Name = Table.string("name", Need::Required);
  Place = Table.placeOf("name");
  if (!Name)
    return "";
  if (isIdentifier(*Name))
    return *Name;
  Table.error("problem-bad-name", "name",
              quote(*Name) + " is no identifier (letters, digits and '_', not a keyword)");
  return "";
}

static void readEffect(TableReader &Table, const std::string &Name, Draft &D) {
  if (Table.boolean("without_effect", Need::Optional).value_or(false))
    D.Notes.WithoutEffect.push_back(Name);
}

static TensorSpec readTensor(TableReader &Table, TensorPlaces &Places, Draft &D) {
  TensorSpec Tensor;
  Tensor.Place = Table.place();
  Tensor.Name = readName(Table, Places.Name);
  std::vector<llvm::StringRef> Known;
  for (const DType &Type : dtypes())
    Known.push_back(Type.Name);
  Tensor.DType = Table.choice("dtype", Need::Required, "dtype", Known).value_or("");
  readShape(Table, Tensor, Places);
  const toml::node *Init = Table.find("init");
  Places.Init = Table.placeOf("init");
  if (!Init)
    Table.error("problem-missing-key", "", "missing key 'init'");
  else if (auto Read = readInit(*Init, Table.pathOf("init"), findDType(Tensor.DType),
                                Places.dimensions(Tensor), Table.diagnostics()))
    Tensor.Init = *Read;
  readEffect(Table, Tensor.Name, D);
  Table.finish();
  return Tensor;
}

static double readFloat(TableReader &Table) {
  double Number = Table.number("value", Need::Required).value_or(0);
  if (!std::isfinite(Number))
    Table.error("problem-bad-value", "value", "the value is not a finite number");
  return Number;
}

static ScalarSpec readScalar(TableReader &Table, TensorPlaces &Places, Draft &D) {
  ScalarSpec Scalar;
  Scalar.Place = Table.place();
  Scalar.Name = readName(Table, Places.Name);
  Places.ShapeIsComplete = true;
  auto Type = Table.choice("scalar", Need::Required, "scalar type", {"float", "int", "bool"});
  const toml::node *Value = Table.find("value");
  if (!Value)
    Table.error("problem-missing-key", "", "missing key 'value'");
  else if (Type == "float" && Value->is_number())
    Scalar.Value = readFloat(Table);
  else if (Type == "int" && Value->is_integer())
    Scalar.Whole = **Value->as_integer();
  else if (Type == "bool" && Value->is_boolean())
    Scalar.Value = **Value->as_boolean();
  else if (Type)
    Table.error("problem-wrong-type", "value",
                "expected a value of type " + *Type + ", found " + describe(*Value));
  Scalar.Type = Type == "int"    ? ScalarSpec::Kind::Int
                : Type == "bool" ? ScalarSpec::Kind::Bool
                                 : ScalarSpec::Kind::Float;
  readEffect(Table, Scalar.Name, D);
  Table.finish();
  return Scalar;
}

void cupel::readTensorSections(TableReader &File, Draft &D) {
  D.TensorsAreComplete &= File.eachTable("input", [&](TableReader &Table, std::string Path) {
    TensorPlaces &Places = D.Inputs.emplace_back();
    Places.Path = std::move(Path);
    InputSpec &Input = D.Spec.Inputs.emplace_back();
    if (Table.has("scalar"))
      Input.Scalar = readScalar(Table, Places, D);
    else
      Input.Tensor = readTensor(Table, Places, D);
  });
  D.TensorsAreComplete &= File.eachTable("parameter", [&](TableReader &Table, std::string Path) {
    TensorPlaces &Places = D.Parameters.emplace_back();
    Places.Path = std::move(Path);
    D.Spec.Parameters.push_back(readTensor(Table, Places, D));
    D.Spec.Parameters.back().IsParameter = true;
  });
}
