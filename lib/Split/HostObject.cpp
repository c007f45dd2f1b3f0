//===- HostObject.cpp - a submission's host code as an object file -----------===//

#include "cupel/Split/HostObject.h"
#include "Registration.h"
#include "cupel/Frontend/Guarded.h"
#include "cupel/Frontend/HostPass.h"
#include "cupel/Support/File.h"
#include "cupel/Support/Json.h"
#include "clang/CodeGen/BackendUtil.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Parse/ParseAST.h"
#include "clang/Sema/Sema.h"
#include "clang/Serialization/ASTReader.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace cupel;
using llvm::StringRef;

namespace {

struct Job {
  std::vector<std::string> Arguments;
  std::string Pch, Source, Object, Names;
};

/// A reader of precompiled headers that leaves out what neither errors nor code of a submission
/// depend on: each question makes Sema look at thousands of declarations of torch's headers. The
/// bodies of the headers' templates are in the header (PrecompiledHeader.cpp).
class CompileReader final : public clang::ASTReader {
public:
  using ASTReader::ASTReader;

  bool LoadExternalSpecializations(const clang::Decl *Template, bool) override {
    return ASTReader::LoadExternalSpecializations(Template, /*OnlyPartial=*/true);
  }
  using ASTReader::LoadExternalSpecializations;
  void ReadDeclsToCheckForDeferredDiags(llvm::SmallSetVector<clang::Decl *, 4> &) override {}
  void ReadDelegatingConstructors(llvm::SmallVectorImpl<clang::CXXConstructorDecl *> &) override {}
  void ReadMismatchingDeleteExpressions(
      llvm::MapVector<clang::FieldDecl *,
                      llvm::SmallVector<std::pair<clang::SourceLocation, bool>, 4>> &) override {}
  void ReadUnusedFileScopedDecls(llvm::SmallVectorImpl<const clang::DeclaratorDecl *> &) override {}
  void ReadUnusedLocalTypedefNameCandidates(
      llvm::SmallSetVector<const clang::TypedefNameDecl *, 4> &) override {}
  void ReadUndefinedButUsed(llvm::MapVector<clang::NamedDecl *, clang::SourceLocation> &) override {
  }
};

llvm::Expected<Job> readJob(StringRef Path) {
  llvm::Expected<std::string> Text = readTextFile(Path);
  if (!Text)
    return Text.takeError();
  llvm::Expected<llvm::json::Value> Value = parseJson(*Text);
  if (!Value)
    return Value.takeError();
  llvm::json::Path::Root Root("job");
  Job Result;
  llvm::json::ObjectMapper Mapper(*Value, Root);
  if (!Mapper || !Mapper.map("arguments", Result.Arguments) || !Mapper.map("pch", Result.Pch) ||
      !Mapper.map("source", Result.Source) || !Mapper.map("object", Result.Object) ||
      !Mapper.map("names", Result.Names))
    return Root.getError();
  return Result;
}

llvm::Error failed(const llvm::Twine &Why) { return makeError("host-object", Why); }

class HostCompile {
public:
  explicit HostCompile(const Job &Work) : Work(Work) {}

  llvm::Error run() {
    if (llvm::Error E = start())
      return E;
    auto Generator = clang::CreateLLVMCodeGen(*Instance, "submission", Context);
    clang::CodeGenerator &Code = *Generator;
    Instance->setASTConsumer(std::move(Generator));
    if (llvm::Error E = openPch())
      return E;
    Instance->createSema(clang::TU_Complete, nullptr);
    clang::DiagnosticConsumer &Messages = Instance->getDiagnosticClient();
    Messages.BeginSourceFile(Instance->getLangOpts(), &Instance->getPreprocessor());
    clang::ParseAST(Instance->getSema());
    Messages.EndSourceFile();
    std::unique_ptr<llvm::Module> Module = Code.ReleaseModule();
    if (Instance->getDiagnostics().hasErrorOccurred() || !Module)
      return failed("Clang does not compile it");
    llvm::Expected<llvm::json::Array> Names = openRegistration(*Module);
    if (!Names)
      return Names.takeError();
    if (llvm::Error E = writeFileAtomically(
            Work.Names, llvm::formatv("{0:2}\n", llvm::json::Value(std::move(*Names))).str()))
      return E;
    return emit(*Module);
  }

private:
  llvm::Error start() {
    std::vector<const char *> Pointers;
    for (const std::string &Argument : Work.Arguments)
      Pointers.push_back(Argument.c_str());
    // Clang makes the registration only when it is given an image.
    std::string Image = Work.Object + ".image";
    if (llvm::Error E = writeFileAtomically(Image, "image"))
      return E;
    for (const char *Argument : {"-emit-obj", "-w", "-fcuda-include-gpubinary", Image.c_str(), "-o",
                                 Work.Object.c_str(), "-x", "cuda", Work.Source.c_str()})
      Pointers.push_back(Argument);

    clang::DiagnosticOptions Options;
    clang::DiagnosticsEngine Early(clang::DiagnosticIDs::create(), Options,
                                   new clang::TextDiagnosticPrinter(llvm::errs(), Options));
    auto Invocation = std::make_shared<clang::CompilerInvocation>();
    if (!clang::CompilerInvocation::CreateFromArgs(*Invocation, Pointers, Early, "cupel"))
      return failed("Clang refuses its arguments");
    Invocation->getPreprocessorOpts().ImplicitPCHInclude = Work.Pch;
    Invocation->getDiagnosticOpts().ShowCarets = false;
    Instance = std::make_unique<clang::CompilerInstance>(std::move(Invocation));
    Instance->createVirtualFileSystem();
    Instance->createDiagnostics();
    Instance->createFileManager();
    Instance->createSourceManager();
    if (!Instance->createTarget() ||
        !Instance->InitializeSourceManager(Instance->getFrontendOpts().Inputs.front()))
      return failed("Clang cannot start");
    Instance->createPreprocessor(clang::TU_Complete);
    Instance->createASTContext();
    return llvm::Error::success();
  }

  llvm::Error openPch() {
    auto Reader = llvm::makeIntrusiveRefCnt<CompileReader>(
        Instance->getPreprocessor(), Instance->getModuleCache(), &Instance->getASTContext(),
        Instance->getPCHContainerReader(), Instance->getCodeGenOpts(),
        llvm::ArrayRef<std::shared_ptr<clang::ModuleFileExtension>>(), "",
        clang::DisableValidationForModuleKind::All);
    Instance->getASTContext().setExternalSource(Reader);
    if (Reader->ReadAST(Work.Pch, clang::serialization::MK_PCH, clang::SourceLocation(),
                        clang::ASTReader::ARR_None) != clang::ASTReader::Success)
      return failed("Clang cannot read its precompiled header");
    Instance->getPreprocessor().setPredefines(Reader->getSuggestedPredefines() +
                                              versionOfGcc(Work.Arguments));
    Instance->setASTReader(Reader);
    return llvm::Error::success();
  }

  llvm::Error emit(llvm::Module &Module) {
    std::error_code EC;
    auto Out = std::make_unique<llvm::raw_fd_ostream>(Work.Object, EC);
    if (EC)
      return failed("cannot write " + Work.Object + ": " + EC.message());
    clang::emitBackendOutput(
        *Instance, Instance->getCodeGenOpts(), Instance->getTarget().getDataLayoutString(), &Module,
        clang::Backend_EmitObj, Instance->getVirtualFileSystemPtr(), std::move(Out));
    return Instance->getDiagnostics().hasErrorOccurred() ? failed("Clang makes no code of it")
                                                         : llvm::Error::success();
  }

  const Job &Work;
  llvm::LLVMContext Context;
  std::unique_ptr<clang::CompilerInstance> Instance;
};

} // namespace

int cupel::hostObjectMain(llvm::ArrayRef<const char *> Arguments) {
  if (Arguments.size() != 1) {
    llvm::errs() << "usage: cupel host-object JOB.json\n";
    return 1;
  }
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
  LLVMInitializeX86AsmParser();
  llvm::Expected<Job> Work = readJob(Arguments.front());
  llvm::Error Result = Work ? llvm::Error::success() : Work.takeError();
  if (!Result)
    // Left alone, not destroyed: the process ends.
    if (std::optional<std::string> Crash =
            runGuarded([&] { Result = (new HostCompile(*Work))->run(); }))
      Result = llvm::joinErrors(std::move(Result), failed("Clang " + *Crash));
  if (!Result)
    return 0;
  for (const Reason &R : takeReasons(std::move(Result)))
    llvm::errs() << "submission.cu: error: " << R.Text << '\n';
  return 1;
}
