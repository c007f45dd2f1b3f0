//===- EmulatedStrategy.cpp - the rewritten submission, for the CPU ---------===//

#include "BuildFiles.h"
#include "NvccFlags.h"
#include "cupel/Build/BuildStrategy.h"
#include "cupel/Support/File.h"
#include "cupel/Support/Hash.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/TargetParser/Host.h"

using namespace cupel;
using llvm::StringRef;

/// The HalfMacros that torch tells nvcc, without what \p Source undefines before it includes
/// anything. Headers that are precompiled cannot be told later. `-U` among a Python submission's
/// flags is such a line too.
static std::vector<StringRef> halfMacros(StringRef Source) {
  std::vector<StringRef> Macros(std::begin(HalfMacros), std::end(HalfMacros));
  for (StringRef Line : llvm::split(Source, '\n')) {
    Line = Line.trim();
    if (!Line.consume_front("#"))
      continue;
    Line = Line.ltrim();
    if (Line.starts_with("include"))
      break;
    if (Line.consume_front("undef"))
      llvm::erase(Macros, Line.trim().take_until([](char C) { return C == ' ' || C == '/'; }));
  }
  return Macros;
}

namespace {

/// Clang with a precompiled header of torch and of the headers that stand for CUDA's. Every access
/// to memory calls the run-time: AddressSanitizer puts the calls in, under names of our own.
class EmulatedStrategy : public BuildStrategy {
public:
  StringRef name() const override { return "emulated"; }

  std::string unusable(const Toolchain &Tools) const override {
    if (Tools.Clang.empty())
      return "emulation needs clang++ 22 (package clang-22, or run utils/setup.sh)";
    if (Tools.EmulateLibrary.empty())
      return "libcupel-emulate.so is not beside cupel-worker (build the worker half)";
    if (shareFolder(Tools, "emulate").empty() || shareFolder(Tools, "shadow").empty())
      return "cupel's own headers (share/cupel/emulate) are not there";
    return "";
  }

  llvm::Expected<std::string> fingerprint(const BuildRequest &Request) const override {
    ContentHasher Hasher;
    for (StringRef Folder : {"emulate", "shadow"}) {
      llvm::Expected<std::string> Own = folderHash(shareFolder(Request.Tools, Folder));
      if (!Own)
        return Own.takeError();
      Hasher.add(*Own);
    }
    for (const std::string &File : {Request.Tools.Clang, Request.Tools.EmulateLibrary,
                                    Request.Tools.CudaHome + "/include/cuda_runtime_api.h"})
      Hasher.add(fileStamp(File));
    for (const std::string &Word : flags(Request))
      Hasher.add(Word);
    return Hasher.add(Request.Tools.TorchVersion).hex();
  }

  llvm::Expected<StrategyResult> compile(const BuildContext &Context) const override {
    StrategyResult Result;
    llvm::Expected<std::string> Header = precompiledHeader(Context, Result.Outcome);
    if (!Header) {
      if (Result.Outcome.Succeeded)
        return Header.takeError();
      llvm::consumeError(Header.takeError());
      return Result;
    }
    std::string Object = Context.Folder + "/submission.o";
    Result.Command = flags(Context.Request);
    Result.Command.insert(Result.Command.end(),
                          {"-include-pch", *Header, "-Xclang", "-fno-validate-pch", "-x", "c++",
                           "-c", Context.SourceFile, "-o", Object});
    llvm::Expected<ToolOutcome> Outcome = runTool(Context, "compile-error", Result.Command);
    if (!Outcome)
      return Outcome.takeError();
    Result.Outcome = std::move(*Outcome);
    if (Result.Outcome.Succeeded)
      Result.Objects = {Object};
    return Result;
  }

private:
  static std::vector<std::string> flags(const BuildRequest &Request) {
    const Toolchain &Tools = Request.Tools;
    std::vector<std::string> Command = {Tools.Clang};
    for (const char *Flag :
         {"-std=c++20", "-O1", "-g1", "-gdwarf-aranges", "-w", "-fPIC", "-fvisibility=hidden",
          "-pthread", "-fno-omit-frame-pointer", "-fclang-abi-compat=17", "-fdeclspec",
          "-ffp-contract=off", "-ferror-limit=50", "-fno-color-diagnostics",
          "-fno-caret-diagnostics",
          // Each access calls libcupel-emulate.so, which has shadow memory of its own for the
          // device's memory and knows the variables outside of functions; stack is C++'s.
          "-fsanitize=address,alignment", "-fsanitize-address-use-after-return=never", "-mllvm",
          "-asan-instrumentation-with-call-threshold=0", "-mllvm",
          "-asan-memory-access-callback-prefix=__cupel_", "-mllvm", "-asan-stack=0", "-mllvm",
          "-asan-initialization-order=0", "-mllvm", "-asan-guard-against-version-mismatch=0",
          "-mllvm", "-asan-opt-same-temp=0", "-mllvm", "-asan-instrument-atomics=0",
          // A thread that waits for a variable of the device is seen by its reads.
          "-mllvm", "-asan-opt-globals=0",
          // In a kernel `new` gives nullptr where the heap is full.
          "-fcheck-new",
          // As for a GPU: no barrier may become two, also not one in a function that is inlined,
          // and no two may become one, which code generation would make of the ends of branches.
          "-fconvergent-functions", "-mllvm", "-enable-tail-merge=false",
          // A call's place in the source is its return address.
          "-fno-optimize-sibling-calls", "-DTORCH_EXTENSION_NAME=cupel_submission",
          "-DTORCH_API_INCLUDE_EXTENSION_H"})
      Command.push_back(Flag);
    for (StringRef Macro : halfMacros(Request.EmulatedSource))
      Command.push_back(("-D" + Macro).str());
    // Half precision by the processor's own instructions (HalfConversions.h). The flags are in the
    // cache's key, so another machine's build is not taken.
    if (llvm::sys::getHostCPUFeatures().lookup("f16c"))
      Command.push_back("-mf16c");
    Command.push_back(std::string("-D_GLIBCXX_USE_CXX11_ABI=") + (Tools.TorchCxx11Abi ? "1" : "0"));
    for (StringRef Folder : {"emulate", "shadow"})
      Command.insert(Command.end(), {"-isystem", shareFolder(Tools, Folder)});
    for (const std::string &Folder : Tools.torchIncludeDirs())
      Command.insert(Command.end(), {"-isystem", Folder});
    // Whatever of CUDA has no stand-in: plain types and constants compile as they are.
    for (StringRef Folder : {"/include", "/include/cccl"})
      Command.insert(Command.end(), {"-isystem", Tools.CudaHome + Folder.str()});
    return Command;
  }

  /// Path of the precompiled header, made when there is none. An error with \p Outcome failed: the
  /// compiler said why.
  llvm::Expected<std::string> precompiledHeader(const BuildContext &Context,
                                                ToolOutcome &Outcome) const {
    const BuildRequest &Request = Context.Request;
    llvm::Expected<std::string> Key = fingerprint(Request);
    if (!Key)
      return Key.takeError();
    Outcome.Succeeded = true;
    CacheDirectory Cache = Request.Cache;
    llvm::Expected<std::string> Folder =
        Cache.getOrCreate("emulate-pch", *Key, [&](StringRef Temporary) -> llvm::Error {
          std::vector<std::string> Command = flags(Request);
          // With the headers' templates instantiated in it, each submission finds them made.
          Command.insert(Command.end(),
                         {"-fpch-instantiate-templates", "-x", "c++-header",
                          shareFolder(Request.Tools, "emulate") + "/cupel/emulate-prefix.h", "-o",
                          (Temporary + "/prefix.pch").str()});
          llvm::Expected<ToolOutcome> Ran = runTool(Context, "emulation-headers", Command);
          if (!Ran)
            return Ran.takeError();
          Outcome = std::move(*Ran);
          return Outcome.Succeeded ? llvm::Error::success()
                                   : makeError(Outcome.Why.Code, Outcome.Why.Text);
        });
    if (!Folder)
      return Folder.takeError();
    return *Folder + "/prefix.pch";
  }
};

} // namespace

std::unique_ptr<BuildStrategy> cupel::emulatedStrategy() {
  return std::make_unique<EmulatedStrategy>();
}
