//===- CheckContext.cpp - what a check can ask and where it reports ---------===//

#include "cupel/Checks/CheckContext.h"
#include "ChosenEntry.h"
#include "Flow/HostFlow.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/Twine.h"

using namespace clang;

namespace cupel {

/// Steps of the way from the entry that are shown; longer ways are cut in the middle.
static constexpr size_t PathLimit = 12;

CheckContext::CheckContext(const ParsedSubmission &Submission, const ParsedPass &Pass,
                           const ProblemSpec *Problem)
    : Submission(Submission), Pass(Pass), Problem(Problem), Names(Pass) {}

CheckContext::~CheckContext() = default;

std::vector<const FunctionDecl *> CheckContext::entries() const {
  if (Pass.kind() != PassKind::Host)
    return {};
  // Without a problem every bound function may be the one that is called.
  if (Problem)
    if (auto Index = chosenEntry(Submission, Problem))
      return {Submission.EntryFunctions[*Index]};
  return Submission.EntryFunctions;
}

const Program &CheckContext::program() {
  if (!Code)
    Code = std::make_unique<Program>(Pass, Names, entries());
  return *Code;
}

const std::vector<std::unique_ptr<HostFlow>> &CheckContext::flows() {
  if (!Flows) {
    Flows.emplace();
    for (const FunctionDecl *Entry : entries()) {
      auto Flow = std::make_unique<HostFlow>(*this);
      if (Entry && Flow->run(*Entry))
        Flows->push_back(std::move(Flow));
    }
  }
  return *Flows;
}

Report &CheckContext::report(const Check &C, Level L, SourceLocation Location,
                             const llvm::Twine &Message) {
  auto R = std::make_unique<Report>();
  R->Result.Id = C.id().str();
  R->Result.Severity = L;
  R->Result.Place = Pass.placeOf(Location);
  R->Result.Message = Message.str();
  addMacroNotes(*R, Location);
  Reports.push_back(std::move(R));
  return *Reports.back();
}

Report &CheckContext::report(const Check &C, Level L, const FunctionUse &Use,
                             const llvm::Twine &Message) {
  const Program &Code = program();
  std::string Text = Message.str();
  if (Use.In == FunctionUse::Branch::Dead)
    Text += "; not judged: behind a condition that is never true";
  else if (Use.In == FunctionUse::Branch::CpuOnly)
    Text += "; not judged: only for tensors that are not on the GPU";
  else if (!Code.isReached(Use))
    Text += "; not judged: the entry never gets here";
  else if (Use.Caller->IsPattern && Use.How == FunctionUse::Kind::Address)
    Text += "; in a template";
  Report &R = report(C, Code.isReached(Use) ? L : std::min(L, Level::Note),
                     Code.placeInSubmission(Use), Text);
  addPathNotes(R, Use);
  return R;
}

Level CheckContext::levelOfAbsence() const {
  return Submission.State == ParseState::Complete ? Level::Reject : Level::Warn;
}

void CheckContext::note(Report &R, SourceLocation Location, const llvm::Twine &Message) {
  R.Result.Notes.push_back({Pass.placeOf(Location), Message.str()});
}

void CheckContext::addMacroNotes(Report &R, SourceLocation Location) {
  const SourceManager &SM = sourceManager();
  for (unsigned Depth = 0; Location.isMacroID() && Depth < 4; ++Depth) {
    SourceLocation Spelling = SM.getSpellingLoc(Location);
    StringRef Macro = Lexer::getImmediateMacroName(Location, SM, ast().getLangOpts());
    // Pasted tokens are spelled nowhere; the macro's name says where they come from.
    if (Pass.isInSubmission(Spelling) && !SM.isWrittenInScratchSpace(Spelling))
      R.Result.Notes.push_back(
          {Pass.placeOf(Spelling), "expanded from macro '" + Macro.str() + "'"});
    else
      R.Result.Notes.push_back(
          {Pass.placeOf(Location), "expanded from macro '" + Macro.str() + "'"});
    Location = SM.getImmediateMacroCallerLoc(Location);
  }
}

/// How a note calls the code that \p Unit holds.
static std::string describe(const CodeUnit &Unit, const Symbols &Names) {
  if (const VarDecl *V = Unit.variable())
    return "the initialiser of '" + Names.qualifiedName(V).str() + "'";
  const FunctionDecl *F = Unit.function();
  if (const auto *M = dyn_cast<CXXMethodDecl>(F); M && M->getParent()->isLambda())
    return "this lambda";
  std::string Name;
  llvm::raw_string_ostream OS(Name);
  F->getNameForDiagnostic(OS, F->getASTContext().getPrintingPolicy(), true);
  return "'" + Name + "'";
}

void CheckContext::addPathNotes(Report &R, const FunctionUse &Use) {
  const Program &Code = program();
  std::vector<const FunctionUse *> Path = Code.pathTo(Use);
  const CodeUnit *Unit = Use.Caller;
  for (size_t I = 0; I < Path.size(); ++I) {
    const FunctionUse &Step = *Path[I];
    bool IsElided =
        Path.size() > PathLimit && I >= PathLimit / 2 && I + PathLimit / 2 < Path.size();
    if (!IsElided) {
      StringRef How = Step.How == FunctionUse::Kind::Address ? " is named here" : " is called here";
      bool IsLambda = Unit->function() && isa<CXXMethodDecl>(Unit->function()) &&
                      cast<CXXMethodDecl>(Unit->function())->getParent()->isLambda();
      note(R, Code.placeInSubmission(Step),
           describe(*Unit, Names) + (IsLambda ? " is made here" : How));
    }
    Unit = Step.Caller;
  }
  if (Unit->variable())
    note(R, Unit->Decl->getLocation(), describe(*Unit, Names) + " runs when the library is loaded");
  else if (Unit->RunsAtLoad)
    note(R, Unit->Decl->getLocation(),
         describe(*Unit, Names) + " runs by itself, by its attribute");
  else if (Code.isEntry(Unit->function()))
    note(R, Unit->Decl->getLocation(), describe(*Unit, Names) + " is the entry");
}

} // namespace cupel
