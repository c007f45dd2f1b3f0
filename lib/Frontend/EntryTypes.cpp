//===- EntryTypes.cpp - C++ types to what the adapter can pass --------------===//

#include "EntryTypes.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/StringSwitch.h"

using namespace cupel;

std::string cupel::spellType(clang::QualType Type, const clang::ASTContext &Context) {
  clang::PrintingPolicy Policy(Context.getLangOpts());
  Policy.SuppressTagKeyword = true;
  Policy.PrintAsCanonical = true;
  return Type.getCanonicalType().getAsString(Policy);
}

/// The types in `template<...>` of \p Record, packs opened.
static std::vector<clang::QualType> typeArguments(const clang::CXXRecordDecl *Record) {
  std::vector<clang::QualType> Types;
  const auto *Instance = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(Record);
  if (!Instance)
    return Types;
  for (const clang::TemplateArgument &Argument : Instance->getTemplateArgs().asArray()) {
    if (Argument.getKind() == clang::TemplateArgument::Type)
      Types.push_back(Argument.getAsType());
    if (Argument.getKind() == clang::TemplateArgument::Pack)
      for (const clang::TemplateArgument &Element : Argument.pack_elements())
        if (Element.getKind() == clang::TemplateArgument::Type)
          Types.push_back(Element.getAsType());
  }
  return Types;
}

static ValueKind listOf(ValueKind Element) {
  switch (Element) {
  case ValueKind::Tensor:
    return ValueKind::TensorList;
  case ValueKind::Int:
    return ValueKind::IntList;
  case ValueKind::Float:
    return ValueKind::FloatList;
  case ValueKind::Bool:
    return ValueKind::BoolList;
  default:
    return ValueKind::Unsupported;
  }
}

static ValueKind optionalOf(ValueKind Element) {
  switch (Element) {
  case ValueKind::Tensor:
    return ValueKind::OptionalTensor;
  case ValueKind::Int:
    return ValueKind::OptionalInt;
  case ValueKind::Float:
    return ValueKind::OptionalFloat;
  case ValueKind::Bool:
    return ValueKind::OptionalBool;
  default:
    return ValueKind::Unsupported;
  }
}

/// The name of \p D with its namespaces, inline ones left out: `std::basic_string`.
static std::string qualifiedName(const clang::NamedDecl *D) {
  std::string Name;
  llvm::raw_string_ostream OS(Name);
  clang::PrintingPolicy Policy(D->getASTContext().getLangOpts());
  Policy.SuppressInlineNamespace =
      llvm::to_underlying(clang::PrintingPolicy::SuppressInlineNamespaceMode::All);
  D->printQualifiedName(OS, Policy);
  return Name;
}

static ValueKind classifyRecord(const clang::CXXRecordDecl *Record) {
  std::string Name = qualifiedName(Record);
  std::vector<clang::QualType> Types = typeArguments(Record);
  auto First = [&] { return Types.empty() ? ValueKind::Unsupported : classifyType(Types.front()); };

  if (Name == "at::Tensor" || Name == "at::TensorBase")
    return ValueKind::Tensor;
  if (Name == "c10::Scalar")
    return ValueKind::Scalar;
  if (Name == "std::basic_string" || Name == "std::basic_string_view" ||
      Name == "c10::basic_string_view")
    return ValueKind::String;
  if (Name == "std::optional" || Name == "c10::optional")
    return optionalOf(First());
  if (Name == "std::vector" || Name == "c10::ArrayRef" || Name == "std::array")
    return listOf(First());
  if (Name == "std::tuple" || Name == "std::pair") {
    bool AllTensors = !Types.empty() && llvm::all_of(Types, [](clang::QualType Type) {
      return classifyType(Type) == ValueKind::Tensor;
    });
    return AllTensors ? ValueKind::TensorTuple : ValueKind::Unsupported;
  }
  return ValueKind::Unsupported;
}

ValueKind cupel::classifyType(clang::QualType Type) {
  Type = Type.getCanonicalType().getNonReferenceType().getUnqualifiedType();
  if (Type->isDependentType())
    return ValueKind::Unsupported;
  if (Type->isVoidType())
    return ValueKind::None;
  if (Type->isBooleanType())
    return ValueKind::Bool;
  if (const auto *Enum = Type->getAsEnumDecl())
    return qualifiedName(Enum) == "c10::ScalarType" ? ValueKind::ScalarType
                                                    : ValueKind::Unsupported;
  if (Type->isPointerType()) {
    clang::QualType Pointee = Type->getPointeeType();
    return Pointee->isCharType() && Pointee.isConstQualified() ? ValueKind::String
                                                               : ValueKind::Unsupported;
  }
  if (Type->isSpecificBuiltinType(clang::BuiltinType::Float) ||
      Type->isSpecificBuiltinType(clang::BuiltinType::Double))
    return ValueKind::Float;
  if (Type->isIntegerType() && !Type->isAnyCharacterType())
    return ValueKind::Int;
  if (const clang::CXXRecordDecl *Record = Type->getAsCXXRecordDecl())
    return classifyRecord(Record);
  return ValueKind::Unsupported;
}
