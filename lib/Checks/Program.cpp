//===- Program.cpp - what the entry of a submission can reach ---------------===//

#include "cupel/Checks/Program.h"
#include "ProgramBuilder.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"

using namespace clang;

namespace cupel {

const FunctionDecl *CodeUnit::function() const { return dyn_cast_or_null<FunctionDecl>(Decl); }
const VarDecl *CodeUnit::variable() const { return dyn_cast_or_null<VarDecl>(Decl); }

Program::Program(const ParsedPass &Pass, const Symbols &Names,
                 llvm::ArrayRef<const FunctionDecl *> Entries)
    : Pass(Pass), Entries(Entries.begin(), Entries.end()) {
  ProgramBuilder(*this, Names).build();
  reach();
}

Program::~Program() = default;

const CodeUnit *Program::unitOf(const Decl *D) const {
  if (CodeUnit *Unit = UnitOf.lookup(D->getCanonicalDecl()))
    return Unit;
  const auto *F = dyn_cast<FunctionDecl>(D);
  const FunctionDecl *Pattern = F ? F->getTemplateInstantiationPattern() : nullptr;
  return Pattern ? UnitOf.lookup(Pattern->getCanonicalDecl()) : nullptr;
}

bool Program::isEntry(const FunctionDecl *F) const {
  return llvm::any_of(Entries, [&](const FunctionDecl *E) {
    return E->getCanonicalDecl() == F->getCanonicalDecl();
  });
}

void Program::reach() {
  bool IsKnown = llvm::any_of(Entries, [&](const FunctionDecl *E) { return unitOf(E); });
  for (const auto &Unit : Units) {
    const FunctionDecl *F = Unit->function();
    if (F && (Unit->RunsAtLoad || isEntry(F) || (!IsKnown && !Unit->IsPattern && !Unit->IsForeign)))
      reachFunction(*Unit, nullptr);
    // The initialiser runs when the library is loaded; what it only points to may never be used.
    if (!F)
      for (const auto &Use : Unit->Uses)
        if (Use->How == FunctionUse::Kind::Call || !IsKnown)
          follow(*Use);
  }
  while (!WorkList.empty()) {
    CodeUnit &Unit = *WorkList.back();
    WorkList.pop_back();
    for (const auto &Use : Unit.Uses)
      follow(*Use);
    for (const VarDecl *V : Unit.Variables)
      readVariable(V, Unit);
  }
}

void Program::reachFunction(CodeUnit &Unit, const FunctionUse *Via) {
  if (Unit.IsReached)
    return;
  Unit.IsReached = true;
  Unit.Via = Via;
  WorkList.push_back(&Unit);
}

void Program::readVariable(const VarDecl *Variable, CodeUnit &Reader) {
  auto *Unit = const_cast<CodeUnit *>(unitOf(Variable));
  if (!Unit || Unit->IsReached)
    return;
  Unit->IsReached = true;
  Unit->ReadBy = Reader.function();
  WorkList.push_back(Unit);
}

/// Methods of the class that replace ones of a base, which code elsewhere may call by the base.
static bool isOverrider(const CXXMethodDecl *M) { return M->size_overridden_methods() > 0; }

/// An object of \p R can exist from here on: its virtual methods can be called through any base.
void Program::followOverriders(const CXXRecordDecl &R, const FunctionUse &Use) {
  for (const CXXMethodDecl *M : R.methods())
    if (isOverrider(M))
      if (auto *Unit = const_cast<CodeUnit *>(unitOf(M)))
        reachFunction(*Unit, &Use);
}

void Program::follow(const FunctionUse &Use) {
  if (Use.In != FunctionUse::Branch::Live)
    return;
  if (auto *Unit = const_cast<CodeUnit *>(unitOf(Use.Callee)))
    reachFunction(*Unit, &Use);
  if (const auto *C = dyn_cast<CXXConstructorDecl>(Use.Callee))
    return followOverriders(*C->getParent(), Use);
  // `std::make_unique<T>()`: what the headers do to make a T is not instantiated.
  const TemplateArgumentList *Args = Use.Callee->getTemplateSpecializationArgs();
  if (Args && !unitOf(Use.Callee))
    for (const TemplateArgument &A : Args->asArray())
      if (A.getKind() == TemplateArgument::Type)
        if (const CXXRecordDecl *R = A.getAsType()->getAsCXXRecordDecl(); R && R->hasDefinition())
          followOverriders(*R, Use);
}

bool Program::isReached(const FunctionUse &Use) const {
  if (Use.In != FunctionUse::Branch::Live)
    return false;
  const CodeUnit &Unit = *Use.Caller;
  return Unit.IsReached || (Unit.variable() && Use.How == FunctionUse::Kind::Call);
}

SourceLocation Program::placeInSubmission(const FunctionUse &Use) const {
  const FunctionUse *U = &Use;
  while (U->Caller->IsForeign && U->Caller->Via)
    U = U->Caller->Via;
  return U->Location;
}

std::vector<const FunctionUse *> Program::pathTo(const FunctionUse &Use) const {
  std::vector<const FunctionUse *> Path;
  const CodeUnit *Unit = Use.Caller;
  while (Unit) {
    if (Unit->Via) {
      Path.push_back(Unit->Via);
      Unit = Unit->Via->Caller;
    } else {
      // What an initialiser calls runs at load, whoever reads the variable later.
      const FunctionUse *Last = Path.empty() ? &Use : Path.back();
      bool AtLoad = Unit->variable() && Last->How == FunctionUse::Kind::Call;
      Unit = Unit->ReadBy && !AtLoad ? unitOf(Unit->ReadBy) : nullptr;
    }
  }
  return Path;
}

} // namespace cupel
