//===- HostTools.cpp - the host compiler's part of a build -------------------===//

#include "HostTools.h"
#include "BuildFiles.h"
#include "cupel/Support/File.h"
#include "cupel/Support/Hash.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace cupel;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// The boxed half of the adapter
//===----------------------------------------------------------------------===//

std::vector<std::string> AdapterObject::command(const BuildRequest &Request, StringRef Source,
                                                StringRef Object) const {
  // -O1: a boxed call costs well under a microsecond, and a compile at -O2 half a second more.
  std::vector<std::string> Command = {Request.Tools.HostCompiler,
                                      "-std=c++17",
                                      "-O1",
                                      "-fPIC",
                                      "-fvisibility=hidden",
                                      "-w",
                                      std::string("-D_GLIBCXX_USE_CXX11_ABI=") +
                                          (Request.Tools.TorchCxx11Abi ? "1" : "0")};
  for (const std::string &Folder : Request.Tools.torchIncludeDirs())
    Command.insert(Command.end(), {"-isystem", Folder});
  Command.insert(Command.end(), {"-x", "c++", "-c", Source.str(), "-o", Object.str()});
  return Command;
}

std::string AdapterObject::fingerprint(const BuildRequest &Request) const {
  ContentHasher Hasher;
  Hasher.add(Boxed).add(fileStamp(Request.Tools.HostCompiler)).add(Request.Tools.TorchVersion);
  for (const std::string &Word : command(Request, "in", "out"))
    Hasher.add(Word);
  if (Request.Split)
    Hasher.add(Request.Split->Pch).add(fileStamp(Request.Split->Compiler));
  return Hasher.hex();
}

/// Clang with its precompiled header takes a tenth of the time.
llvm::Expected<ToolOutcome> AdapterObject::compileIn(const BuildContext &Context,
                                                     StringRef Folder) const {
  HostObjectFiles Files{(Folder + "/adapter.cpp").str(), (Folder + "/adapter.o").str(),
                        (Folder + "/names.json").str()};
  if (llvm::Error E = writeFileAtomically(Files.Source, Boxed))
    return E;
  if (Context.Request.Split && Context.Request.Split->WhyNot.empty()) {
    llvm::Expected<ToolOutcome> Ran = compileHostObject(Context, Files, "adapter-error");
    if (!Ran || Ran->Succeeded)
      return Ran;
  }
  return runTool(Context, "adapter-error", command(Context.Request, Files.Source, Files.Object));
}

llvm::Expected<ToolOutcome> AdapterObject::compile(const BuildContext &Context) {
  CacheDirectory Cache = Context.Request.Cache;
  ToolOutcome Outcome;
  Outcome.Succeeded = true;
  llvm::Expected<std::string> Folder = Cache.getOrCreate(
      "adapter", fingerprint(Context.Request), [&](StringRef Temporary) -> llvm::Error {
        llvm::Expected<ToolOutcome> Ran = compileIn(Context, Temporary);
        if (!Ran)
          return Ran.takeError();
        Outcome = std::move(*Ran);
        return Outcome.Succeeded ? llvm::Error::success()
                                 : makeError(Outcome.Why.Code, Outcome.Why.Text);
      });
  if (!Folder) {
    if (Outcome.Succeeded)
      return Folder.takeError();
    llvm::consumeError(Folder.takeError());
    return Outcome;
  }
  Path = *Folder + "/adapter.o";
  return Outcome;
}

//===----------------------------------------------------------------------===//
// Host code by Clang
//===----------------------------------------------------------------------===//

llvm::Expected<ToolOutcome> cupel::compileHostObject(const BuildContext &Context,
                                                     const HostObjectFiles &Files,
                                                     StringRef FailureCode) {
  const SplitRequest &Split = *Context.Request.Split;
  llvm::json::Value Job = llvm::json::Object{{"arguments", Split.Arguments},
                                             {"pch", Split.Pch},
                                             {"source", Files.Source},
                                             {"object", Files.Object},
                                             {"names", Files.Names}};
  std::string Path = Files.Object + ".json";
  if (llvm::Error E = writeFileAtomically(Path, llvm::formatv("{0:2}\n", Job).str()))
    return E;
  return runTool(Context, FailureCode, {Split.Compiler, "host-object", Path});
}

//===----------------------------------------------------------------------===//
// The link
//===----------------------------------------------------------------------===//

llvm::Expected<std::vector<std::string>> cupel::linkCommand(const BuildRequest &Request,
                                                            llvm::ArrayRef<std::string> Objects,
                                                            StringRef Library) {
  const Toolchain &Tools = Request.Tools;
  // Everything must be there when the library is loaded (-z now), so it must be there when it is
  // linked. -Bsymbolic: the library's calls to its own functions stay its own. No rpath: the worker
  // has loaded torch and the CUDA runtime, and their names are found among what is loaded.
  std::vector<std::string> Command = {Tools.HostCompiler, "-shared", "-o", Library.str()};
  Command.insert(Command.end(), Objects.begin(), Objects.end());
  for (const char *Flag : {"-Wl,-Bsymbolic", "-Wl,-z,now", "-Wl,-z,relro", "-Wl,--no-undefined",
                           "-Wl,--as-needed", "-Wl,--no-demangle"})
    Command.push_back(Flag);
  Command.push_back("-L" + Tools.TorchHome + "/lib");
  // The emulation stands for what is CUDA's.
  for (StringRef Name : {"c10", "torch_cpu", "c10_cuda", "torch_cuda"})
    if ((Request.EmulatedSource.empty() || !Name.ends_with("_cuda")) &&
        llvm::sys::fs::exists(Tools.TorchHome + "/lib/lib" + Name.str() + ".so"))
      Command.push_back("-l" + Name.str());
  if (!Request.EmulatedSource.empty()) {
    Command.push_back(Tools.EmulateLibrary);
    Command.push_back("-Wl,@" + shareFolder(Tools, "emulate") + "/link-options.txt");
    return Command;
  }
  if (std::string Runtime = cudaRuntimeLibrary(Tools); !Runtime.empty())
    Command.push_back(Runtime);
  // Needed only by a submission that calls the driver (cuTensorMapEncodeTiled), which can reach it
  // by cudaGetDriverEntryPoint all the same. A machine with a GPU has it.
  if (std::string Driver = cudaDriverLibrary(Tools); !Driver.empty())
    Command.push_back(Driver);
  for (const std::string &Name : Request.Libraries) {
    std::string Path = vendorLibrary(Tools, Name);
    if (Path.empty())
      return makeError("build-library-missing",
                       "the problem allows the library '" + Name +
                           "', which is neither among torch's nor in the CUDA toolkit");
    Command.push_back(Path);
  }
  return Command;
}
