// The list of what emulated kernels did wrong.
#pragma once

#include <string>
#include <vector>

namespace cupel::emu {

enum class Severity { Note, Error };

/// Adds an error of the thread that runs here, at the place in the submission from which `Return`,
/// a return address on this stack, was called. Equal kinds at an equal place are only counted;
/// a note and an error are two, so that what is told of each is its own.
void reportError(const char *Kind, const std::string &Text, const void *Return,
                 Severity S = Severity::Error);
/// The same, of a thread that is not running: `Linear` in the block that runs here.
void reportErrorOf(unsigned Linear, const char *Kind, const std::string &Text, const void *Where,
                   Severity S = Severity::Error);
/// An error of a launch, at a line of the submission.
void reportLaunchError(const char *Kind, const char *Kernel, unsigned Line, const std::string &Text,
                       Severity S = Severity::Error);
/// Launches refused until now were seen by the submission: they become notes.
void refusedLaunchesWereSeen();
std::string placeText(const void *Where);

struct SourcePlace {
  std::string File;
  unsigned Line = 0;
};
/// The innermost place in the submission's own text of the code at a return address.
SourcePlace findPlace(const void *Return);
struct Thread;
/// Where a thread waits.
SourcePlace placeOfWaiting(const Thread &T);
/// A call in the text. `Own`: in the submission's, not in a header's.
struct SourceCall {
  int Line, Column;
  bool Own;
  auto operator<=>(const SourceCall &) const = default;
};
/// A call, and each call that was inlined around it, from inside out. Copies of a loop's body, and
/// of a block that the optimizer doubled, have the same.
using CallChain = std::vector<SourceCall>;
/// The chain at a return address; empty if unknown.
const CallChain &findChain(const void *Return);
/// Mangled name of the function at `Code`, from the symbol table; empty if there is none.
std::string symbolAt(const void *Code);

} // namespace cupel::emu
