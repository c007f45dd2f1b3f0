//===- SplitStrategy.cpp - nvcc for the GPU, Clang for the host --------------===//

#include "BuildFiles.h"
#include "DeviceImage.h"
#include "HostTools.h"
#include "NvccFlags.h"
#include "cupel/Build/BuildStrategy.h"
#include "cupel/Build/CompilerOutput.h"
#include "cupel/Support/File.h"
#include "cupel/Support/Hash.h"
#include "cupel/Support/Json.h"
#include "llvm/Support/FormatVariadic.h"

using namespace cupel;
using llvm::StringRef;

namespace {

constexpr StringRef DeviceSourceName = "device.cu";

/// The list that the host object's compiler wrote.
llvm::Expected<std::vector<DeviceSymbol>> readNames(const std::string &Path) {
  llvm::Expected<std::string> Text = readTextFile(Path);
  if (!Text)
    return Text.takeError();
  llvm::Expected<llvm::json::Value> Value = parseJson(*Text);
  if (!Value)
    return Value.takeError();
  std::vector<DeviceSymbol> Result;
  if (const llvm::json::Array *Entries = Value->getAsArray())
    for (const llvm::json::Value &Entry : *Entries)
      if (const llvm::json::Object *O = Entry.getAsObject())
        Result.push_back({O->getString("kind") == "kernel", O->getString("name").value_or("").str(),
                          uint64_t(O->getInteger("bytes").value_or(0))});
  return Result;
}

class SplitStrategy : public BuildStrategy {
public:
  StringRef name() const override { return "split"; }

  std::string unusable(const Toolchain &Tools) const override {
    // The object is Clang's, for the one of the two ABIs that it makes.
    return Tools.TorchCxx11Abi ? "" : "torch was built with the old C++ ABI";
  }

  llvm::Expected<std::string> fingerprint(const BuildRequest &Request) const override {
    ContentHasher Hasher;
    const SplitRequest &Split = *Request.Split;
    Hasher.add(Split.DeviceSource).add(Split.WhyNot).add(Split.Pch).add(fileStamp(Split.Compiler));
    for (const std::string &Argument : Split.Arguments)
      Hasher.add(Argument);
    for (const std::string &Word : deviceCommand(Request))
      Hasher.add(Word);
    return Hasher.add(fileStamp(Request.Tools.Nvcc)).hex();
  }

  llvm::Expected<StrategyResult> compile(const BuildContext &Context) const override {
    const BuildRequest &Request = Context.Request;
    StrategyResult Result;
    Result.Command = deviceCommand(Request);
    // Whatever fails here, nvcc on the whole file may do, and says what is wrong in its own words.
    Result.MayBeHeaders = true;
    std::string Why = Request.Split->WhyNot;
    if (Why.empty() && Request.Architectures.size() != 1)
      Why = "several GPU architectures at once";
    if (!Why.empty()) {
      Result.Outcome.Why = {"not-split", Why};
      return Result;
    }
    if (llvm::Error E = writeFileAtomically(Context.Folder + "/" + DeviceSourceName.str(),
                                            Request.Split->DeviceSource))
      return E;
    HostObjectFiles Files{Context.Folder + "/" + Context.SourceFile,
                          Context.Folder + "/submission.o", Context.Folder + "/names.json"};
    llvm::Expected<HalvesOutcome> Done =
        runHalves([&] { return runTool(Context, "device-error", Result.Command); },
                  [&] { return compileHostObject(Context, Files, "host-error"); });
    if (!Done)
      return Done.takeError();
    Result.Outcome = !Done->Device.Succeeded ? Done->Device : Done->Host;
    Result.Outcome.Output = Done->Host.Output + Done->Device.Output;
    if (Result.Outcome.Succeeded)
      if (llvm::Error E = finish(Context, Files, Result))
        return E;
    // Of the whole file ptxas would get the same kernels. A function that is not there may be one
    // that was left out by mistake.
    const bool IsPtxas = Result.Outcome.Why.Code == "device-error" &&
                         isPtxasError(Result.Outcome.Output) &&
                         undefinedSymbols(Result.Outcome.Output).empty();
    if (IsPtxas)
      Result.Outcome.Why.Code = "compile-error";
    Result.MayBeHeaders = !IsPtxas && Result.Outcome.Why.Code != "build-timeout";
    return Result;
  }

private:
  /// Writes what joins the two halves, or notes that they do not fit.
  static llvm::Error finish(const BuildContext &Context, const HostObjectFiles &Files,
                            StrategyResult &Result) {
    llvm::Expected<std::string> Cubin = readFile(Context.Folder + "/device.cubin");
    if (!Cubin)
      return Cubin.takeError();
    llvm::Expected<std::vector<DeviceSymbol>> InImage = readDeviceSymbols(*Cubin);
    if (!InImage)
      return InImage.takeError();
    llvm::Expected<std::vector<DeviceSymbol>> Registered = readNames(Files.Names);
    if (!Registered)
      return Registered.takeError();
    llvm::Expected<std::vector<std::string>> Names = matchDeviceSymbols(*Registered, *InImage);
    if (!Names) {
      Result.Outcome.Succeeded = false;
      Result.Outcome.Why = takeReasons(Names.takeError()).front();
      return llvm::Error::success();
    }
    std::string Assembler = Context.Folder + "/image.s";
    Result.Objects = {Files.Object, Assembler};
    return writeFileAtomically(Assembler,
                               imageAssembler(Context.Folder + "/device.fatbin", *Names));
  }

  static std::vector<std::string> deviceCommand(const BuildRequest &Request) {
    std::vector<std::string> Command = {Request.Tools.Nvcc};
    addTorchFlags(Command, Request);
    addOwnFlags(Command, Request);
    for (const std::string &Folder : Request.Tools.torchIncludeDirs())
      Command.insert(Command.end(), {"-isystem", Folder});
    // --keep leaves the cubin, whose names are read, beside the image that holds it.
    Command.insert(Command.end(), {"--keep", "--keep-dir", ".", "-x", "cu", "-fatbin",
                                   DeviceSourceName.str(), "-o", "device.fatbin"});
    return Command;
  }
};

} // namespace

std::unique_ptr<BuildStrategy> cupel::splitStrategy() { return std::make_unique<SplitStrategy>(); }
