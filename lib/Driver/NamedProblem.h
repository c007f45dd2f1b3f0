//===- NamedProblem.h - a problem with the names of its policy checked -------===//
#ifndef CUPEL_LIB_DRIVER_NAMEDPROBLEM_H
#define CUPEL_LIB_DRIVER_NAMEDPROBLEM_H

#include "cupel/Problem/ProblemReader.h"

namespace cupel {

/// readNamedProblem() for the commands: checks that the linter does not have and operators that
/// torch does not have are mistakes of the file like all others.
llvm::Expected<ProblemSpec> readCheckedProblem(llvm::StringRef NameOrPath,
                                               ProblemNotes *Notes = nullptr);

} // namespace cupel

#endif // CUPEL_LIB_DRIVER_NAMEDPROBLEM_H
