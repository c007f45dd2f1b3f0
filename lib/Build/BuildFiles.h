//===- BuildFiles.h - folders and stamps of what a build uses ----------------===//
#ifndef CUPEL_LIB_BUILD_BUILDFILES_H
#define CUPEL_LIB_BUILD_BUILDFILES_H

#include "cupel/Support/Toolchain.h"

namespace cupel {

/// `shadow` (slim headers) or `full` beside the problems; empty when it is not there.
std::string shareFolder(const Toolchain &Tools, llvm::StringRef Name);

/// A hash of all files below \p Folder, by name and content.
llvm::Expected<std::string> folderHash(llvm::StringRef Folder);

/// Path, size and time of modification of a tool: what changes when it is replaced, without reading
/// a compiler of 100 MB.
std::string fileStamp(llvm::StringRef Path);

/// The CUDA runtime that torch loads, so that the library shares it; else the toolkit's.
std::string cudaRuntimeLibrary(const Toolchain &Tools);

/// What stands for the CUDA driver's library in a link; empty when neither toolkit nor driver is
/// here.
std::string cudaDriverLibrary(const Toolchain &Tools);

/// The file to link for a library that a problem's policy can allow, such as `cublas`; empty when
/// it is not there. Known names only.
bool isKnownLibrary(llvm::StringRef Name);
std::string vendorLibrary(const Toolchain &Tools, llvm::StringRef Name);
std::vector<std::string> knownLibraries();

} // namespace cupel

#endif // CUPEL_LIB_BUILD_BUILDFILES_H
