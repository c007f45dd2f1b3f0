//===- WaitAnalysis.h - whether a kernel's threads can wait -----------------===//
#ifndef CUPEL_LIB_EMULATE_WAITANALYSIS_H
#define CUPEL_LIB_EMULATE_WAITANALYSIS_H

#include "cupel/Frontend/ParsedSubmission.h"
#include "llvm/ADT/DenseMap.h"

namespace cupel {

/// What the threads of a kernel can wait for. Where none can, the run-time calls them one after the
/// other, without a stack of its own for each.
enum class Waits {
  Never,
  Barriers, ///< Barriers, shuffles and what else says that it waits.
  Anything, ///< Memory that another thread writes too, or it cannot be told.
};
llvm::StringRef toString(Waits W);

/// Follows calls through the submission's own functions. Functions of headers are judged by name.
class WaitAnalysis {
public:
  explicit WaitAnalysis(const ParsedPass &Pass) : Pass(Pass) {}

  /// Of the function, its instances and what they call. Whatever is not known waits for anything.
  Waits of(const clang::FunctionDecl *Function);

private:
  const ParsedPass &Pass;
  llvm::DenseMap<const clang::FunctionDecl *, Waits> Known;
  friend class WaitFinder;
};

} // namespace cupel

#endif // CUPEL_LIB_EMULATE_WAITANALYSIS_H
