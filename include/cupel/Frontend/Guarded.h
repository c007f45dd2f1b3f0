//===- Guarded.h - work on untrusted input that may crash or recurse --------===//
#ifndef CUPEL_FRONTEND_GUARDED_H
#define CUPEL_FRONTEND_GUARDED_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <functional>
#include <optional>
#include <string>

namespace cupel {

/// Stack of a guarded thread. Untouched pages cost nothing; Clang recurses over nested source, and
/// whoever walks the tree afterwards recurses as deep.
constexpr unsigned GuardedStackBytes = 256u << 20;

/// Runs \p Work on a thread with a large stack. A crash in it (a stack overflow included) ends the
/// work, not the process. Returns nothing when it finished, else why it did not, for a person.
/// What the work held when it crashed is leaked and must not be touched again.
std::optional<std::string> runGuarded(llvm::function_ref<void()> Work);

/// Runs \p Work on a thread and waits \p Seconds for its end, not counting those in which \p
/// IsOnHold. Work that is not done by then is left alone and runs on: it must own all that it
/// touches. Returns whether it ended.
bool runOrAbandon(std::function<void()> Work, double Seconds, llvm::function_ref<bool()> IsOnHold);

/// Whether work of runOrAbandon was left alone. The process must then end without destroying what
/// is static: `std::_Exit`.
bool hasAbandonedWork();

/// Ends the guarded work that calls it, as one that went over a limit. Returns only outside of
/// guarded work.
void leaveGuarded();

} // namespace cupel

#endif // CUPEL_FRONTEND_GUARDED_H
