//===- DeviceFigures.cpp - ptxas's figures of a submission that is emulated --===//

#include "BuildFiles.h"
#include "cupel/Build/BuildStrategy.h"
#include "cupel/Build/CompilerOutput.h"
#include "cupel/Support/File.h"
#include "cupel/Support/Hash.h"

using namespace cupel;
using llvm::StringRef;

static constexpr const char *SourceName = "submission.cu";
static constexpr const char *OutputName = "ptxas.txt";

static llvm::Expected<std::string> keyOf(const BuildRequest &Request) {
  llvm::Expected<std::string> Headers = folderHash(shareFolder(Request.Tools, "shadow"));
  if (!Headers)
    return Headers.takeError();
  ContentHasher Hasher;
  Hasher.add("cupel-device-figures-1").add(Request.Source).add(*Headers);
  Hasher.add(fileStamp(Request.Tools.Nvcc)).add(Request.Tools.TorchVersion);
  for (const std::string &Word : deviceOnlyCommand(Request, "in", "out"))
    Hasher.add(Word);
  return Hasher.hex();
}

/// Leaves what ptxas says in \p EntryFolder.
static llvm::Error runNvcc(const BuildRequest &Request, StringRef EntryFolder) {
  llvm::Expected<TemporaryDirectory> Folder = TemporaryDirectory::create("cupel-build");
  if (!Folder)
    return Folder.takeError();
  using Clock = std::chrono::steady_clock;
  BuildContext Context{Request, Folder->path().str(), SourceName,
                       Clock::now() +
                           std::chrono::duration_cast<Clock::duration>(
                               std::chrono::duration<double>(Request.Limits.TimeoutSeconds))};
  if (llvm::Error E = writeFileAtomically(Context.Folder + "/" + SourceName, Request.Source))
    return E;
  llvm::Expected<ToolOutcome> Outcome =
      runTool(Context, "compile-error",
              deviceOnlyCommand(Request, SourceName, Context.Folder + "/submission.cubin"));
  if (!Outcome)
    return Outcome.takeError();
  if (!Outcome->Succeeded)
    return makeError("nvcc-failed", "nvcc does not compile the device code: " + Outcome->Why.Text);
  return writeFileAtomically((EntryFolder + "/" + OutputName).str(), Outcome->Output);
}

llvm::Expected<std::vector<KernelResources>> cupel::deviceFigures(BuildRequest Request) {
  if (Request.Tools.Nvcc.empty())
    return makeError("nvcc-missing", "no nvcc, whose ptxas tells registers");
  llvm::Expected<std::string> Key = keyOf(Request);
  if (!Key)
    return Key.takeError();
  llvm::Expected<std::string> Folder = Request.Cache.getOrCreate(
      "figures", *Key, [&](StringRef Temporary) { return runNvcc(Request, Temporary); });
  if (!Folder)
    return Folder.takeError();
  llvm::Expected<std::string> Output = readTextFile(*Folder + "/" + OutputName);
  if (!Output)
    return Output.takeError();
  return readPtxasFigures(*Output);
}
