//===- NvccStrategy.cpp - nvcc on the whole file -----------------------------===//

#include "BuildFiles.h"
#include "NvccFlags.h"
#include "NvccPlan.h"
#include "cupel/Build/BuildStrategy.h"
#include "cupel/Build/CompilerOutput.h"
#include "cupel/Support/File.h"
#include "cupel/Support/Hash.h"

using namespace cupel;
using llvm::StringRef;

BuildStrategy::~BuildStrategy() = default;

namespace {

enum class Headers { Slim, Full };

llvm::Expected<ToolOutcome> runScript(const BuildContext &Context, const std::string &Script) {
  return runTool(Context, "compile-error", {"/bin/sh", "-c", Script});
}

/// Both halves at once, then the rest. Of two failures the host's is told first: its messages are
/// those of the whole file.
llvm::Expected<ToolOutcome> runPlan(const BuildContext &Context, const NvccPlan &Plan) {
  if (llvm::Error E = writeFileAtomically(Plan.ModuleIdFile, moduleName(Context.Request.Source)))
    return E;
  llvm::Expected<HalvesOutcome> Done = runHalves([&] { return runScript(Context, Plan.Device); },
                                                 [&] { return runScript(Context, Plan.Host); });
  if (!Done)
    return Done.takeError();
  std::string Output = Done->Host.Output + Done->Device.Output;
  ToolOutcome Last = !Done->Host.Succeeded ? Done->Host : Done->Device;
  if (Last.Succeeded) {
    llvm::Expected<ToolOutcome> Finish = runScript(Context, Plan.Finish);
    if (!Finish)
      return Finish;
    Output += Finish->Output;
    Last = *Finish;
  }
  Last.Output = std::move(Output);
  return Last;
}

llvm::Expected<ToolOutcome> runNvcc(const BuildContext &Context,
                                    const std::vector<std::string> &Command) {
  std::vector<std::string> Ask = Command;
  Ask.insert(Ask.end(), {"--dryrun", "--keep", "--keep-dir", Context.Folder});
  llvm::Expected<ToolOutcome> Listing = runTool(Context, "compile-error", Ask);
  if (!Listing)
    return Listing;
  if (std::optional<NvccPlan> Plan = readNvccPlan(Listing->Output); Plan && Listing->Succeeded)
    return runPlan(Context, *Plan);
  return runTool(Context, "compile-error", Command);
}

/// Only a matter of speed: where this is wrong, the compile fails and the full headers follow.
bool usesLibraryMacros(StringRef Source) {
  return Source.contains("TORCH_LIBRARY") || Source.contains("RegisterOperators");
}

class NvccStrategy : public BuildStrategy {
public:
  explicit NvccStrategy(Headers Set) : Set(Set) {}

  StringRef name() const override { return Set == Headers::Slim ? "nvcc-slim" : "nvcc-full"; }

  std::string unusable(const Toolchain &Tools) const override {
    if (folder(Tools).empty())
      return "cupel's own headers (share/cupel/" + folderName().str() + ") are not there";
    if (Set == Headers::Full && Tools.PythonInclude.empty())
      return "torch's full headers need Python.h (package python3-dev)";
    return "";
  }

  llvm::Expected<std::string> fingerprint(const BuildRequest &Request) const override {
    llvm::Expected<std::string> Own = folderHash(folder(Request.Tools));
    if (!Own)
      return Own.takeError();
    ContentHasher Hasher;
    Hasher.add(*Own).add(fileStamp(Request.Tools.Nvcc)).add(fileStamp(Request.Tools.HostCompiler));
    for (const std::string &Word : command(Request, "in", "out"))
      Hasher.add(Word);
    return Hasher.hex();
  }

  llvm::Expected<StrategyResult> compile(const BuildContext &Context) const override {
    StrategyResult Result;
    std::string Object = Context.Folder + "/submission.o";
    Result.Command = command(Context.Request, Context.SourceFile, Object);
    llvm::Expected<ToolOutcome> Outcome = runNvcc(Context, Result.Command);
    if (!Outcome)
      return Outcome.takeError();
    Result.Outcome = std::move(*Outcome);
    if (Result.Outcome.Succeeded)
      Result.Objects = {Object};
    Result.MayBeHeaders = Set == Headers::Slim && Result.Outcome.Why.Code == "compile-error" &&
                          !isPtxasError(Result.Outcome.Output);
    return Result;
  }

private:
  StringRef folderName() const { return Set == Headers::Slim ? "shadow" : "full"; }
  std::string folder(const Toolchain &Tools) const { return shareFolder(Tools, folderName()); }

  std::vector<std::string> command(const BuildRequest &Request, StringRef Source,
                                   StringRef Object) const {
    const Toolchain &Tools = Request.Tools;
    std::vector<std::string> Command = {Tools.Nvcc};
    addTorchFlags(Command, Request);
    addOwnFlags(Command, Request);
    Command.push_back("-I" + folder(Tools));
    for (const std::string &Folder : Tools.torchIncludeDirs())
      Command.insert(Command.end(), {"-isystem", Folder});
    if (Set == Headers::Slim && usesLibraryMacros(Request.Source))
      Command.push_back("-DCUPEL_SLIM_WITH_LIBRARY");
    if (Set == Headers::Full)
      Command.insert(Command.end(), {"-isystem", Tools.PythonInclude});
    Command.insert(Command.end(), {"-x", "cu", "-c", Source.str(), "-o", Object.str()});
    return Command;
  }

  Headers Set;
};

} // namespace

std::vector<std::string> cupel::deviceOnlyCommand(const BuildRequest &Request, StringRef Source,
                                                  StringRef Object) {
  const Toolchain &Tools = Request.Tools;
  std::vector<std::string> Command = {Tools.Nvcc};
  addTorchFlags(Command, Request);
  addOwnFlags(Command, Request);
  Command.push_back("-I" + shareFolder(Tools, "shadow"));
  for (const std::string &Folder : Tools.torchIncludeDirs())
    Command.insert(Command.end(), {"-isystem", Folder});
  if (usesLibraryMacros(Request.Source))
    Command.push_back("-DCUPEL_SLIM_WITH_LIBRARY");
  Command.insert(Command.end(), {"-x", "cu", "-cubin", Source.str(), "-o", Object.str()});
  return Command;
}

std::vector<std::unique_ptr<BuildStrategy>> cupel::allBuildStrategies() {
  std::vector<std::unique_ptr<BuildStrategy>> Result;
  Result.push_back(splitStrategy());
  Result.push_back(std::make_unique<NvccStrategy>(Headers::Slim));
  Result.push_back(std::make_unique<NvccStrategy>(Headers::Full));
  return Result;
}
