//===- SourceItems.cpp - a submission's text as declarations ----------------===//

#include "SourceItems.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace cupel;

llvm::Error cupel::notSplit(const llvm::Twine &Why, SourcePlace Place) {
  return makeError("not-split", Why, std::move(Place));
}

std::optional<unsigned> cupel::offsetOf(const ParsedPass &Pass, clang::SourceLocation Location) {
  const clang::SourceManager &Sources = Pass.sourceManager();
  if (Location.isInvalid())
    return std::nullopt;
  auto [File, Offset] = Sources.getDecomposedExpansionLoc(Location);
  return File == Sources.getMainFileID() ? std::optional(Offset) : std::nullopt;
}

namespace {

class ItemCollector {
public:
  ItemCollector(const ParsedPass &Pass, llvm::StringRef Source, std::vector<SourceItem> &Items)
      : Pass(Pass), Sources(Pass.sourceManager()), Source(Source), Items(Items) {}

  llvm::Error collect() {
    if (llvm::Error E = addAll(Pass.topLevelDecls(), 0))
      return E;
    return addInstantiations();
  }

private:
  /// \p Decls stand one behind the other from \p Gap on.
  template <typename DeclRange> llvm::Error addAll(const DeclRange &Decls, unsigned Gap) {
    for (const clang::Decl *D : Decls) {
      if (D->isImplicit())
        continue;
      std::optional<std::pair<unsigned, unsigned>> Range = rangeOf(D->getSourceRange());
      if (!Range && !Pass.isInSubmission(D->getBeginLoc()))
        continue; // Of a header that is not precompiled.
      if (!Range)
        return notSplit("declarations come from another file of the submission",
                        Pass.placeOf(D->getBeginLoc()));
      if (const auto *Block = blockOf(D)) {
        if (llvm::Error E = addAll(Block->decls(), insideOf(D, Range->first)))
          return E;
      } else {
        Items.push_back({std::min(Gap, Range->first), Range->first, Range->second, false, {}});
        // `extern "C" void f();` is one text with what it holds.
        if (const auto *Linkage = llvm::dyn_cast<clang::LinkageSpecDecl>(D))
          for (const clang::Decl *Inner : Linkage->decls())
            Items.back().Decls.push_back({&Pass, Inner});
        else
          Items.back().Decls.push_back({&Pass, D});
        noteTemplate(D);
      }
      Gap = std::max(Gap, Range->second);
    }
    return llvm::Error::success();
  }

  /// `template void f<int>(int);` is no declaration of the tree's top level: it hangs below its
  /// template, with the place of the name.
  llvm::Error addInstantiations() {
    for (const clang::FunctionTemplateDecl *Template : Templates)
      for (const clang::FunctionDecl *Instance : Template->specializations()) {
        clang::TemplateSpecializationKind Kind = Instance->getTemplateSpecializationKind();
        if (Kind != clang::TSK_ExplicitInstantiationDefinition &&
            Kind != clang::TSK_ExplicitInstantiationDeclaration)
          continue;
        std::optional<unsigned> At = offsetOf(Pass, Instance->getPointOfInstantiation());
        if (!At)
          return notSplit("an explicit instantiation whose place is not known");
        size_t Before = Source.take_front(*At).find_last_of(";}{");
        size_t Begin = Source.find("template", Before == llvm::StringRef::npos ? 0 : Before);
        size_t End = Source.find(';', *At);
        if (Begin >= *At || End == llvm::StringRef::npos)
          return notSplit("an explicit instantiation whose text is not known");
        // Its own text is never kept: kernels' instances are all named behind the source.
        Items.push_back({unsigned(Begin), unsigned(Begin), unsigned(End + 1), false, {}});
      }
    return llvm::Error::success();
  }

  void noteTemplate(const clang::Decl *D) {
    if (const auto *Template = llvm::dyn_cast<clang::FunctionTemplateDecl>(D))
      if (Template->isThisDeclarationADefinition())
        Templates.push_back(Template);
  }

  static const clang::DeclContext *blockOf(const clang::Decl *D) {
    if (const auto *Namespace = llvm::dyn_cast<clang::NamespaceDecl>(D))
      return Namespace;
    if (const auto *Linkage = llvm::dyn_cast<clang::LinkageSpecDecl>(D))
      return Linkage->hasBraces() ? Linkage : nullptr;
    return nullptr;
  }

  /// Behind the brace that opens the block which begins at \p Begin.
  unsigned insideOf(const clang::Decl *D, unsigned Begin) const {
    if (D->getBeginLoc().isMacroID())
      return Source.size(); // The macro's text is not in this file: no gap.
    size_t Brace = Source.find('{', Begin);
    return Brace == llvm::StringRef::npos ? Source.size() : Brace + 1;
  }

  std::optional<std::pair<unsigned, unsigned>> rangeOf(clang::SourceRange Range) const {
    std::optional<unsigned> Begin = offsetOf(Pass, Range.getBegin());
    clang::SourceLocation Last = Range.getEnd();
    if (Last.isMacroID())
      Last = Sources.getExpansionRange(Last).getEnd();
    std::optional<unsigned> End = offsetOf(Pass, Last);
    if (!Begin || !End)
      return std::nullopt;
    const clang::LangOptions &Language = Pass.context().getLangOpts();
    clang::SourceLocation After =
        Last.getLocWithOffset(clang::Lexer::MeasureTokenLength(Last, Sources, Language));
    std::optional<clang::Token> Next = clang::Lexer::findNextToken(Last, Sources, Language);
    if (Next && Next->is(clang::tok::semi) && !Next->getLocation().isMacroID())
      After = Next->getEndLoc();
    return std::pair(*Begin, std::max(*Begin, *offsetOf(Pass, After)));
  }

  const ParsedPass &Pass;
  const clang::SourceManager &Sources;
  llvm::StringRef Source;
  std::vector<SourceItem> &Items;
  std::vector<const clang::FunctionTemplateDecl *> Templates;
};

} // namespace

llvm::Expected<std::vector<SourceItem>> cupel::sourceItems(const ParsedSubmission &Submission) {
  std::vector<SourceItem> All;
  for (const ParsedPass *Pass : {Submission.Device.get(), Submission.Host.get()})
    if (llvm::Error E = ItemCollector(*Pass, Submission.Source, All).collect())
      return E;
  llvm::stable_sort(All, [](const SourceItem &A, const SourceItem &B) {
    return std::pair(A.Begin, A.End) < std::pair(B.Begin, B.End);
  });
  // The passes find the same text twice; what shares text is one item.
  std::vector<SourceItem> Merged;
  for (SourceItem &Item : All) {
    if (Merged.empty() || Merged.back().End <= Item.Begin) {
      Merged.push_back(std::move(Item));
      continue;
    }
    SourceItem &Last = Merged.back();
    Last.Gap = std::min(Last.Gap, Item.Gap);
    Last.End = std::max(Last.End, Item.End);
    llvm::append_range(Last.Decls, Item.Decls);
  }
  // One pass can see declarations in what is a gap to the other.
  for (size_t I = 1; I < Merged.size(); ++I)
    Merged[I].Gap = std::max(Merged[I].Gap, Merged[I - 1].End);
  return Merged;
}

SourceItem *cupel::itemAt(std::vector<SourceItem> &Items, unsigned Offset) {
  auto It = llvm::upper_bound(Items, Offset,
                              [](unsigned At, const SourceItem &Item) { return At < Item.Begin; });
  if (It == Items.begin())
    return nullptr;
  --It;
  return Offset < It->End ? &*It : nullptr;
}
