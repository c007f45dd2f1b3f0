//===- Rewrite.cpp - a CUDA submission as ordinary C++ ----------------------===//

#include "Rewrite.h"
#include "cupel/Emulate/Emulate.h"
#include "cupel/Frontend/Guarded.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"

using namespace cupel;

void RewriteContext::refuse(clang::SourceLocation Location, const llvm::Twine &What) const {
  SourcePlace Place = Pass.placeOf(Location);
  bool Known = llvm::any_of(Refused, [&](const CupelError &E) {
    return E.place().Line == Place.Line && E.place().Column == Place.Column;
  });
  if (!Known)
    Refused.emplace_back("not-emulated", "not emulated: " + What.str(), Place);
}

static void rewritePass(const RewriteContext &Context) {
  refuseUnknown(Context);
  rewriteSharedVariables(Context);
  rewriteAsm(Context);
  rewriteCopies(Context);
  if (Context.Pass.kind() == PassKind::Host)
    rewriteDeviceVariables(Context);
  rewriteVolatileAccesses(Context);
  if (Context.Pass.kind() == PassKind::Host) {
    rewriteLaunches(Context);
    refuseHostText(Context);
  }
}

/// The macros by which code asks for which GPU it is compiled. What they choose is what the device
/// pass has read, so the compiler must choose the same.
static constexpr llvm::StringLiteral Prelude = "#define __CUDACC__ 1\n"
                                               "#define __CUDA_ARCH__ 900\n"
                                               "#line 1\n";

/// The number that the macro \p Name stood for in the parse; 0 when it was none.
static unsigned numberOf(const ParsedPass &Pass, llvm::StringRef Name) {
  clang::Preprocessor &Preprocessor = Pass.preprocessor();
  const clang::MacroInfo *Macro = Preprocessor.getMacroInfo(Preprocessor.getIdentifierInfo(Name));
  unsigned Number = 0;
  if (!Macro || Macro->getNumTokens() != 1 ||
      llvm::StringRef(Preprocessor.getSpelling(Macro->getReplacementToken(0)))
          .getAsInteger(10, Number))
    return 0;
  return Number;
}

/// The same for the versions of the compilers that build for a GPU, where \p Submission names them.
static std::string versionsIn(const ParsedSubmission &Submission) {
  const llvm::StringRef Source = Submission.Source;
  std::string Text;
  if (!Submission.Host)
    return Text;
  if (const unsigned Cuda = numberOf(*Submission.Host, "CUDA_VERSION");
      Cuda && Source.contains("__CUDACC_VER_"))
    Text += "#define __CUDACC_VER_MAJOR__ " + std::to_string(Cuda / 1000) +
            "\n#define __CUDACC_VER_MINOR__ " + std::to_string(Cuda % 1000 / 10) + "\n";
  if (const unsigned Gcc = numberOf(*Submission.Host, "__GNUC__");
      Gcc && Source.contains("__GNUC__"))
    Text += "#undef __GNUC__\n#define __GNUC__ " + std::to_string(Gcc) + "\n";
  return Text;
}

llvm::Expected<std::string> cupel::rewriteForEmulation(const ParsedSubmission &Submission) {
  TextEdits Edits;
  std::vector<CupelError> Refused;
  std::optional<std::string> Crash = runGuarded([&] {
    for (const ParsedPass *Pass : {Submission.Device.get(), Submission.Host.get()})
      if (Pass)
        rewritePass({Submission, *Pass, Edits, Refused});
  });
  if (Crash)
    return makeError("not-emulated", "not emulated: the rewriting of the submission " + *Crash,
                     {Submission.File, 0, 0});
  if (!Refused.empty()) {
    llvm::Error All = llvm::Error::success();
    for (CupelError &E : Refused)
      All = llvm::joinErrors(std::move(All), llvm::make_error<CupelError>(std::move(E)));
    return All;
  }
  std::optional<std::string> Text = Edits.apply(Submission.Source);
  if (!Text)
    return makeError("not-emulated", "not emulated: macros that mix launches or shared variables",
                     {Submission.File, 0, 0});
  return versionsIn(Submission) + Prelude.str() + *Text;
}
