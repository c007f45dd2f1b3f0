//===- ProblemCommand.h - cupel problem list, show and check ----------------===//
#ifndef CUPEL_LIB_DRIVER_PROBLEMCOMMAND_H
#define CUPEL_LIB_DRIVER_PROBLEMCOMMAND_H

#include "cupel/Driver/Commands.h"
#include "cupel/Problem/ProblemSpec.h"

namespace cupel {

/// Every problem of the problem folder, by level, then KernelBench's id, then name. Files that
/// cannot be read are in \p Errors; the others are listed all the same.
llvm::Expected<std::vector<ProblemSpec>> readAllProblems(llvm::Error &Errors);

llvm::Expected<int> runProblemList(const ProblemOptions &Options, llvm::raw_ostream &OS);
llvm::Expected<int> runProblemShow(const ProblemOptions &Options, llvm::raw_ostream &OS);
llvm::Expected<int> runProblemCheck(const ProblemOptions &Options, llvm::raw_ostream &OS);

} // namespace cupel

#endif // CUPEL_LIB_DRIVER_PROBLEMCOMMAND_H
