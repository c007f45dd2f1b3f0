//===- CaseSections.cpp - [[case]] ------------------------------------------===//

#include "Draft.h"
#include "cupel/Problem/DType.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace cupel;

static void readRoles(TableReader &Table, CaseSpec &Case) {
  static constexpr llvm::StringRef Known[] = {"check", "benchmark"};
  std::vector<SourcePlace> Places;
  std::vector<std::string> Roles = Table.strings("role", Need::Required, &Places);
  for (auto [Role, Place] : llvm::zip(Roles, Places)) {
    Case.IsCheck |= Role == "check";
    Case.IsBenchmark |= Role == "benchmark";
    if (!llvm::is_contained(Known, llvm::StringRef(Role)))
      Table.diagnostics().add(
          "problem-unknown-role",
          Table.pathOf("role") + ": unknown role " + quote(Role) + suggest(Role, Known), Place);
  }
}

static void readSizes(TableReader &Table, CaseSpec &Case, CasePlaces &Places) {
  const toml::table *Sizes = Table.table("sizes", Need::Optional);
  Places.Sizes = Table.placeOf("sizes");
  if (!Sizes)
    return;
  TableReader Reader(*Sizes, Table.pathOf("sizes"), Table.diagnostics());
  for (auto &&[Key, Node] : *Sizes) {
    std::string Name(Key.str());
    Places.SizeOf[Name] = Table.diagnostics().placeOf(Key.source());
    std::optional<int64_t> Size = Reader.integer(Name, Need::Required);
    if (Size && *Size < 1)
      Reader.error("problem-bad-size", Name, "a size is at least 1, not " + llvm::Twine(*Size));
    // 1 stands for a size with a mistake, so that no other message follows from it.
    Case.Sizes[Name] = std::max<int64_t>(Size.value_or(1), 1);
  }
}

static std::pair<const TensorSpec *, const TensorPlaces *> findTensor(const Draft &D,
                                                                      llvm::StringRef Name) {
  for (auto Pair : D.tensors())
    if (Pair.first->Name == Name)
      return Pair;
  return {};
}

static void readCaseInit(TableReader &Table, CaseSpec &Case, CasePlaces &Places, const Draft &D) {
  const toml::table *Inits = Table.table("init", Need::Optional);
  if (!Inits)
    return;
  for (auto &&[Key, Node] : *Inits) {
    std::string Name(Key.str());
    SourcePlace Place = Table.diagnostics().placeOf(Key.source());
    Places.InitOf[Name] = Place;
    auto [Tensor, TensorAt] = findTensor(D, Name);
    if (!Tensor) {
      std::vector<std::string> Known;
      for (auto [Other, Ignored] : D.tensors())
        Known.push_back(Other->Name);
      // A tensor without a name may be the one that is meant.
      if (D.TensorsAreComplete && !llvm::is_contained(Known, ""))
        Table.diagnostics().add("problem-unknown-tensor",
                                Table.pathOf("init") + ": no input or parameter " + quote(Name) +
                                    suggest(Name, Known),
                                Place);
      continue;
    }
    if (auto Read = readInit(Node, Table.pathOf("init." + Name), findDType(Tensor->DType),
                             TensorAt->dimensions(*Tensor), Table.diagnostics()))
      Case.Init[Name] = *Read;
  }
}

void cupel::readCaseSections(TableReader &File, Draft &D) {
  D.CasesAreComplete &= File.eachTable("case", [&](TableReader &Table, std::string Path) {
    CasePlaces &Places = D.Cases.emplace_back();
    Places.Path = std::move(Path);
    CaseSpec Case;
    Case.Place = Table.place();
    Case.Name = Table.string("name", Need::Required).value_or("");
    auto IsNameCharacter = [](char C) {
      return llvm::isAlnum(C) || C == '_' || C == '-' || C == '.';
    };
    if (Table.has("name") && (!llvm::all_of(Case.Name, IsNameCharacter) || Case.Name.empty()))
      Table.error("problem-bad-name", "name",
                  quote(Case.Name) + " has other characters than letters, digits, '_', '-', '.'");
    readRoles(Table, Case);
    readSizes(Table, Case, Places);
    readCaseInit(Table, Case, Places, D);
    Table.finish();
    D.Spec.Cases.push_back(std::move(Case));
  });
}
