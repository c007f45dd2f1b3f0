//===- Rewrite.cpp - a CUDA submission as ordinary C++ ----------------------===//

#include "Rewrite.h"
#include "cupel/Emulate/Emulate.h"
#include "cupel/Frontend/Guarded.h"
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
  if (Context.Pass.kind() == PassKind::Host)
    rewriteLaunches(Context);
}

/// The macros by which code asks for which GPU it is compiled. What they choose is what the device
/// pass has read, so the compiler must choose the same.
static constexpr llvm::StringLiteral Prelude = "#define __CUDACC__ 1\n"
                                               "#define __CUDA_ARCH__ 900\n"
                                               "#line 1\n";

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
  return Prelude.str() + *Text;
}
