//===- DeviceSource.cpp - what of a submission runs on the GPU --------------===//

#include "cupel/Split/DeviceSource.h"
#include "HeaderNeeds.h"
#include "KernelInstances.h"
#include "References.h"
#include "SourceItems.h"
#include "SourceText.h"
#include "cupel/Frontend/Guarded.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <deque>

using namespace cupel;
using llvm::StringRef;

namespace {

class DeviceSourceBuilder {
public:
  DeviceSourceBuilder(const ParsedSubmission &Submission, StringRef Architecture)
      : Submission(Submission), Source(Submission.Source), Architecture(Architecture),
        Text(Source, Submission.Host->context().getLangOpts()), Headers(Submission) {}

  llvm::Expected<std::string> build();

private:
  llvm::Error checkRegistrations() const;
  llvm::Error keepDeviceCode();
  llvm::Error checkMixed() const;
  llvm::Error addMacroHeaders();
  llvm::Error checkConditions();
  void keep(SourceItem &Item);
  void keepNamed(const ParsedPass &Pass, const clang::NamedDecl *D);
  void keepSpecializations();
  std::set<StringRef> usedWords() const;
  bool needsMacro(StringRef Word);
  std::string prologue() const;
  std::string blanked() const;

  const ParsedSubmission &Submission;
  const StringRef Source, Architecture;
  SourceText Text;
  std::vector<SourceItem> Items;
  std::deque<SourceItem *> Open;
  HeaderNeeds Headers;
  bool UsesTorch = false;           ///< Names `torch::`.
  std::set<std::string> Namespaces; ///< Text that opens what using-directives and aliases name.
};

} // namespace

//===----------------------------------------------------------------------===//
// Which declarations
//===----------------------------------------------------------------------===//

static const clang::Decl *withoutTemplate(const clang::Decl *D) {
  if (const auto *Template = llvm::dyn_cast<clang::TemplateDecl>(D))
    if (const clang::NamedDecl *Inner = Template->getTemplatedDecl())
      return Inner;
  return D;
}

/// Written by the author, not by Clang, which lets the GPU use any constexpr function.
template <typename Attribute> static bool isMarked(const clang::Decl *D) {
  const Attribute *A = D->getAttr<Attribute>();
  return A && !A->isImplicit();
}

static bool isDeviceCode(const clang::Decl *D) {
  D = withoutTemplate(D);
  return isMarked<clang::CUDADeviceAttr>(D) || isMarked<clang::CUDAGlobalAttr>(D) ||
         isMarked<clang::CUDAConstantAttr>(D) || isMarked<clang::CUDASharedAttr>(D);
}

static bool isHostFunction(const clang::Decl *D) {
  const auto *Function = llvm::dyn_cast<clang::FunctionDecl>(withoutTemplate(D));
  return Function && !isDeviceCode(D) && !Function->isConstexpr();
}

void DeviceSourceBuilder::keep(SourceItem &Item) {
  if (Item.Kept)
    return;
  Item.Kept = true;
  Open.push_back(&Item);
}

/// The definition, or the first declaration: headers repeat the names of others.
static const clang::Decl *whereDefined(const clang::NamedDecl *D) {
  const clang::NamedDecl *Definition = nullptr;
  if (const auto *Template = llvm::dyn_cast<clang::TemplateDecl>(D))
    D = Template->getTemplatedDecl() ? Template->getTemplatedDecl() : D;
  if (const auto *Function = llvm::dyn_cast<clang::FunctionDecl>(D))
    Definition = Function->getDefinition();
  else if (const auto *Tag = llvm::dyn_cast<clang::TagDecl>(D))
    Definition = Tag->getDefinition();
  return Definition ? Definition : D->getCanonicalDecl();
}

/// curand's headers declare them once more, for host code.
static bool isBuiltinVariable(const clang::NamedDecl *D) {
  return llvm::isa<clang::VarDecl>(D) && D->getIdentifier() &&
         llvm::is_contained({"threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"},
                            D->getName());
}

void DeviceSourceBuilder::keepNamed(const ParsedPass &Pass, const clang::NamedDecl *D) {
  std::optional<unsigned> At = offsetOf(Pass, D->getLocation());
  if (!At) {
    // Clang's builtins, such as __syncthreads, are declared where they are first used.
    if (const clang::Decl *Where = whereDefined(D); !Where->isImplicit() && !isBuiltinVariable(D))
      Headers.add(Pass, Where->getLocation());
    return;
  }
  if (D->getDeclContext()->isFunctionOrMethod())
    return;
  for (const clang::Decl *Other : D->redecls())
    if (std::optional<unsigned> Place = offsetOf(Pass, Other->getLocation()))
      if (SourceItem *Item = itemAt(Items, *Place))
        keep(*Item);
}

/// Specializations are chosen without being named.
void DeviceSourceBuilder::keepSpecializations() {
  for (SourceItem &Item : Items)
    for (const auto &[Pass, D] : Item.Decls) {
      if (Item.Kept)
        break;
      const clang::NamedDecl *Primary = nullptr;
      if (const auto *Class = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(D))
        Primary = Class->getSpecializedTemplate();
      else if (const auto *Function = llvm::dyn_cast<clang::FunctionDecl>(D))
        Primary = Function->getPrimaryTemplate();
      else if (const auto *Variable = llvm::dyn_cast<clang::VarTemplateSpecializationDecl>(D))
        Primary = Variable->getSpecializedTemplate();
      if (!Primary)
        continue;
      std::optional<unsigned> At = offsetOf(*Pass, Primary->getLocation());
      SourceItem *Of = At ? itemAt(Items, *At) : nullptr;
      // Of a header's template, such as std::hash: when that header is there, so is this.
      if (Of && Of->Kept)
        keep(Item);
      else if (!At && isDeviceCode(D))
        keep(Item);
    }
}

/// Opens \p Named, so that a using-directive or an alias finds it. An inline namespace must be
/// called so where it is opened first.
static std::string emptyNamespace(const clang::NamespaceDecl *Named) {
  std::string Open, Close;
  for (const clang::DeclContext *Outer = Named; !Outer->isTranslationUnit();
       Outer = Outer->getParent()) {
    const auto *Namespace = llvm::dyn_cast<clang::NamespaceDecl>(Outer);
    if (!Namespace)
      continue; // `extern "C++"`.
    if (Namespace->isAnonymousNamespace())
      return ""; // The submission's own.
    Open = (Namespace->isInline() ? "inline namespace " : "namespace ") +
           Namespace->getName().str() + " { " + Open;
    Close += "}";
  }
  return Open + Close + "\n";
}

llvm::Error DeviceSourceBuilder::keepDeviceCode() {
  auto Drain = [&] {
    while (!Open.empty()) {
      SourceItem *Item = Open.front();
      Open.pop_front();
      for (const auto &[Pass, D] : Item->Decls) {
        if (const auto *Directive = llvm::dyn_cast<clang::UsingDirectiveDecl>(D)) {
          Namespaces.insert(emptyNamespace(Directive->getNominatedNamespace()));
          continue;
        }
        if (const auto *Alias = llvm::dyn_cast<clang::NamespaceAliasDecl>(D)) {
          Namespaces.insert(emptyNamespace(Alias->getNamespace()));
          continue;
        }
        forEachReference(
            D, [&, Pass = Pass](const clang::NamedDecl *Named) { keepNamed(*Pass, Named); });
      }
    }
  };
  for (SourceItem &Item : Items)
    for (const auto &[Pass, D] : Item.Decls)
      if (isDeviceCode(D) || llvm::isa<clang::UsingDirectiveDecl>(D) ||
          llvm::isa<clang::NamespaceAliasDecl>(D))
        keep(Item);
  for (const clang::FunctionDecl *Kernel : kernelInstances(Submission)) {
    forEachReference(Kernel->getType(),
                     [&](const clang::NamedDecl *Named) { keepNamed(*Submission.Host, Named); });
    for (const clang::TemplateArgument &Argument :
         Kernel->getTemplateSpecializationArgs()->asArray())
      if (Argument.getKind() == clang::TemplateArgument::Declaration)
        keepNamed(*Submission.Host, Argument.getAsDecl());
      else if (Argument.getKind() == clang::TemplateArgument::Type)
        forEachReference(Argument.getAsType(), [&](const clang::NamedDecl *Named) {
          keepNamed(*Submission.Host, Named);
        });
  }
  do {
    Drain();
    keepSpecializations();
  } while (!Open.empty());
  if (!Headers.missing().empty())
    return notSplit(Headers.missing());
  return llvm::Error::success();
}

/// TORCH_LIBRARY, _FRAGMENT and _IMPL run when the library is loaded. The parse has stand-ins that
/// run nothing (share/parse/torch/library.h); nvcc gets torch's own.
llvm::Error DeviceSourceBuilder::checkRegistrations() const {
  for (const SourceItem &Item : Items)
    for (const auto &[Pass, D] : Item.Decls) {
      const auto *Function = llvm::dyn_cast<clang::FunctionDecl>(D);
      if (!Function || Function->getNumParams() != 1)
        continue;
      const clang::CXXRecordDecl *Taken =
          Function->getParamDecl(0)->getType().getNonReferenceType()->getAsCXXRecordDecl();
      if (Taken && Taken->getQualifiedNameAsString() == "torch::Library")
        return notSplit("it registers operators with torch's dispatcher, whose headers the parse "
                        "leaves out",
                        Pass->placeOf(D->getBeginLoc()));
    }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Macros
//===----------------------------------------------------------------------===//

/// Identifiers of the kept text, and of the bodies of the macros that it uses.
std::set<StringRef> DeviceSourceBuilder::usedWords() const {
  std::set<StringRef> Used;
  std::vector<StringRef> Todo;
  for (const SourceItem &Item : Items)
    if (Item.Kept)
      for (auto It = Text.words().lower_bound(Item.Gap);
           It != Text.words().end() && It->first < Item.End; ++It)
        Todo.push_back(It->second);
  for (const TextDirective &D : Text.directives())
    if (D.isCondition())
      llvm::append_range(Todo, D.Words);
  while (!Todo.empty()) {
    StringRef Word = Todo.back();
    Todo.pop_back();
    if (!Used.insert(Word).second)
      continue;
    if (auto Body = Text.macros().find(Word); Body != Text.macros().end())
      llvm::append_range(Todo, Body->second);
  }
  return Used;
}

llvm::Error DeviceSourceBuilder::addMacroHeaders() {
  const ParsedPass &Pass = *Submission.Device;
  clang::Preprocessor &Preprocessor = Pass.preprocessor();
  for (StringRef Word : usedWords()) {
    if (Text.macros().count(Word))
      continue;
    UsesTorch |= Word == "torch";
    if (Word == "__managed__")
      return notSplit("managed variables");
    clang::IdentifierInfo *Identifier = Preprocessor.getIdentifierInfo(Word);
    if (const clang::MacroInfo *Macro = Preprocessor.getMacroInfo(Identifier))
      if (!offsetOf(Pass, Macro->getDefinitionLoc()))
        Headers.add(Pass, Macro->getDefinitionLoc());
  }
  return Headers.missing().empty() ? llvm::Error::success() : notSplit(Headers.missing());
}

/// A condition on what tells compilers apart would choose one text for the host's object and
/// another for the device's.
llvm::Error DeviceSourceBuilder::checkConditions() {
  static constexpr StringRef Same[] = {
      "__CUDA_ARCH__", "__CUDACC__", "__CUDACC_VER_MAJOR__",       "__cplusplus",
      "__linux__",     "__x86_64__", "__CUDA_NO_HALF_OPERATORS__", "__FILE__",
      "__LINE__"};
  for (const TextDirective &D : Text.directives()) {
    if (!D.isCondition())
      continue;
    for (StringRef Word : D.Words) {
      if (Text.macros().count(Word))
        continue;
      if (Word.starts_with("__") && !llvm::is_contained(Same, Word))
        return notSplit("a condition on '" + Word + "', which compilers define differently");
      // The text was chosen by what the device pass was told.
      if (Word == "__CUDA_ARCH__" && !Architecture.starts_with("sm_90"))
        return notSplit("a condition on __CUDA_ARCH__, and another GPU than the parse's");
    }
  }
  return llvm::Error::success();
}

/// Whether \p Header is torch's for host code. Those of types that the GPU knows too are light.
static bool isTorchsHostHeader(StringRef Header) {
  if (Header.starts_with("torch/headeronly/"))
    return false;
  return llvm::any_of(llvm::ArrayRef<StringRef>{"ATen/", "c10/core/", "c10/cuda/", "torch/",
                                                "c10/util/Exception.h"},
                      [&](StringRef Prefix) { return Header.starts_with(Prefix); });
}

/// One macro can make a kernel and the host function that launches it. nvcc reads both, and makes
/// machine code of the kernel alone; only where that needs torch's own headers it is not worth it.
llvm::Error DeviceSourceBuilder::checkMixed() const {
  if (llvm::none_of(Headers.headers(), isTorchsHostHeader))
    return llvm::Error::success();
  for (const SourceItem &Item : Items) {
    if (!Item.Kept || Item.Decls.size() < 2)
      continue;
    bool Device = llvm::any_of(Item.Decls, [](const auto &D) { return isDeviceCode(D.second); });
    for (const auto &[Pass, D] : Item.Decls)
      if (Device && isHostFunction(D))
        return notSplit("host and device code share a macro or a declaration that needs torch's "
                        "headers",
                        Pass->placeOf(D->getBeginLoc()));
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// The text
//===----------------------------------------------------------------------===//

/// Headers that serve host code alone, unless something of them is named; then they are in front.
static bool isHostHeader(StringRef Name) {
  static constexpr StringRef Plain[] = {"vector",
                                        "string",
                                        "iostream",
                                        "sstream",
                                        "fstream",
                                        "map",
                                        "unordered_map",
                                        "set",
                                        "memory",
                                        "mutex",
                                        "thread",
                                        "chrono",
                                        "stdexcept",
                                        "unordered_set",
                                        "iomanip",
                                        "ostream",
                                        "istream",
                                        "future",
                                        "condition_variable",
                                        "random",
                                        "deque",
                                        "list",
                                        "queue",
                                        "stack",
                                        "exception",
                                        "system_error",
                                        "optional",
                                        "variant",
                                        "any",
                                        "filesystem",
                                        "regex",
                                        "locale",
                                        "functional",
                                        "cublas_v2.h",
                                        "cublasLt.h",
                                        "cudnn.h",
                                        "cufft.h",
                                        "curand.h",
                                        "cusparse.h",
                                        "cusolverDn.h",
                                        "dlfcn.h",
                                        "unistd.h",
                                        "pthread.h",
                                        "cuda_profiler_api.h",
                                        "Python.h"};
  if (llvm::is_contained(Plain, Name))
    return true;
  return llvm::any_of(
      llvm::ArrayRef<StringRef>{"torch/", "ATen/", "c10/", "pybind11/", "caffe2/", "sys/"},
      [&](StringRef Prefix) { return Name.starts_with(Prefix); });
}

std::string DeviceSourceBuilder::prologue() const {
  // What every source sees through torch's headers: overloads of abs and kin would be missed in
  // silence.
  std::string Result;
  for (StringRef Header : {"cmath", "math.h", "cstdlib", "stdlib.h", "cstdint", "cstdio", "cassert",
                           "cfloat", "climits"})
    Result += ("#include <" + Header + ">\n").str();
  for (const std::string &Header : Headers.headers())
    Result += "#include <" + Header + ">\n";
  // As torch/types.h has it: device code calls at::PackedTensorAccessor32 and kin torch's.
  if (UsesTorch)
    Result += "namespace at {}\nnamespace torch { using namespace at; }\n";
  for (const std::string &Empty : Namespaces)
    Result += Empty;
  return Result + "#line 1 \"submission.cu\"\n";
}

/// The source with spaces for what is not kept.
std::string DeviceSourceBuilder::blanked() const {
  std::string Result = Source.str();
  auto Blank = [&](unsigned Begin, unsigned End) {
    for (unsigned I = Begin; I < End; ++I)
      if (Result[I] != '\n')
        Result[I] = ' ';
  };
  auto Restore = [&](unsigned Begin, unsigned End) {
    std::copy(Source.begin() + Begin, Source.begin() + End, Result.begin() + Begin);
  };
  for (const SourceItem &Item : Items)
    if (!Item.Kept)
      Blank(Item.Gap, Item.End);
  for (const TextDirective &D : Text.directives()) {
    bool InItem = llvm::any_of(
        Items, [&](const SourceItem &Item) { return Item.Begin <= D.Begin && D.Begin < Item.End; });
    if (D.Keyword.starts_with("include") && isHostHeader(D.Name))
      Blank(D.Begin, D.End);
    else if (D.isCondition() || D.Keyword == "define" || D.Keyword == "undef" || !InItem)
      Restore(D.Begin, D.End);
  }
  return Result;
}

llvm::Expected<std::string> DeviceSourceBuilder::build() {
  llvm::Expected<std::vector<SourceItem>> Found = sourceItems(Submission);
  if (!Found)
    return Found.takeError();
  Items = std::move(*Found);
  if (llvm::Error E = checkRegistrations())
    return E;
  llvm::Expected<std::string> Tail = instanceTail(kernelInstances(Submission), *Submission.Host);
  if (!Tail)
    return Tail.takeError();
  if (llvm::Error E = checkConditions())
    return E;
  if (llvm::Error E = keepDeviceCode())
    return E;
  if (llvm::Error E = addMacroHeaders())
    return E;
  if (llvm::Error E = checkMixed())
    return E;
  return prologue() + blanked() + *Tail;
}

llvm::Expected<std::string> cupel::deviceSource(const ParsedSubmission &Submission,
                                                StringRef Architecture) {
  if (Submission.State != ParseState::Complete || !Submission.Host || !Submission.Device) {
    auto First = llvm::find_if(Submission.Messages, [](const CompilerMessage &M) {
      return M.Severity == CompilerMessage::Level::Error;
    });
    if (First == Submission.Messages.end())
      return notSplit("Clang does not read all of it");
    return notSplit("Clang does not read all of it: " + First->Message, First->Place);
  }
  if (Submission.Headers == "full")
    return notSplit("it needs torch's full headers");
  std::optional<llvm::Expected<std::string>> Result;
  std::optional<std::string> Crash =
      runGuarded([&] { Result.emplace(DeviceSourceBuilder(Submission, Architecture).build()); });
  if (!Crash)
    return std::move(*Result);
  if (Result)
    llvm::consumeError(Result->takeError());
  return notSplit("the search for device code " + *Crash);
}
