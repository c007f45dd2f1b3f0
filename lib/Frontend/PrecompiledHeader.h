//===- PrecompiledHeader.h - torch's headers, parsed once -------------------===//
#ifndef CUPEL_LIB_FRONTEND_PRECOMPILEDHEADER_H
#define CUPEL_LIB_FRONTEND_PRECOMPILEDHEADER_H

#include "CompileCommand.h"

namespace cupel {

/// Path of the precompiled prefix header of \p Setup, made when there is none that is current.
///
/// An entry keeps size and time of every header it was made from. A changed header leads to a
/// further entry, whose key is the hash of the stale one's key and what its headers are now; so
/// entries never change, and an entry that was found current is right to use without Clang's own
/// validation. Checked once a process.
llvm::Expected<std::string> precompiledHeader(const Toolchain &Tools, const PassSetup &Setup);

/// Whether a call of precompiledHeader is under way.
bool isPreparingHeaders();

/// Makes the next call look at the headers again. For a process that outlives a change of them.
void forgetPrecompiledHeaders();

} // namespace cupel

#endif // CUPEL_LIB_FRONTEND_PRECOMPILEDHEADER_H
