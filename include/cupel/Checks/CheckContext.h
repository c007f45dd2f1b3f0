//===- CheckContext.h - what a check can ask and where it reports -----------===//
#ifndef CUPEL_CHECKS_CHECKCONTEXT_H
#define CUPEL_CHECKS_CHECKCONTEXT_H

#include "cupel/Checks/Check.h"
#include "cupel/Checks/Program.h"
#include "cupel/Checks/Symbols.h"
#include "cupel/Problem/ProblemSpec.h"

namespace cupel {

class HostFlow;

/// A finding before the policy is applied to it.
struct Report {
  Finding Result;
  std::string Library;  ///< Of a vendor call: the policy's name for it.
  std::string Operator; ///< Of a torch call: `aten::mm`.
};

/// One pass of one submission, with analyses that are made when first asked for and then shared.
class CheckContext {
public:
  CheckContext(const ParsedSubmission &Submission, const ParsedPass &Pass,
               const ProblemSpec *Problem);
  ~CheckContext();

  const ParsedSubmission &submission() const { return Submission; }
  const ParsedPass &pass() const { return Pass; }
  clang::ASTContext &ast() const { return Pass.context(); }
  clang::SourceManager &sourceManager() const { return Pass.sourceManager(); }
  /// Null when the submission is linted by itself.
  const ProblemSpec *problem() const { return Problem; }
  const Symbols &symbols() const { return Names; }
  const Program &program();
  /// What each entry's calls do with tensors, for the entries that could be followed to their end.
  const std::vector<std::unique_ptr<HostFlow>> &flows();

  /// The entry that fits the problem, else every function that is bound. In the host pass only.
  std::vector<const clang::FunctionDecl *> entries() const;

  /// Reports at \p Location. The result lives as long as the context; notes may be added to it.
  Report &report(const Check &C, Level L, clang::SourceLocation Location,
                 const llvm::Twine &Message);

  /// Reports \p Use: where it shows in the submission, with notes for macros and for the way from
  /// the entry. A use that cannot run is a note, whatever \p L says.
  Report &report(const Check &C, Level L, const FunctionUse &Use, const llvm::Twine &Message);

  /// The level of a finding that something is missing: a reject where the file was read whole, else
  /// a warning, since what is missed may stand where the parser gave up; run time decides.
  Level levelOfAbsence() const;

  void note(Report &R, clang::SourceLocation Location, const llvm::Twine &Message);

  std::vector<std::unique_ptr<Report>> takeReports() { return std::move(Reports); }

private:
  void addMacroNotes(Report &R, clang::SourceLocation Location);
  void addPathNotes(Report &R, const FunctionUse &Use);

  const ParsedSubmission &Submission;
  const ParsedPass &Pass;
  const ProblemSpec *Problem;
  Symbols Names;
  std::unique_ptr<Program> Code;
  std::optional<std::vector<std::unique_ptr<HostFlow>>> Flows;
  std::vector<std::unique_ptr<Report>> Reports;
};

} // namespace cupel

#endif // CUPEL_CHECKS_CHECKCONTEXT_H
