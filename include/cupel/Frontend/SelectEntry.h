//===- SelectEntry.h - which bound function answers the problem -------------===//
#ifndef CUPEL_FRONTEND_SELECTENTRY_H
#define CUPEL_FRONTEND_SELECTENTRY_H

#include "cupel/Frontend/ParsedSubmission.h"
#include "cupel/Problem/ProblemSpec.h"

namespace cupel {

/// One way in which an entry disagrees with the problem.
struct EntryMistake {
  /// `entry-count`, `entry-type` (one for each argument), `entry-order` (the names say that the
  /// arguments come in another order) or `entry-result`.
  std::string Code;
  std::string Text;
  std::optional<size_t> Argument; ///< Of `entry-type`: index into the entry's and the problem's.
};

/// All in which \p Entry disagrees with \p Problem; nothing when it fits.
std::vector<EntryMistake> compareEntry(const EntrySignature &Entry, const ProblemSpec &Problem);

/// The function that answers the problem, or why there is none.
struct EntryChoice {
  /// Index into Submission.Entries of the one that is meant, although it may not fit.
  std::optional<size_t> Meant;
  /// What the one that is meant gets wrong. With `entry-order` alone it can be called, and is:
  /// names are no proof.
  std::vector<EntryMistake> Mistakes;
  /// When none is meant: `entry-missing` (with what there is instead) or `entry-ambiguous` (several
  /// fit and none is called as the problem says), with its text.
  std::string Code, Text;
  std::vector<size_t> Candidates; ///< Of `entry-ambiguous`.

  /// The entry to call.
  std::optional<size_t> fitting() const;
};

/// The function of \p Submission that answers \p Problem: the one that the problem names, else the
/// one bound as `forward`, else the only one that fits.
EntryChoice chooseEntry(const ParsedSubmission &Submission, const ProblemSpec &Problem);

/// Index into Submission.Entries of the entry to call. The error is a list of CupelErrors with the
/// codes above, at the entry's place or the file.
llvm::Expected<size_t> selectEntry(const ParsedSubmission &Submission, const ProblemSpec &Problem);

} // namespace cupel

#endif // CUPEL_FRONTEND_SELECTENTRY_H
