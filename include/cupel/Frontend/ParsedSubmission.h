//===- ParsedSubmission.h - what checks, build and emulation share ----------===//
#ifndef CUPEL_FRONTEND_PARSEDSUBMISSION_H
#define CUPEL_FRONTEND_PARSEDSUBMISSION_H

#include "cupel/Frontend/Entry.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class CompilerInstance;
class Decl;
class Expr;
class FunctionDecl;
class Preprocessor;
class SourceManager;
} // namespace clang

namespace cupel {

enum class PassKind { Host, Device };

/// Complete: no error. Partial: errors, but there is an AST to judge (recovery expressions
/// included). Failed: nothing to judge, for example an unreadable file.
enum class ParseState { Complete, Partial, Failed };
llvm::StringRef toString(ParseState State);

/// What a mistake that Clang tells says of other compilers.
enum class MistakeKind {
  Unsure, ///< They differ, or may.
  Name,   ///< A name is not there, for any of them; more headers may have it.
  Syntax, ///< The words themselves are wrong, whatever is declared.
};

/// A message of the compiler about the submission, at its physical place.
struct CompilerMessage {
  enum class Level { Error, Warning, Note } Severity = Level::Error;
  SourcePlace Place;
  std::string Message;
  PassKind Pass = PassKind::Host;
  MistakeKind Mistake = MistakeKind::Unsure; ///< Of an error.
};

/// A `__global__` function of the submission; templates once, by their pattern.
struct KernelInfo {
  const clang::FunctionDecl *Function = nullptr;
  std::string Name;
  SourcePlace Place;
};

/// A place where host code starts a kernel: `<<<>>>`, cudaLaunchKernel and kin.
struct LaunchInfo {
  const clang::Expr *Launch = nullptr;
  /// Null when the callee is a run-time value.
  const clang::FunctionDecl *Kernel = nullptr;
  const clang::FunctionDecl *Caller = nullptr;
  SourcePlace Place;
};

/// A preprocessor directive in the submission's own text.
struct DirectiveInfo {
  enum class Directive { Include, Line, Pragma, Define, Undef } Kind = Directive::Include;
  /// The header as written without quotes, the pragma's first words, the macro's name.
  std::string Text;
  /// Of an include: the file that was found, empty when none was.
  std::string File;
  SourcePlace Place;
};

/// One pass of Clang over the submission. Owns the compiler instance and so the AST.
///
/// Torch's headers are in a precompiled header that is read as names are looked up. A walk over
/// `context().getTranslationUnitDecl()->decls()` would read all of it, which takes seconds: walk
/// topLevelDecls() instead.
class ParsedPass {
public:
  ParsedPass(PassKind Kind, std::unique_ptr<clang::CompilerInstance> Instance);
  ~ParsedPass();

  PassKind kind() const { return Kind; }
  clang::CompilerInstance &instance() const { return *Instance; }
  clang::ASTContext &context() const;
  clang::SourceManager &sourceManager() const;
  clang::Preprocessor &preprocessor() const;

  /// The declarations at the top level of the submission's text, in order. Namespaces, linkage
  /// blocks and templates once, as written; instances of templates hang below their template.
  llvm::ArrayRef<clang::Decl *> topLevelDecls() const { return TopLevel; }

  /// Includes, pragmas, `#line` and macro definitions in the submission's text, in order.
  llvm::ArrayRef<DirectiveInfo> directives() const { return Directives; }

  /// What the preprocessor made of a place of the submission's file, a token or a macro's use: its
  /// offset, and a hash of those of the tokens that the submission has written.
  using PlaceText = std::pair<unsigned, uint64_t>;
  /// All of them, in order; none where the text does not speak of `__CUDA_ARCH__`, since the passes
  /// then read the same.
  llvm::ArrayRef<PlaceText> placeTexts() const { return PlaceTexts; }

  /// Whether the code at \p Location is the submission's own text, through macros to where the
  /// tokens are expanded: the main file and whatever it includes from outside of the known header
  /// folders. Compares FileIDs, so `#line`, line markers and system-header pragmas change nothing
  /// (design section 6).
  bool isInSubmission(clang::SourceLocation Location) const;

  /// Physical file, line and column of \p Location (of its expansion when it is in a macro).
  SourcePlace placeOf(clang::SourceLocation Location) const;

private:
  friend struct PassBuilder;
  bool isOwnFile(clang::FileID File) const;

  PassKind Kind;
  std::unique_ptr<clang::CompilerInstance> Instance;
  std::vector<clang::Decl *> TopLevel;
  std::vector<DirectiveInfo> Directives;
  std::vector<PlaceText> PlaceTexts;
};

/// A submission after both passes.
struct ParsedSubmission {
  std::string File;
  std::string Source;
  ParseState State = ParseState::Failed;
  /// Null only when State is Failed.
  std::unique_ptr<ParsedPass> Host;
  /// Null when State is Failed or the options left the device pass out. Functions that run on the
  /// host only have no bodies in it, unless one of them holds device code.
  std::unique_ptr<ParsedPass> Device;
  std::vector<CompilerMessage> Messages;
  std::vector<KernelInfo> Kernels; ///< Of the host pass.
  std::vector<LaunchInfo> Launches;
  /// All functions that bindings expose, or the lone `forward`; see Entry.h.
  std::vector<EntrySignature> Entries;
  /// The function of Entries[i] in the host pass.
  std::vector<const clang::FunctionDecl *> EntryFunctions;
  /// Which headers stood behind torch's names: `cuda`, `slim` or `full` (docs/frontend.md).
  std::string Headers;
  /// Seconds of wall time: making or finding the PCH, and the two passes.
  double PchSeconds = 0, HostSeconds = 0, DeviceSeconds = 0;
  /// Functions of a `.py` file's extension that it calls before or beside forward.
  std::vector<const clang::FunctionDecl *> PreparingFunctions;
};

/// The errors in \p Submission's own text that nvcc, with torch's own headers, has as well when it
/// compiles for \p Architecture: it need not be asked. None when Clang found an error before them
/// that may be Clang's alone.
std::vector<const CompilerMessage *> sureErrors(const ParsedSubmission &Submission,
                                                llvm::StringRef Architecture);

} // namespace cupel

#endif // CUPEL_FRONTEND_PARSEDSUBMISSION_H
