//===- Emulate.h - a CUDA submission as ordinary C++ ------------------------===//
//
// Rewrites what only CUDA compilers understand (launches, shared variables, inline PTX) into calls
// of the emulation's run-time (share/emulate), token by token and from the syntax tree, never by
// patterns in the text. docs/emulation.md says what is emulated.
//
//===----------------------------------------------------------------------===//
#ifndef CUPEL_EMULATE_EMULATE_H
#define CUPEL_EMULATE_EMULATE_H

#include "cupel/Frontend/ParsedSubmission.h"

namespace cupel {

/// Rewrites \p Submission. The result has the submission's lines under their own numbers.
///
/// Every error is a CupelError with the code `not-emulated` and the place in the submission of what
/// cannot be emulated; all of them are told at once.
llvm::Expected<std::string> rewriteForEmulation(const ParsedSubmission &Submission);

/// The errors of a submission with which nothing is wrong for Clang but launches from device code:
/// they need separate compilation, of which Clang is not told, and are not emulated. Success for
/// any other.
llvm::Error refuseDeviceLaunches(const ParsedSubmission &Submission);

} // namespace cupel

#endif // CUPEL_EMULATE_EMULATE_H
