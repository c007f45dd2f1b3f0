//===- LibraryFolders.h - where a program's libraries are looked for --------===//
#ifndef CUPEL_SUPPORT_LIBRARYFOLDERS_H
#define CUPEL_SUPPORT_LIBRARYFOLDERS_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace cupel {

/// The folders of DT_RUNPATH or DT_RPATH of an x86-64 ELF file, `$ORIGIN` replaced. Nothing for any
/// other file.
std::vector<std::string> libraryFolders(llvm::StringRef ElfFile);

} // namespace cupel

#endif // CUPEL_SUPPORT_LIBRARYFOLDERS_H
