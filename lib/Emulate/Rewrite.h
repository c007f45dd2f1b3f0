//===- Rewrite.h - what the rewriting's parts share -------------------------===//
#ifndef CUPEL_LIB_EMULATE_REWRITE_H
#define CUPEL_LIB_EMULATE_REWRITE_H

#include "TextEdits.h"
#include "WaitAnalysis.h"

namespace cupel {

/// One pass of the submission under rewriting. Both passes write the same text: the host pass has
/// all functions, the device pass what `__CUDA_ARCH__` makes of those that run on the GPU.
struct RewriteContext {
  const ParsedSubmission &Submission;
  const ParsedPass &Pass;
  TextEdits &Edits;
  std::vector<CupelError> &Refused;

  /// Notes that \p What, at \p Location, cannot be emulated.
  void refuse(clang::SourceLocation Location, const llvm::Twine &What) const;
  /// What is written from \p Offset on, \p Length bytes.
  llvm::StringRef text(unsigned Offset, unsigned Length) const {
    return llvm::StringRef(Submission.Source).substr(Offset, Length);
  }
  bool isOwn(clang::SourceLocation Location) const { return Pass.isInSubmission(Location); }
};

/// Launches, and kernels whose address goes elsewhere. Of the host pass.
void rewriteLaunches(const RewriteContext &Context);

/// Reads and writes of volatile objects, around all other edits.
void rewriteVolatileAccesses(const RewriteContext &Context);

/// Variables in shared memory and, of those outside of functions, their uses.
void rewriteSharedVariables(const RewriteContext &Context);

/// The names of `__device__` and `__constant__` variables in code of the host. Of the host pass.
void rewriteDeviceVariables(const RewriteContext &Context);

/// Inline PTX.
void rewriteAsm(const RewriteContext &Context);

/// Copies of objects through pointers, so that their alignment is checked.
void rewriteCopies(const RewriteContext &Context);

/// Notes code that runs on the host and reads differently there. Of the host pass.
void refuseHostText(const RewriteContext &Context);

/// Notes what has no equivalent on a CPU: textures, graphs, clusters, tensor maps.
void refuseUnknown(const RewriteContext &Context);

} // namespace cupel

#endif // CUPEL_LIB_EMULATE_REWRITE_H
