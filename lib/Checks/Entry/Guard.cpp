//===- Guard.cpp - entry-guard ---------------------------------------------===//

#include "Guard.h"
#include "EntryRun.h"
#include "cupel/Frontend/SelectEntry.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace cupel {

GuardCheck::GuardCheck()
    : Check("entry-guard", Level::Reject, "The entry refuses the problem's own arguments") {}

/// \p E as it is written, in one line.
static std::string textOf(const Expr *E, CheckContext &Context) {
  const LangOptions &Options = Context.ast().getLangOpts();
  const SourceManager &SM = Context.sourceManager();
  const CharSourceRange Range =
      Lexer::makeFileCharRange(CharSourceRange::getTokenRange(E->getSourceRange()), SM, Options);
  std::string Text;
  if (Range.isValid())
    Text = Lexer::getSourceText(Range, SM, Options).str();
  if (Text.empty()) {
    llvm::raw_string_ostream OS(Text);
    E->printPretty(OS, nullptr, Context.ast().getPrintingPolicy());
  }
  llvm::SmallVector<llvm::StringRef, 8> Words;
  llvm::SplitString(Text, Words, " \t\r\n");
  Text = llvm::join(Words, " ");
  constexpr size_t Longest = 120;
  return Text.size() <= Longest ? Text : Text.substr(0, Longest) + "...";
}

static std::string shapeText(const TensorSpec &Tensor, const CaseSpec &Case) {
  std::string Text = Tensor.DType + " [";
  for (const auto &[Index, Size] : llvm::enumerate(shapeOf(Tensor, Case)))
    Text += (Index ? ", " : "") + std::to_string(Size);
  return Text + "]";
}

namespace {
/// A stop and the cases that end there.
struct GuardedPlace {
  EntryStop Stop;
  std::vector<const CaseSpec *> Cases;
};
} // namespace

static std::string describe(const GuardedPlace &Place, bool IsAll, CheckContext &Context) {
  std::string Text = "every call of the problem stops here: ";
  if (!IsAll) {
    Text = Place.Cases.size() == 1 ? "the call of case" : "the calls of cases";
    for (const auto &[Index, Case] : llvm::enumerate(Place.Cases))
      Text += (Index ? ", '" : " '") + Case->Name + "'";
    Text += Place.Cases.size() == 1 ? " stops here: " : " stop here: ";
  }
  const EntryStop &Stop = Place.Stop;
  if (!Stop.Condition)
    return Text + (Stop.Why.empty() ? "no condition keeps it from that" : Stop.Why);
  if (Stop.Condition->getType()->isBooleanType())
    return Text + "'" + textOf(Stop.Condition, Context) + "' is " +
           (Stop.ConditionValue ? "true" : "false");
  return Text + "no case is for " + Stop.Facts.back().Value;
}

static void report(const Check &C, CheckContext &Context, const GuardedPlace &Place, Level L,
                   bool IsAll) {
  const SourceManager &SM = Context.sourceManager();
  const EntryStop &Stop = Place.Stop;
  const SourceLocation Where = SM.getExpansionLoc(Stop.Where);
  Report &R = Context.report(C, L, Where, describe(Place, IsAll, Context));
  for (const ReadFact &Fact : Stop.Facts) {
    // The variables of torch's own macros say nothing.
    if (!Context.pass().isInSubmission(SM.getSpellingLoc(Fact.Expression->getExprLoc())))
      continue;
    std::string Note = "'" + textOf(Fact.Expression, Context) + "' is " + Fact.Value;
    if (Fact.Tensor)
      Note += "; case '" + Place.Cases.front()->Name + "' gives '" + Fact.Tensor->Name + "' as " +
              shapeText(*Fact.Tensor, *Place.Cases.front());
    Context.note(R, Fact.Expression->getExprLoc(), Note);
  }
  for (size_t I = 0; I + 1 < Stop.Calls.size(); ++I)
    if (SM.getExpansionLoc(Stop.Calls[I]) != Where) // A lambda that runs where it stands.
      Context.note(R, Stop.Calls[I], "called here");
}

void GuardCheck::run(CheckContext &Context) const {
  const ProblemSpec *Problem = Context.problem();
  // Statements that Clang did not understand are not in the tree, and a return may be among them.
  if (!Problem || Context.submission().State != ParseState::Complete)
    return;
  const EntryChoice Choice = chooseEntry(Context.submission(), *Problem);
  const FunctionDecl *Entry =
      Choice.fitting() ? Context.submission().EntryFunctions[*Choice.fitting()] : nullptr;
  if (!Entry)
    return;
  std::vector<GuardedPlace> Places;
  size_t Checked = 0, Stopped = 0;
  for (const CaseSpec &Case : Problem->Cases) {
    if (!Case.IsCheck)
      continue;
    ++Checked;
    std::optional<EntryStop> Stop = EntryRun(Context, Case).run(*Entry);
    if (!Stop)
      continue;
    ++Stopped;
    auto Known = llvm::find_if(Places, [&](const GuardedPlace &P) {
      return P.Stop.Where == Stop->Where && P.Stop.Condition == Stop->Condition;
    });
    if (Known == Places.end())
      Known = Places.insert(Places.end(), GuardedPlace{std::move(*Stop), {}});
    Known->Cases.push_back(&Case);
  }
  // One case that fails rejects at run time too; but then the rest is worth knowing.
  const bool IsAll = Checked != 0 && Stopped == Checked;
  for (const GuardedPlace &Place : Places)
    report(*this, Context, Place, IsAll ? Level::Reject : Level::Warn,
           Place.Cases.size() == Checked);
}

} // namespace cupel
