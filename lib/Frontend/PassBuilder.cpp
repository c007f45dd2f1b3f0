//===- PassBuilder.cpp - one pass of Clang over one source ------------------===//

#include "PassBuilder.h"
#include "DiagnosticCollector.h"
#include "Instances.h"
#include "KnownHeaders.h"
#include "LazyReader.h"
#include "cupel/Frontend/Guarded.h"
#include "cupel/Frontend/HostPass.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Parse/ParseAST.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/SemaConsumer.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <chrono>

using namespace cupel;
using Clock = std::chrono::steady_clock;

namespace {

/// Keeps what the parser finds at the top level.
class TopLevelCollector final : public clang::SemaConsumer {
public:
  TopLevelCollector(const ParsedPass &Pass, std::vector<clang::Decl *> &Decls,
                    TrivialForAWhile &Shared)
      : Pass(Pass), Decls(Decls), Shared(Shared) {}

  void InitializeSema(clang::Sema &S) override { TheSema = &S; }
  void ForgetSema() override { TheSema = nullptr; }

  bool HandleTopLevelDecl(clang::DeclGroupRef Group) override {
    for (clang::Decl *D : Group)
      // Sema hands instances of templates in here as well.
      if (D->getLexicalDeclContext()->isTranslationUnit() && !isInstance(D))
        Decls.push_back(D);
    dropHeaderInstances(*TheSema, Pass);
    // Clang reads on without a word after its limit of errors, and can be slow about it.
    return TheSema->getDiagnostics().getClient()->getNumErrors() <= ErrorLimit;
  }
  void HandleInterestingDecl(clang::DeclGroupRef) override {}
  void HandleTagDeclDefinition(clang::TagDecl *Tag) override { Shared.completed(*TheSema, Tag); }

  /// Asked in the device pass only, and not for constexpr functions.
  bool shouldSkipFunctionBody(clang::Decl *D) override {
    if (auto *Template = llvm::dyn_cast<clang::FunctionTemplateDecl>(D))
      D = Template->getTemplatedDecl();
    return !D->hasAttr<clang::CUDADeviceAttr>() && !D->hasAttr<clang::CUDAGlobalAttr>();
  }

private:
  static bool isInstance(const clang::Decl *D) {
    const auto *Function = llvm::dyn_cast<clang::FunctionDecl>(D);
    return Function && clang::isTemplateInstantiation(Function->getTemplateSpecializationKind());
  }
  const ParsedPass &Pass;
  std::vector<clang::Decl *> &Decls;
  TrivialForAWhile &Shared;
  clang::Sema *TheSema = nullptr;
};

/// The file system without what a read could wait for or never end with: pipes, terminals, devices.
/// `#include "/dev/stdin"` would hold the linter for ever.
class RegularFiles final : public llvm::vfs::ProxyFileSystem {
public:
  RegularFiles() : ProxyFileSystem(llvm::vfs::getRealFileSystem()) {}

  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
  openFileForRead(const llvm::Twine &Path) override {
    llvm::ErrorOr<llvm::vfs::Status> Status = status(Path);
    if (Status && !Status->isRegularFile() && !Status->isDirectory())
      return std::make_error_code(std::errc::no_such_file_or_directory);
    return ProxyFileSystem::openFileForRead(Path);
  }
};

/// Writes down the directives of the submission's text, and refuses other files: a submission is
/// one file (design section 1), and what is built has no folder around it.
class DirectiveRecorder final : public clang::PPCallbacks {
public:
  DirectiveRecorder(const ParsedPass &Pass, std::vector<DirectiveInfo> &Directives)
      : Pass(Pass), Directives(Directives) {}

  void InclusionDirective(clang::SourceLocation Hash, const clang::Token &, llvm::StringRef Name,
                          bool, clang::CharSourceRange, clang::OptionalFileEntryRef File,
                          llvm::StringRef, llvm::StringRef, const clang::Module *, bool,
                          clang::SrcMgr::CharacteristicKind) override {
    add(DirectiveInfo::Directive::Include, Hash, Name, File ? File->getName() : "");
    refuseOwn(Hash, Name, File);
  }
  void HasInclude(clang::SourceLocation Location, llvm::StringRef Name, bool,
                  clang::OptionalFileEntryRef File, clang::SrcMgr::CharacteristicKind) override {
    refuseOwn(Location, Name, File);
  }
  void PragmaDirective(clang::SourceLocation Location, clang::PragmaIntroducerKind) override {
    add(DirectiveInfo::Directive::Pragma, Location, restOfLine(Location));
  }
  void FileChanged(clang::SourceLocation Location, FileChangeReason Why,
                   clang::SrcMgr::CharacteristicKind, clang::FileID) override {
    // A line directive is told as a renaming at the start of the line after it.
    if (Why == RenameFile)
      add(DirectiveInfo::Directive::Line, Location, "");
  }
  void MacroDefined(const clang::Token &Name, const clang::MacroDirective *) override {
    add(DirectiveInfo::Directive::Define, Name.getLocation(), Name.getIdentifierInfo()->getName());
  }
  void MacroUndefined(const clang::Token &Name, const clang::MacroDefinition &,
                      const clang::MacroDirective *) override {
    add(DirectiveInfo::Directive::Undef, Name.getLocation(), Name.getIdentifierInfo()->getName());
  }

private:
  void add(DirectiveInfo::Directive Kind, clang::SourceLocation Location, llvm::StringRef Text,
           llvm::StringRef File = "") {
    if (Pass.isInSubmission(Location))
      Directives.push_back({Kind, Text.str(), File.str(), Pass.placeOf(Location)});
  }
  void refuseOwn(clang::SourceLocation Location, llvm::StringRef Name,
                 clang::OptionalFileEntryRef File) {
    const clang::CompilerInstance &Instance = Pass.instance();
    if (!File || isKnownHeader(Instance.getHeaderSearchOpts(), File->getName()) ||
        Pass.sourceManager().getFileID(Location) != Pass.sourceManager().getMainFileID())
      return;
    clang::DiagnosticsEngine &Diagnostics = Instance.getDiagnostics();
    Diagnostics.Report(Location, Diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error,
                                                             "a submission is one file; '%0' is "
                                                             "another"))
        << Name;
  }
  std::string restOfLine(clang::SourceLocation Location) const {
    const clang::SourceManager &Sources = Pass.sourceManager();
    auto [File, Offset] = Sources.getDecomposedExpansionLoc(Location);
    llvm::StringRef Text = Sources.getBufferData(File).substr(Offset);
    return Text.take_until([](char C) { return C == '\n'; }).trim().str();
  }

  const ParsedPass &Pass;
  std::vector<DirectiveInfo> &Directives;
};

/// Keeps what the preprocessor makes of the submission's file, so that the passes can be compared.
class TextRecorder {
public:
  TextRecorder(const ParsedPass &Pass, std::vector<ParsedPass::PlaceText> &Places)
      : Pass(Pass), Places(Places) {}

  void add(const clang::Token &Token) {
    const clang::SourceManager &Sources = Pass.sourceManager();
    auto [File, Offset] = Sources.getDecomposedExpansionLoc(Token.getLocation());
    // What a header's macro says in one pass and not in the other is the header's affair.
    if (File != Sources.getMainFileID() || Token.isAnnotation() ||
        !Sources.isWrittenInMainFile(Sources.getSpellingLoc(Token.getLocation())))
      return;
    if (Places.empty() || Places.back().first != Offset)
      Places.emplace_back(Offset, 0);
    uint64_t &Hash = Places.back().second;
    Hash = llvm::hash_combine(Hash, Pass.preprocessor().getSpelling(Token));
  }

private:
  const ParsedPass &Pass;
  std::vector<ParsedPass::PlaceText> &Places;
};

/// Ends the guarded work when its time is over.
class Timer {
public:
  explicit Timer(Clock::time_point End) : End(End) {}
  /// Cheap enough for each token: looks at the clock once in 16 calls. More would be cheaper, but a
  /// condition of a dozen tokens can take the evaluation of a million steps.
  void tick() {
    if ((++Ticks & 15) == 0 && Clock::now() > End)
      leaveGuarded();
  }

private:
  Clock::time_point End;
  uint64_t Ticks = 0;
};

} // namespace

static std::shared_ptr<clang::CompilerInvocation> makeInvocation(const PassBuilder &Builder,
                                                                 DiagnosticCollector &Collector) {
  std::vector<const char *> Pointers;
  for (const std::string &Arg : Builder.Arguments)
    Pointers.push_back(Arg.c_str());
  std::string File = Builder.File.str();
  Pointers.push_back(File.c_str());

  clang::DiagnosticOptions Options;
  clang::DiagnosticsEngine Diagnostics(clang::DiagnosticIDs::create(), Options, &Collector, false);
  auto Invocation = std::make_shared<clang::CompilerInvocation>();
  if (!clang::CompilerInvocation::CreateFromArgs(*Invocation, Pointers, Diagnostics, "cupel"))
    return nullptr;
  clang::PreprocessorOptions &Preprocessor = Invocation->getPreprocessorOpts();
  Preprocessor.addRemappedFile(
      File, llvm::MemoryBuffer::getMemBufferCopy(Builder.Source, File).release());
  Preprocessor.ImplicitPCHInclude = Builder.Pch;
  return Invocation;
}

/// Attaches the precompiled header. The entry's key vouches for flags and headers.
static bool openPch(const ParsedPass &Pass, const PassBuilder &Builder) {
  clang::CompilerInstance &Instance = Pass.instance();
  auto Reader = llvm::makeIntrusiveRefCnt<LazyReader>(
      Instance.getPreprocessor(), Instance.getModuleCache(), &Instance.getASTContext(),
      Instance.getPCHContainerReader(), Instance.getCodeGenOpts(),
      llvm::ArrayRef<std::shared_ptr<clang::ModuleFileExtension>>(), "",
      clang::DisableValidationForModuleKind::All);
  Reader->Pass = &Pass;
  Instance.getASTContext().setExternalSource(Reader);
  if (Reader->ReadAST(Builder.Pch, clang::serialization::MK_PCH, clang::SourceLocation(),
                      clang::ASTReader::ARR_None) != clang::ASTReader::Success) {
    Instance.getASTContext().setExternalSource(nullptr);
    return false;
  }
  Instance.getPreprocessor().setPredefines(Reader->getSuggestedPredefines() +
                                           versionOfGcc(Builder.Arguments));
  Instance.setASTReader(Reader);
  return true;
}

/// Steps of one constant evaluation by a check; Clang's own limit is a million.
static constexpr unsigned CheckedSteps = 10000;

void PassBuilder::runUnguarded() {
  DiagnosticCollector Collector(Kind);
  auto KeepMessages = [&] {
    HasErrors = Collector.getNumErrors() != 0;
    Messages = Collector.takeMessages();
  };
  std::shared_ptr<clang::CompilerInvocation> Invocation = makeInvocation(*this, Collector);
  if (!Invocation) {
    Failure = "Clang refused its own arguments: " + Collector.firstError();
    return;
  }
  Pass = std::make_unique<ParsedPass>(
      Kind, std::make_unique<clang::CompilerInstance>(std::move(Invocation)));
  clang::CompilerInstance &Instance = Pass->instance();
  Instance.createVirtualFileSystem(llvm::makeIntrusiveRefCnt<RegularFiles>());
  Instance.createDiagnostics(&Collector, false);
  Instance.createFileManager();
  Instance.createSourceManager();
  if (!Instance.createTarget() ||
      !Instance.InitializeSourceManager(Instance.getFrontendOpts().Inputs.front())) {
    Failure = "Clang cannot start: " + Collector.firstError();
    Pass.reset();
    return;
  }
  Instance.createPreprocessor(clang::TU_Complete);
  Instance.createASTContext();
  auto Shared = std::make_unique<TrivialForAWhile>(SharedClasses);
  Instance.setASTConsumer(std::make_unique<TopLevelCollector>(*Pass, Pass->TopLevel, *Shared));
  if (!openPch(*Pass, *this)) {
    Failure = "Clang cannot read its precompiled header: " + Collector.firstError();
    Pass.reset();
    return;
  }

  clang::Preprocessor &Preprocessor = Instance.getPreprocessor();
  Preprocessor.addPPCallbacks(std::make_unique<DirectiveRecorder>(*Pass, Pass->Directives));
  Instance.createSema(clang::TU_Complete, nullptr);
  Timer Limit(Deadline);
  auto Tick = [&] { Limit.tick(); };
  TextRecorder Texts(*Pass, Pass->PlaceTexts);
  const bool AsksForPass = Source.contains("__CUDA_ARCH__");
  Preprocessor.setTokenWatcher([&](const clang::Token &Token) {
    Limit.tick();
    if (AsksForPass)
      Texts.add(Token);
  });
  Instance.getSema().TemplateInstCallbacks.push_back(
      std::make_unique<InstanceFilter>(Instance.getSema(), *Pass, Tick));

  Shared->start(Instance.getSema(), *Instance.getASTReader());
  clang::ParseAST(Instance.getSema(), /*PrintStats=*/false, SkipHostBodies);

  // The parser owned it. Sema forgets it at the end of a file, but not where the parse broke off at
  // the limit of errors; the reader would still write into it when a tree is walked.
  Instance.getSema().TUScope = nullptr;
  Shared.reset();
  // Whoever looks at the tree evaluates conditions as well, many of them more than once, and no
  // time limit is on that. A condition that takes more steps is not known then.
  Instance.getLangOpts().ConstexprStepLimit = CheckedSteps;
  Preprocessor.setTokenWatcher(nullptr);
  Instance.getSema().TemplateInstCallbacks.clear();
  KeepMessages();
  // The collector dies here; whoever reads the tree later may still ask for declarations that
  // Clang has something to say about.
  Instance.getDiagnostics().setClient(new clang::IgnoringDiagConsumer, true);
}

void PassBuilder::runOnce() {
  Pass.reset();
  Messages.clear();
  Failure.clear();
  if (std::optional<std::string> Crash = runGuarded([&] { runUnguarded(); })) {
    (void)Pass.release(); // Broken in an unknown way: left alone, not destroyed.
    Failure = "Clang " + *Crash + " while it read the submission";
  }
}

void PassBuilder::run() {
  Clock::time_point Start = Clock::now();
  runOnce();
  if (HasErrors && Pass && SharedClasses.empty() && Source.contains("shared")) {
    if (!runGuarded([&] { SharedClasses = refusedSharedClasses(*Pass); }) && !SharedClasses.empty())
      runOnce();
  }
  Seconds = std::chrono::duration<double>(Clock::now() - Start).count();
}
