//===- ProblemReader.h - TOML to ProblemSpec --------------------------------===//
#ifndef CUPEL_PROBLEM_PROBLEMREADER_H
#define CUPEL_PROBLEM_PROBLEMREADER_H

#include "cupel/Problem/ProblemSpec.h"

namespace cupel {

/// Reads one problem file. Returns all mistakes of the file at once (an llvm::ErrorList of
/// CupelError), each with file, line, column, key and, for an unknown name, the nearest known one.
llvm::Expected<ProblemSpec> readProblem(llvm::StringRef File);

/// The same for text that is already in memory; \p File is the name for messages.
llvm::Expected<ProblemSpec> parseProblem(llvm::StringRef Text, llvm::StringRef File);

/// Finds a PROBLEM of the command line: a path, or a name such as `level1/relu` under the problem
/// folder. An unknown name is an error with the nearest known ones.
llvm::Expected<std::string> findProblem(llvm::StringRef NameOrPath);

/// Names of all problems under the problem folder (`level1/relu`), sorted.
llvm::Expected<std::vector<std::string>> listProblems();

} // namespace cupel

#endif // CUPEL_PROBLEM_PROBLEMREADER_H
