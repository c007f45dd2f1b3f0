//===- ProblemFolder.h - names of the problems that cupel ships -------------===//
#ifndef CUPEL_LIB_PROBLEM_PROBLEMFOLDER_H
#define CUPEL_LIB_PROBLEM_PROBLEMFOLDER_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace cupel {

/// `level1/relu` for a file in the problem folder, else the path as given.
std::string problemIdOf(llvm::StringRef File);

} // namespace cupel

#endif // CUPEL_LIB_PROBLEM_PROBLEMFOLDER_H
