//===- KernelBody.cpp - what a kernel does with its parameters --------------===//

#include "KernelBody.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace cupel {

namespace {

struct NameFinder : RecursiveASTVisitor<NameFinder> {
  const ParmVarDecl *Parameter = nullptr;
  bool IsNamed = false;
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool VisitDeclRefExpr(DeclRefExpr *Reference) {
    IsNamed |= Reference->getDecl() == Parameter;
    return !IsNamed;
  }
};

} // namespace

bool neverUses(const FunctionDecl &Kernel, unsigned Index, const CheckContext &Context) {
  const FunctionDecl *Definition = nullptr;
  if (!Kernel.hasBody(Definition) || Index >= Definition->getNumParams() ||
      Definition->isDependentContext())
    return false;
  // This is the host's view of the body; code for the device or for another compiler may differ.
  const llvm::StringRef Source = Context.submission().Source;
  for (llvm::StringRef Macro : {"__CUDA_ARCH", "__CUDACC__", "__NVCC__", "__clang__"})
    if (Source.contains(Macro))
      return false;
  const Stmt *Body = Definition->getBody();
  NameFinder Finder;
  Finder.Parameter = Definition->getParamDecl(Index);
  Finder.TraverseStmt(const_cast<Stmt *>(Body));
  if (Finder.IsNamed)
    return false;
  // A macro may drop its arguments here and keep them there, so the text must not have the name.
  const SourceRange Range = Body->getSourceRange();
  if (Range.getBegin().isMacroID() || Range.getEnd().isMacroID())
    return false;
  bool IsInvalid = false;
  const llvm::StringRef Text =
      Lexer::getSourceText(CharSourceRange::getTokenRange(Range), Context.sourceManager(),
                           Context.ast().getLangOpts(), &IsInvalid);
  const llvm::StringRef Name = Finder.Parameter->getName();
  if (IsInvalid || Text.empty() || Text.contains('#'))
    return false;
  for (size_t At = Text.find(Name); !Name.empty() && At != llvm::StringRef::npos;
       At = Text.find(Name, At + 1)) {
    // Text starts with a brace; `threadIdx.x` is no parameter `x`.
    const char Before = At ? Text[At - 1] : '{';
    const bool IsStart = !isAsciiIdentifierContinue(Before) && Before != '.';
    const size_t After = At + Name.size();
    if (IsStart && (After >= Text.size() || !isAsciiIdentifierContinue(Text[After])))
      return false;
  }
  return true;
}

} // namespace cupel
