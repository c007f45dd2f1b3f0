//===- Error.h - "could not judge" as llvm::Error --------------------------===//
//
// A finding about the candidate is data; whatever keeps cupel from judging is an
// llvm::Error of the class below. Every error has a stable code (documented in
// docs/verdicts.md), a message for a person and, where there is one, a place.
//
//===----------------------------------------------------------------------===//
#ifndef CUPEL_SUPPORT_ERROR_H
#define CUPEL_SUPPORT_ERROR_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace cupel {

/// A place in a file as people count: lines and columns start at 1; 0 means unknown.
struct SourcePlace {
  std::string File;
  unsigned Line = 0;
  unsigned Column = 0;
};

/// Why cupel could not judge.
class CupelError : public llvm::ErrorInfo<CupelError> {
public:
  static char ID;

  CupelError(llvm::StringRef Code, std::string Message, SourcePlace Place = {})
      : Code(Code), Message(std::move(Message)), Place(std::move(Place)) {}

  /// Stable, kebab-case, for example `problem-unknown-key`.
  llvm::StringRef code() const { return Code; }
  llvm::StringRef text() const { return Message; }
  const SourcePlace &place() const { return Place; }

  /// `FILE:LINE:COL: error: MESSAGE` when there is a place, else `cupel: error: MESSAGE`.
  void log(llvm::raw_ostream &OS) const override;
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

  /// Puts "WHAT: " in front of the message.
  void addContext(const llvm::Twine &What);

private:
  std::string Code;
  std::string Message;
  SourcePlace Place;
};

/// Makes a CupelError with \p Code and \p Message.
llvm::Error makeError(llvm::StringRef Code, const llvm::Twine &Message, SourcePlace Place = {});

/// Adds "WHAT: " in front of the message of every CupelError in \p E. Other errors become a
/// CupelError with the code `internal`.
llvm::Error withContext(llvm::Error E, const llvm::Twine &What);

/// Code and text of one error, as records print it.
struct Reason {
  std::string Code;
  std::string Text;
};

/// Takes \p E apart: one Reason for each error in the list, the place put in front of the text.
std::vector<Reason> takeReasons(llvm::Error E);

/// Prints each error in \p E on lines of its own, as CupelError::log does, and consumes it.
void reportErrors(llvm::Error E, llvm::raw_ostream &OS);

} // namespace cupel

#endif // CUPEL_SUPPORT_ERROR_H
