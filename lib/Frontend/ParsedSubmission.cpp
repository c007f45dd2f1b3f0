//===- ParsedSubmission.cpp - what checks, build and emulation share --------===//

#include "cupel/Frontend/ParsedSubmission.h"
#include "DiagnosticCollector.h"
#include "KnownHeaders.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

using namespace cupel;

llvm::StringRef cupel::toString(ParseState State) {
  switch (State) {
  case ParseState::Complete:
    return "complete";
  case ParseState::Partial:
    return "partial";
  case ParseState::Failed:
    return "failed";
  }
  llvm_unreachable("unknown parse state");
}

ParsedPass::ParsedPass(PassKind Kind, std::unique_ptr<clang::CompilerInstance> Instance)
    : Kind(Kind), Instance(std::move(Instance)) {}

ParsedPass::~ParsedPass() = default;

clang::ASTContext &ParsedPass::context() const { return Instance->getASTContext(); }
clang::SourceManager &ParsedPass::sourceManager() const { return Instance->getSourceManager(); }
clang::Preprocessor &ParsedPass::preprocessor() const { return Instance->getPreprocessor(); }

static std::string withoutDots(llvm::StringRef Path) {
  llvm::SmallString<256> Plain(Path);
  llvm::sys::path::remove_dots(Plain, /*remove_dot_dot=*/true);
  return Plain.str().str();
}

bool cupel::isKnownHeader(const clang::HeaderSearchOptions &Options, llvm::StringRef Path) {
  // `/usr/include/../../tmp/x.h` is no header of the system.
  const std::string Plain = withoutDots(Path);
  return llvm::any_of(Options.UserEntries, [&](const auto &Dir) {
    return llvm::StringRef(Plain).starts_with(withoutDots(Dir.Path) + "/");
  });
}

bool ParsedPass::isOwnFile(clang::FileID File) const {
  const clang::SourceManager &Sources = sourceManager();
  if (File == Sources.getMainFileID())
    return true;
  // What the precompiled header holds is never the submission's.
  if (Sources.isLoadedFileID(File))
    return false;
  clang::OptionalFileEntryRef Entry = Sources.getFileEntryRefForID(File);
  return Entry && !isKnownHeader(Instance->getHeaderSearchOpts(), Entry->getName());
}

bool ParsedPass::isInSubmission(clang::SourceLocation Location) const {
  if (Location.isInvalid())
    return false;
  return isOwnFile(sourceManager().getFileID(sourceManager().getExpansionLoc(Location)));
}

SourcePlace ParsedPass::placeOf(clang::SourceLocation Location) const {
  return physicalPlace(Location, sourceManager());
}
