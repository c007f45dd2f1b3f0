//===- SureErrors.cpp - errors that nvcc is not asked about ------------------===//
//
// Of 610 names of functions in CUDA's headers, all that Clang with its prefix does not know are
// unknown to nvcc as well (424 are known to both, 2026-12); what nvcc alone knows begins with an
// underscore. nvcc looks names up in templates that nobody instantiates, as Clang does.
//
//===----------------------------------------------------------------------===//

#include "SureErrors.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticParse.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace cupel;
using llvm::StringRef;

/// Libraries whose headers ask for the compiler.
static constexpr StringRef CudaLibraries[] = {"cuda", "cub",     "thrust", "nvcuda",
                                              "cute", "cutlass", "nvtx3",  "cooperative_groups"};

/// The names between the quotes of a message: none is the compiler's own, none is CUDA's
/// libraries'.
static bool namesArePlain(StringRef Text) {
  while (true) {
    auto [Before, Rest] = Text.split('\'');
    if (Rest.empty())
      return true;
    auto [Name, After] = Rest.split('\'');
    StringRef Root = Name.take_until([](char C) { return C == ':' || C == '<'; });
    if (Name.starts_with("_") || Name.contains("::_") || llvm::is_contained(CudaLibraries, Root))
      return false;
    Text = After;
  }
}

static StringRef lineOf(const clang::Diagnostic &Info) {
  const clang::SourceManager &Sources = Info.getSourceManager();
  auto [File, Offset] = Sources.getDecomposedLoc(Info.getLocation());
  StringRef Buffer = Sources.getBufferData(File);
  size_t Begin = Buffer.take_front(Offset).rfind('\n') + 1;
  return Buffer.substr(Begin).take_until([](char C) { return C == '\n'; });
}

/// Extensions of C++ that compilers have in forms of their own: attributes, launches, assembler.
static bool hasExtension(StringRef Line) {
  return Line.contains("__") || Line.contains("<<<") || Line.contains("asm") ||
         Line.contains("[[") || Line.contains('#');
}

MistakeKind cupel::mistakeKind(const clang::Diagnostic &Info, StringRef Text) {
  // Ours: an include of another file, which no build finds.
  if (Info.getID() >= clang::diag::DIAG_UPPER_LIMIT)
    return MistakeKind::Syntax;
  // What a macro makes, a header may have made for one compiler.
  if (!Info.hasSourceManager() || !Info.getLocation().isFileID())
    return MistakeKind::Unsure;
  switch (Info.getID()) {
  case clang::diag::err_undeclared_var_use:
  case clang::diag::err_undeclared_use:
  case clang::diag::err_unknown_typename:
  case clang::diag::err_no_member:
  case clang::diag::err_no_member_template:
  case clang::diag::err_no_template:
  case clang::diag::err_typename_nested_not_found:
    return namesArePlain(Text) ? MistakeKind::Name : MistakeKind::Unsure;
  case clang::diag::err_expected:
  case clang::diag::err_expected_after:
  case clang::diag::err_expected_either:
  case clang::diag::err_expected_expression:
  case clang::diag::err_expected_statement:
  case clang::diag::err_expected_semi_after_expr:
  case clang::diag::err_expected_semi_after_stmt:
  case clang::diag::err_expected_semi_decl_list:
  case clang::diag::err_expected_semi_declaration:
  case clang::diag::err_expected_semi_for:
  case clang::diag::err_extraneous_closing_brace:
    return hasExtension(lineOf(Info)) ? MistakeKind::Unsure : MistakeKind::Syntax;
  // A function within another is no C++, whatever stands in it: a brace above is missing.
  case clang::diag::err_function_definition_not_allowed:
    return MistakeKind::Syntax;
  default:
    return MistakeKind::Unsure;
  }
}

/// Whether \p Source asks which compiler reads it, or takes the names of libraries that do: what
/// Clang misses there, nvcc may find.
static bool dependsOnCompiler(StringRef Source) {
  static constexpr StringRef Same[] = {"__CUDA_ARCH__", "__CUDACC__", "__CUDACC_VER_MAJOR__",
                                       "__cplusplus", "__CUDA_NO_HALF_OPERATORS__"};
  for (StringRef Line : llvm::split(Source, '\n')) {
    Line = Line.ltrim();
    if (!Line.consume_front("#")) {
      auto [Before, Used] = Line.split("using namespace ");
      StringRef Root =
          Used.ltrim(": ").take_while([](char C) { return llvm::isAlnum(C) || C == '_'; });
      if (llvm::is_contained(CudaLibraries, Root))
        return true;
      continue;
    }
    Line = Line.ltrim();
    if (!Line.starts_with("if") && !Line.starts_with("elif"))
      continue;
    while (!Line.empty()) {
      Line = Line.drop_until([](char C) { return llvm::isAlpha(C) || C == '_'; });
      StringRef Word = Line.take_while([](char C) { return llvm::isAlnum(C) || C == '_'; });
      Line = Line.drop_front(Word.size());
      if (Word.starts_with("_") && !llvm::is_contained(Same, Word))
        return true;
    }
  }
  return false;
}

/// With the parse's own headers a name that is not there may be in torch's.
static bool isSure(const CompilerMessage &Message, const ParsedSubmission &Submission) {
  return Message.Place.File == Submission.File &&
         (Message.Mistake == MistakeKind::Syntax ||
          (Message.Mistake == MistakeKind::Name && Submission.Headers != "slim"));
}

std::vector<const CompilerMessage *> cupel::sureErrors(const ParsedSubmission &Submission,
                                                       StringRef Architecture) {
  std::vector<const CompilerMessage *> Result;
  if (dependsOnCompiler(Submission.Source))
    return Result;
  // The parse is for sm_90, and has read what its macro chose.
  if (!Architecture.starts_with("sm_90") && StringRef(Submission.Source).contains("__CUDA_ARCH__"))
    return Result;
  bool HostEnded = false, DeviceEnded = false;
  for (const CompilerMessage &Message : Submission.Messages) {
    bool &Ended = Message.Pass == PassKind::Host ? HostEnded : DeviceEnded;
    if (Message.Severity != CompilerMessage::Level::Error || Ended)
      continue;
    Ended = !isSure(Message, Submission);
    if (!Ended)
      Result.push_back(&Message);
  }
  return Result;
}
