//===- KernelBody.cpp - what a kernel does with its parameters --------------===//

#include "KernelBody.h"
#include "KernelEffects.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;

namespace cupel {

bool isDeviceVariable(const ValueDecl *D) {
  const auto *V = dyn_cast<VarDecl>(D);
  return V && V->hasGlobalStorage() && !V->hasAttr<CUDASharedAttr>() &&
         (V->hasAttr<CUDADeviceAttr>() || V->hasAttr<CUDAConstantAttr>());
}

/// Integers in a variable that are not taken for flags, counters or barriers' epochs.
static constexpr uint64_t ManyIntegers = 4096;

bool mayHoldResults(const VarDecl &V) {
  QualType T = V.getType().getCanonicalType();
  uint64_t Count = 1;
  while (const auto *Array = dyn_cast<ConstantArrayType>(T.getTypePtr())) {
    Count *= Array->getSize().getLimitedValue(1 << 20);
    T = Array->getElementType().getCanonicalType();
  }
  if (T->isPointerType() || T->isEnumeralType())
    return false;
  if (const CXXRecordDecl *Class = T->getAsCXXRecordDecl()) {
    // `float4`, `__half`: classes of CUDA's headers, and the submission's with such members.
    static const llvm::StringSet<> Halves = {"__half", "__half2", "__nv_bfloat16",
                                             "__nv_bfloat162"};
    return Count >= ManyIntegers ||
           (Class->getDeclName().isIdentifier() && Halves.contains(Class->getName())) ||
           (Class->hasDefinition() && llvm::any_of(Class->fields(), [](const FieldDecl *Field) {
              return Field->getType()->isRealFloatingType();
            }));
  }
  return T->isRealFloatingType() || Count >= ManyIntegers;
}

namespace {

struct NameFinder : DynamicRecursiveASTVisitor {
  NameFinder() { ShouldVisitTemplateInstantiations = true; }
  const ParmVarDecl *Parameter = nullptr;
  bool IsNamed = false;
  bool VisitDeclRefExpr(DeclRefExpr *Reference) override {
    IsNamed |= Reference->getDecl() == Parameter;
    return !IsNamed;
  }
};

} // namespace

bool isSameForDevice(const CheckContext &Context) {
  const llvm::StringRef Source = Context.submission().Source;
  for (llvm::StringRef Macro : {"__CUDA_ARCH", "__CUDACC__", "__NVCC__", "__clang__"})
    if (Source.contains(Macro))
      return false;
  return true;
}

bool neverUses(const FunctionDecl &Kernel, unsigned Index, const CheckContext &Context) {
  const FunctionDecl *Definition = nullptr;
  if (!Kernel.hasBody(Definition) || Index >= Definition->getNumParams() ||
      Definition->isDependentContext())
    return false;
  if (!isSameForDevice(Context))
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
