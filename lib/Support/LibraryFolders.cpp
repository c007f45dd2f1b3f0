//===- LibraryFolders.cpp - DT_RUNPATH of an ELF file -----------------------===//

#include "cupel/Support/LibraryFolders.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <cstring>
#include <elf.h>
#include <optional>

using namespace cupel;
using llvm::StringRef;

namespace {

/// A record of the file; nothing when it is not within it.
template <typename T> std::optional<T> recordAt(StringRef File, uint64_t Offset) {
  if (Offset > File.size() || File.size() - Offset < sizeof(T))
    return std::nullopt;
  T Record;
  std::memcpy(&Record, File.data() + Offset, sizeof(T));
  return Record;
}

/// Where in the file \p Address lies when it is loaded.
std::optional<uint64_t> offsetOf(StringRef File, const Elf64_Ehdr &Header, uint64_t Address) {
  for (unsigned I = 0; I != Header.e_phnum; ++I) {
    auto Segment = recordAt<Elf64_Phdr>(File, Header.e_phoff + I * sizeof(Elf64_Phdr));
    if (Segment && Segment->p_type == PT_LOAD && Address >= Segment->p_vaddr &&
        Address - Segment->p_vaddr < Segment->p_filesz)
      return Address - Segment->p_vaddr + Segment->p_offset;
  }
  return std::nullopt;
}

/// The text of DT_RUNPATH, or else of DT_RPATH.
std::string runPath(StringRef File) {
  auto Header = recordAt<Elf64_Ehdr>(File, 0);
  if (!Header || std::memcmp(Header->e_ident, ELFMAG, SELFMAG) != 0 ||
      Header->e_ident[EI_CLASS] != ELFCLASS64)
    return "";
  uint64_t Strings = 0;
  std::optional<uint64_t> Run, Old;
  for (unsigned I = 0; I != Header->e_phnum; ++I) {
    auto Segment = recordAt<Elf64_Phdr>(File, Header->e_phoff + I * sizeof(Elf64_Phdr));
    if (!Segment || Segment->p_type != PT_DYNAMIC)
      continue;
    for (uint64_t At = 0; At + sizeof(Elf64_Dyn) <= Segment->p_filesz; At += sizeof(Elf64_Dyn)) {
      auto Entry = recordAt<Elf64_Dyn>(File, Segment->p_offset + At);
      if (!Entry || Entry->d_tag == DT_NULL)
        break;
      if (Entry->d_tag == DT_STRTAB)
        Strings = Entry->d_un.d_ptr;
      else if (Entry->d_tag == DT_RUNPATH)
        Run = Entry->d_un.d_val;
      else if (Entry->d_tag == DT_RPATH)
        Old = Entry->d_un.d_val;
    }
  }
  if (!Run)
    Run = Old;
  std::optional<uint64_t> Offset = Run ? offsetOf(File, *Header, Strings + *Run) : std::nullopt;
  if (!Offset || *Offset >= File.size())
    return "";
  return File.drop_front(*Offset).take_until([](char C) { return C == '\0'; }).str();
}

} // namespace

std::vector<std::string> cupel::libraryFolders(StringRef ElfFile) {
  auto File = llvm::MemoryBuffer::getFile(ElfFile, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
  if (!File)
    return {};
  llvm::SmallString<256> Real;
  if (llvm::sys::fs::real_path(ElfFile, Real))
    return {};
  const std::string Path = runPath((*File)->getBuffer()),
                    Origin = llvm::sys::path::parent_path(Real).str();
  std::vector<std::string> Folders;
  llvm::SmallVector<StringRef> Parts;
  StringRef(Path).split(Parts, ':', -1, /*KeepEmpty=*/false);
  for (StringRef Part : Parts) {
    std::string Folder = Part.str();
    for (StringRef Name : {"${ORIGIN}", "$ORIGIN"})
      if (size_t At = Folder.find(Name); At != std::string::npos)
        Folder.replace(At, Name.size(), Origin);
    llvm::SmallString<256> Clean(Folder);
    llvm::sys::path::remove_dots(Clean, /*remove_dot_dot=*/true);
    Folders.push_back(Clean.str().str());
  }
  return Folders;
}
