//===- HeaderNeeds.cpp - the headers that device code names ------------------===//

#include "HeaderNeeds.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

using namespace cupel;
using llvm::StringRef;
namespace path = llvm::sys::path;

HeaderNeeds::HeaderNeeds(const ParsedSubmission &) {}

/// \p File below the innermost folder of \p Pass's search path that holds it, and that folder.
static std::pair<std::string, std::string> nameOf(const ParsedPass &Pass, StringRef File) {
  llvm::SmallString<256> Plain(File);
  path::remove_dots(Plain, /*remove_dot_dot=*/true);
  StringRef Best;
  llvm::SmallString<256> Folder;
  std::string Name, Where;
  for (const auto &Entry : Pass.instance().getHeaderSearchOpts().UserEntries) {
    Folder = Entry.Path;
    path::remove_dots(Folder, /*remove_dot_dot=*/true);
    if (Plain.str().starts_with((Folder + "/").str()) && Folder.size() > Where.size()) {
      Where = Folder.str().str();
      Name = Plain.str().drop_front(Folder.size() + 1).str();
    }
  }
  return {Name, Where};
}

/// Headers of libraries for their own use are reached through those that include them.
static bool isInternal(StringRef Name) {
  for (auto It = path::begin(Name), End = path::end(Name); It != End; ++It)
    if (*It == "bits" || *It == "ext" || *It == "detail" || *It == "pstl" || *It == "debug" ||
        *It == "impl" || *It == "details" || *It == "gnu" || It->starts_with("__"))
      return true;
  return Name.ends_with("-inl.h") || Name.ends_with(".tcc") || Name.contains("linux-gnu") ||
         Name.ends_with(".inl") || Name.ends_with("_impl.h");
}

/// What cuda_runtime.h brings, which nvcc puts in front of every source.
static bool isOfCudaRuntime(StringRef Name) {
  static constexpr StringRef Prefixes[] = {"crt/",
                                           "cuda_runtime",
                                           "driver_types",
                                           "vector_",
                                           "builtin_types",
                                           "device_types",
                                           "host_defines",
                                           "device_",
                                           "sm_",
                                           "texture_",
                                           "surface_",
                                           "math_functions",
                                           "common_functions",
                                           "channel_descriptor",
                                           "library_types",
                                           "cuda_surface_types",
                                           "cuda_texture_types",
                                           "cuda_device_runtime_api",
                                           "host_config",
                                           "nvfunctional"};
  return llvm::any_of(Prefixes, [&](StringRef Prefix) { return Name.starts_with(Prefix); });
}

std::string HeaderNeeds::headerFor(const ParsedPass &Pass, clang::SourceLocation Location) {
  const clang::SourceManager &Sources = Pass.sourceManager();
  std::string Clang = Pass.instance().getHeaderSearchOpts().ResourceDir + "/";
  clang::FileID File = Sources.getFileID(Location);
  // Outwards, to the first header that is there for everybody.
  for (unsigned Depth = 0; Depth != 32; ++Depth) {
    clang::OptionalFileEntryRef Entry = Sources.getFileEntryRefForID(File);
    if (!Entry)
      return "";
    StringRef Path = Entry->getName();
    // Clang's stand-ins for what nvcc knows by itself, and its own <float.h> and kin.
    if (Path.starts_with(Clang)) {
      StringRef Name = path::filename(Path);
      return Name.starts_with("__") || Path.contains("cuda_wrappers") ? "" : Name.str();
    }
    auto [Name, Folder] = nameOf(Pass, Path);
    if (Name == "cupel/nvcc-builtins.h")
      return "";
    if (!Name.empty() && StringRef(Folder).ends_with("/parse")) {
      if (Missing.empty())
        Missing = "device code uses what torch/extension.h alone has";
      return "";
    }
    StringRef Plain = Name;
    if (Plain.consume_front("cccl/") || StringRef(Folder).ends_with("/cccl"))
      ;
    else if (StringRef(Folder).ends_with("/include") && isOfCudaRuntime(Plain) &&
             !Plain.starts_with("torch"))
      return "";
    if (!Plain.empty() && !isInternal(Plain)) {
      // `cuda_fp16.hpp` is a part of `cuda_fp16.h`.
      return Plain.consume_back(".hpp") ? Plain.str() + ".h" : Plain.str();
    }
    clang::SourceLocation From = Sources.getIncludeLoc(File);
    if (From.isInvalid())
      return "";
    File = Sources.getFileID(Sources.getExpansionLoc(From));
  }
  return "";
}

void HeaderNeeds::add(const ParsedPass &Pass, clang::SourceLocation Location) {
  if (Location.isInvalid())
    return;
  Location = Pass.sourceManager().getExpansionLoc(Location);
  clang::FileID File = Pass.sourceManager().getFileID(Location);
  if (!Seen.insert({&Pass, File.getHashValue()}).second)
    return;
  if (std::string Header = headerFor(Pass, Location); !Header.empty())
    Headers.insert(Header);
}
