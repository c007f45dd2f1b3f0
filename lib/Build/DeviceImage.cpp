//===- DeviceImage.cpp - the names in what ptxas made --------------------------===//

#include "DeviceImage.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

using namespace cupel;
using llvm::StringRef;
using Elf = llvm::object::ELF64LE;

static llvm::Error notSplit(const llvm::Twine &Why) { return makeError("not-split", Why); }

llvm::Expected<std::vector<DeviceSymbol>> cupel::readDeviceSymbols(StringRef Cubin) {
  // Of a function that is a kernel (cuobjdump -elf calls it STO_ENTRY).
  constexpr unsigned char EntryFlag = 0x10;
  llvm::Expected<llvm::object::ELFFile<Elf>> File = llvm::object::ELFFile<Elf>::create(Cubin);
  if (!File)
    return File.takeError();
  llvm::Expected<Elf::ShdrRange> Sections = File->sections();
  if (!Sections)
    return Sections.takeError();
  std::vector<DeviceSymbol> Result;
  for (const Elf::Shdr &Section : *Sections) {
    if (Section.sh_type != llvm::ELF::SHT_SYMTAB)
      continue;
    llvm::Expected<Elf::SymRange> Symbols = File->symbols(&Section);
    llvm::Expected<StringRef> Strings = File->getStringTableForSymtab(Section);
    if (!Symbols || !Strings)
      return llvm::joinErrors(Symbols.takeError(), Strings.takeError());
    for (const Elf::Sym &Symbol : *Symbols) {
      bool IsKernel = Symbol.getType() == llvm::ELF::STT_FUNC && (Symbol.st_other & EntryFlag);
      bool IsVariable = Symbol.getType() == llvm::ELF::STT_OBJECT;
      if (Symbol.st_shndx == llvm::ELF::SHN_UNDEF || !(IsKernel || IsVariable))
        continue;
      llvm::Expected<StringRef> Name = Symbol.getName(*Strings);
      if (!Name)
        return Name.takeError();
      Result.push_back({IsKernel, Name->str(), IsVariable ? uint64_t(Symbol.st_size) : 0});
    }
  }
  return Result;
}

/// nvcc puts what has internal linkage into a namespace `_INTERNAL_...` of the module.
std::string cupel::plainName(StringRef Mangled) {
  std::string Plain = llvm::demangle(Mangled.str());
  for (size_t At; (At = Plain.find("_INTERNAL_")) != std::string::npos;) {
    size_t End = Plain.find("::", At);
    if (End == std::string::npos)
      break;
    Plain.erase(At, End + 2 - At);
  }
  return Plain;
}

llvm::Expected<std::vector<std::string>>
cupel::matchDeviceSymbols(llvm::ArrayRef<DeviceSymbol> Registered,
                          llvm::ArrayRef<DeviceSymbol> InImage) {
  std::multimap<std::string, const DeviceSymbol *> ByPlainName;
  for (const DeviceSymbol &Symbol : InImage)
    ByPlainName.emplace(plainName(Symbol.Name), &Symbol);
  std::vector<std::string> Names;
  for (const DeviceSymbol &Wanted : Registered) {
    const DeviceSymbol *Found = nullptr;
    unsigned Count = 0;
    auto [Begin, End] = ByPlainName.equal_range(plainName(Wanted.Name));
    for (auto It = Begin; It != End; ++It) {
      if (It->second->IsKernel != Wanted.IsKernel)
        continue;
      if (!Found || It->second->Name == Wanted.Name)
        Found = It->second;
      ++Count;
    }
    std::string What = (Wanted.IsKernel ? "the kernel '" : "the device variable '") +
                       llvm::demangle(Wanted.Name) + "'";
    if (!Found)
      return notSplit(What + " is not in the device image");
    if (Count > 1 && Found->Name != Wanted.Name)
      return notSplit(What + " is in the device image under several names");
    if (!Wanted.IsKernel && Found->Bytes != Wanted.Bytes)
      return notSplit(What + " has another size in the device image");
    Names.push_back(Found->Name);
  }
  return Names;
}

std::string cupel::imageAssembler(StringRef Image, llvm::ArrayRef<std::string> Names) {
  // The section that NVIDIA's tools look into, cuobjdump among them.
  std::string Result = llvm::formatv("\t.section .nv_fatbin,\"a\",@progbits\n"
                                     "\t.balign 16\n"
                                     "\t.globl cupel_image\n\t.hidden cupel_image\n"
                                     "cupel_image:\n\t.incbin \"{0}\"\n"
                                     "\t.section .rodata,\"a\",@progbits\n",
                                     Image);
  for (const auto &[Index, Name] : llvm::enumerate(Names))
    Result += llvm::formatv("\t.globl cupel_name_{0}\n\t.hidden cupel_name_{0}\n"
                            "cupel_name_{0}:\n\t.asciz \"{1}\"\n",
                            Index, Name);
  return Result + "\t.section .note.GNU-stack,\"\",@progbits\n";
}
