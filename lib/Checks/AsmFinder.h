//===- AsmFinder.h - inline assembly of a submission ------------------------===//
#ifndef CUPEL_LIB_CHECKS_ASMFINDER_H
#define CUPEL_LIB_CHECKS_ASMFINDER_H

#include "cupel/Checks/CheckContext.h"

namespace cupel {

/// An asm statement or declaration in the submission's text.
struct AsmUse {
  clang::SourceLocation Location;
  std::string Text;
  bool IsHost = false; ///< In a function that is not for the device alone, or outside of all.
};

std::vector<AsmUse> findAsm(CheckContext &Context);

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_ASMFINDER_H
