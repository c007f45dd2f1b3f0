//===- CompileCommand.cpp - Clang's arguments for one pass ------------------===//

#include "CompileCommand.h"
#include "DiagnosticCollector.h"
#include "cupel/Frontend/Headers.h"
#include "cupel/Frontend/HostPass.h"
#include "clang/Basic/DiagnosticIDs.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/TargetParser/Host.h"
#include <map>
#include <mutex>

using namespace cupel;

llvm::StringRef cupel::toString(HeaderSet Set) {
  switch (Set) {
  case HeaderSet::CudaOnly:
    return "cuda";
  case HeaderSet::Slim:
    return "slim";
  case HeaderSet::Full:
    return "full";
  }
  llvm_unreachable("unknown header set");
}

std::string cupel::prefixHeader(const Toolchain &Tools, HeaderSet Set) {
  return parseHeaderDir(Tools) + "/cupel/prefix-" + toString(Set).str() + ".h";
}

std::string cupel::parseHeaderDir(const Toolchain &Tools) { return Tools.ownFile("parse"); }

std::vector<std::string> cupel::submissionMacros() {
  return {"TORCH_EXTENSION_NAME=cupel_submission",
          "TORCH_API_INCLUDE_EXTENSION_H",
          "__CUDA_NO_HALF_OPERATORS__",
          "__CUDA_NO_HALF_CONVERSIONS__",
          "__CUDA_NO_BFLOAT16_CONVERSIONS__",
          "__CUDA_NO_HALF2_OPERATORS__"};
}

static std::vector<std::string> driverArguments(const Toolchain &Tools, const PassSetup &Setup) {
  std::vector<std::string> Args = {
      "clang++", "-fsyntax-only", "-x", "cuda", "-std=c++17",
      Setup.Pass == PassKind::Host ? "--cuda-host-only" : "--cuda-device-only",
      "--cuda-gpu-arch=" + Setup.Architecture, "--cuda-path=" + Tools.CudaHome,
      // Clang 22 knows CUDA up to 12.9 and warns of 13.0, whose headers it reads well.
      "-Wno-unknown-cuda-version",
      // The limits that keep a hostile source from taking the machine; the largest that kernels
      // need is far below (CUTLASS: 200 levels).
      "-ferror-limit=" + std::to_string(ErrorLimit), "-ftemplate-depth=512", "-fbracket-depth=256",
      "-fconstexpr-depth=512", "-fconstexpr-steps=1000000", "-ftemplate-backtrace-limit=3",
      "-fno-spell-checking"};
  // What the parse does not need and the split build does (docs/build.md), so that one precompiled
  // header serves both. libtorch is g++'s, whose names Clang 18 and later make differently.
  if (Setup.Pass == PassKind::Host)
    Args.insert(Args.end(), {"-O2", "-fPIC", "-fvisibility=hidden", "-fclang-abi-compat=17",
                             "--no-offload-new-driver"});
  for (const std::string &Macro : submissionMacros())
    Args.push_back("-D" + Macro);
  auto AddInclude = [&](const std::string &Dir) {
    if (!Dir.empty())
      Args.insert(Args.end(), {"-isystem", Dir});
  };
  if (!Tools.ClangResourceDir.empty())
    Args.insert(Args.end(), {"-resource-dir", Tools.ClangResourceDir});
  if (Setup.Headers == HeaderSet::Slim)
    AddInclude(parseHeaderDir(Tools));
  AddInclude(Tools.CudaHome + "/include/cccl");
  if (Setup.Headers != HeaderSet::CudaOnly) {
    for (const std::string &Dir : Tools.torchIncludeDirs())
      AddInclude(Dir);
    AddInclude(Tools.PythonInclude);
  }
  return Args;
}

static llvm::Expected<std::vector<std::string>> runDriver(const std::vector<std::string> &Args) {
  clang::DiagnosticOptions Options;
  DiagnosticCollector Collector(PassKind::Host);
  clang::DiagnosticsEngine Diagnostics(clang::DiagnosticIDs::create(), Options, &Collector, false);
  clang::driver::Driver Driver(Args.front(), llvm::sys::getDefaultTargetTriple(), Diagnostics);
  Driver.setCheckInputsExist(false);

  std::vector<const char *> Pointers;
  for (const std::string &Arg : Args)
    Pointers.push_back(Arg.c_str());
  Pointers.push_back("submission.cu");
  std::unique_ptr<clang::driver::Compilation> Compilation(Driver.BuildCompilation(Pointers));
  if (!Compilation || Compilation->containsError() || Compilation->getJobs().size() != 1) {
    std::string Why = Collector.takeMessages().empty() ? "no compile job" : Collector.firstError();
    return makeError("frontend-no-command", "Clang's driver cannot set up the parse: " + Why);
  }

  std::vector<std::string> Result;
  const llvm::opt::ArgStringList &Job = Compilation->getJobs().begin()->getArguments();
  for (size_t I = 0; I != Job.size(); ++I) {
    llvm::StringRef Arg = Job[I];
    if (Arg == "-cc1" || Arg.starts_with("-cuid=") || Arg == "submission.cu")
      continue;
    if (Arg == "-main-file-name" || Arg == "-mlink-builtin-bitcode") {
      ++I;
      continue;
    }
    // These name the current folder, which must not decide the precompiled header's key.
    if (Arg.starts_with("-fdebug-compilation-dir=") ||
        Arg.starts_with("-fcoverage-compilation-dir="))
      continue;
    Result.push_back(Arg.str());
  }
  return Result;
}

std::string cupel::versionOfGcc(llvm::ArrayRef<std::string> Arguments) {
  for (llvm::StringRef Arg : Arguments)
    if (auto [Before, Found] = Arg.rsplit("/include/c++/"); Before != Arg)
      if (llvm::StringRef Version = Found.take_while(llvm::isDigit); !Version.empty())
        return ("#undef __GNUC__\n#define __GNUC__ " + Version +
                "\n#undef __GNUG__\n#define __GNUG__ " + Version + "\n")
            .str();
  return "";
}

llvm::Expected<std::vector<std::string>> cupel::cc1Arguments(const Toolchain &Tools,
                                                             const PassSetup &Setup) {
  if (Tools.CudaHome.empty() || !llvm::sys::fs::exists(Tools.CudaHome + "/include/cuda_runtime.h"))
    return makeError("frontend-no-cuda", "no CUDA headers: set CUPEL_CUDA_HOME to a folder with "
                                         "include/cuda_runtime.h, or run utils/setup.sh");
  static std::mutex Lock;
  static std::map<std::vector<std::string>, std::vector<std::string>> Known;

  std::vector<std::string> Args = driverArguments(Tools, Setup);
  std::lock_guard<std::mutex> Guard(Lock);
  if (auto It = Known.find(Args); It != Known.end())
    return It->second;
  llvm::Expected<std::vector<std::string>> Result = runDriver(Args);
  if (Result)
    Known[Args] = *Result;
  return Result;
}
