//===- ProblemReader.h - TOML to ProblemSpec --------------------------------===//
#ifndef CUPEL_PROBLEM_PROBLEMREADER_H
#define CUPEL_PROBLEM_PROBLEMREADER_H

#include "cupel/Problem/ProblemNotes.h"
#include "cupel/Problem/ProblemSpec.h"
#include <functional>

namespace cupel {

/// What is wrong with a name in `[policy]`, for those who know the names; empty: nothing. Where
/// nobody is asked, any name passes.
struct PolicyNames {
  std::function<std::string(llvm::StringRef)> CheckMistake;    ///< Of `suppressed`.
  std::function<std::string(llvm::StringRef)> OperatorMistake; ///< Of `operators`: `aten::bmm`.
};

/// Reads one problem file. Returns all mistakes of the file at once (an llvm::ErrorList of
/// CupelError), each with file, line, column, key and, for an unknown name, the nearest known one.
llvm::Expected<ProblemSpec> readProblem(llvm::StringRef File, ProblemNotes *Notes = nullptr,
                                        const PolicyNames &Names = {});

/// The same for text that is already in memory; \p File is the name for messages.
llvm::Expected<ProblemSpec> parseProblem(llvm::StringRef Text, llvm::StringRef File,
                                         ProblemNotes *Notes = nullptr,
                                         const PolicyNames &Names = {});

/// Finds a PROBLEM of the command line: a path, a name such as `level1/relu` under the problem
/// folder, or level and KernelBench's number, `level1/19`. An unknown name is an error with the
/// nearest known ones; so is a number that is also a name, or that two problems have.
llvm::Expected<std::string> findProblem(llvm::StringRef NameOrPath);

/// Reads the problem that findProblem() finds. Errors: those of both.
llvm::Expected<ProblemSpec> readNamedProblem(llvm::StringRef NameOrPath,
                                             ProblemNotes *Notes = nullptr,
                                             const PolicyNames &Names = {});

/// Names of all problems under the problem folder (`level1/relu`), sorted.
llvm::Expected<std::vector<std::string>> listProblems();

/// Paths of all `.toml` files in \p Folder and the folders below it, sorted. None is an error.
llvm::Expected<std::vector<std::string>> listProblemFiles(llvm::StringRef Folder);

} // namespace cupel

#endif // CUPEL_PROBLEM_PROBLEMREADER_H
