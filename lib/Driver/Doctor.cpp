//===- Doctor.cpp - what of the machine is usable ---------------------------===//

#include "Doctor.h"
#include "cupel/Driver/Commands.h"
#include "cupel/Problem/ProblemReader.h"
#include "cupel/Report/Version.h"
#include "cupel/Runner/IsolationRecord.h"
#include "cupel/Support/CacheDirectory.h"
#include "cupel/Support/File.h"
#include "cupel/Support/Json.h"
#include "cupel/Support/Process.h"
#include "cupel/Support/Text.h"
#include "cupel/Support/Toolchain.h"
#include "cupel/Support/TorchPlace.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace cupel;
using llvm::StringRef;
namespace json = llvm::json;

bool Diagnosis::has(StringRef Feature) const {
  return llvm::any_of(Features,
                      [&](const FeatureState &F) { return F.Name == Feature && F.Available; });
}

namespace {

constexpr const char *TorchHelp = "pip install torch==2.11.0, and set CUPEL_PYTHON to that python";
constexpr const char *CudaHelp = "install the CUDA toolkit 13.0 or `pip install "
                                 "cuda-toolkit[nvcc,crt,nvvm,cccl,cupti]==13.0.2`, and set "
                                 "CUPEL_CUDA_HOME";

/// Standard output of a program that is asked for its version; empty when it does not answer.
std::string ask(StringRef Program, std::vector<std::string> Arguments, double TimeoutSeconds) {
  ProcessOptions Options;
  Options.Program = Program.str();
  Options.Arguments = std::move(Arguments);
  Options.TimeoutSeconds = TimeoutSeconds;
  llvm::Expected<ProcessResult> Result = runProcess(Options);
  if (!Result) {
    llvm::consumeError(Result.takeError());
    return "";
  }
  return Result->succeeded() ? Result->Stdout : "";
}

/// The text between \p Before and the next white space or comma.
std::string wordAfter(StringRef Text, StringRef Before) {
  size_t At = Text.find(Before);
  if (At == StringRef::npos)
    return "";
  return Text.substr(At + Before.size())
      .take_until([](char C) { return llvm::isSpace(C) || C == ','; })
      .str();
}

ToolState tool(StringRef Name, StringRef Path, StringRef Version, StringRef Help) {
  bool Found = !Path.empty();
  return {Name.str(), Found, Version.str(), Path.str(), Found ? "" : Help.str()};
}

/// The kernel module's version; it is there without the user-space half too.
ToolState nvidiaDriver() {
  llvm::Expected<std::string> Text = readFile("/sys/module/nvidia/version", 4096);
  if (!Text) {
    llvm::consumeError(Text.takeError());
    return tool("NVIDIA driver", "", "",
                "install the driver of the GPU (580 or later for CUDA 13)");
  }
  return tool("NVIDIA driver", "/sys/module/nvidia", StringRef(*Text).trim(), "");
}

ToolState clangHeaders(const Toolchain &Tools) {
  bool Found = llvm::sys::fs::exists(Tools.ClangResourceDir + "/include/stddef.h");
  return tool("Clang headers", Found ? StringRef(Tools.ClangResourceDir) : "", "22",
              "install cupel whole (lib/clang/22 beside bin), or the package "
              "libclang-common-22-dev");
}

/// What the emulation compiles with and runs on, as one thing: each is of no use without the
/// others.
ToolState emulation(const Toolchain &Tools) {
  auto Missing = [](StringRef What) { return tool("emulation", "", "", What); };
  if (Tools.Clang.empty())
    return Missing("apt-get install clang-22 (or run utils/setup.sh)");
  if (Tools.EmulateLibrary.empty())
    return Missing("build the worker half, which brings libcupel-emulate.so");
  return tool("emulation", Tools.EmulateLibrary, "", "");
}

ToolState cupti(const Toolchain &Tools) {
  for (StringRef Folder : {"/extras/CUPTI/lib64", "/lib64", "/targets/x86_64-linux/lib", "/lib"}) {
    if (Tools.CudaHome.empty())
      break;
    std::error_code EC;
    for (llvm::sys::fs::directory_iterator I(Tools.CudaHome + Folder, EC), End; I != End && !EC;
         I.increment(EC))
      if (StringRef(I->path()).contains("/libcupti.so"))
        return tool("CUPTI", Tools.CudaHome + Folder.str(), "", "");
  }
  return tool("CUPTI", "", "", "`pip install cuda-toolkit[cupti]==13.0.2`, or the toolkit's CUPTI");
}

ToolState problemFolder(const Toolchain &Tools) {
  llvm::Expected<std::vector<std::string>> Problems = listProblems();
  size_t Count = Problems ? Problems->size() : 0;
  if (!Problems)
    llvm::consumeError(Problems.takeError());
  return tool("problems", Count ? StringRef(Tools.ProblemDir) : "",
              std::to_string(Count) + " problems",
              "install cupel whole (share/cupel/problems), or set CUPEL_PROBLEMS");
}

ToolState cacheFolder() {
  CacheDirectory Cache = CacheDirectory::standard();
  if (llvm::Error Failed = Cache.prepare())
    return tool("cache", "", "", takeReasons(std::move(Failed)).front().Text);
  return tool("cache", Cache.root(), formatBytes(Cache.totalBytes()), "");
}

/// What the worker says of itself and the GPU (docs/protocol.md, `info`).
struct WorkerInfo {
  std::string Torch, DeviceName, NoGpu, NoCounters, NoClocks;
  bool Answers = false, Gpu = false, Counters = false, Clocks = false;
};

WorkerInfo askWorker(const Toolchain &Tools) {
  WorkerInfo Info;
  if (Tools.Worker.empty())
    return Info;
  // Making a CUDA context on a machine with eight GPUs takes seconds.
  llvm::Expected<json::Value> Reply = parseJson(ask(Tools.Worker, {"info"}, 60));
  if (!Reply) {
    llvm::consumeError(Reply.takeError());
    return Info;
  }
  const json::Object *Root = Reply->getAsObject();
  if (!Root)
    return Info;
  auto Text = [](const json::Object &O, StringRef Key) {
    return O.getString(Key).value_or("").str();
  };
  Info.Answers = true;
  Info.Torch = Text(*Root, "torch");
  Info.NoGpu = Text(*Root, "cuda_reason");
  Info.DeviceName = Text(*Root, "device_name");
  Info.Gpu = Root->getInteger("sm").value_or(0) != 0 || !Text(*Root, "sm").empty();
  if (const json::Object *Features = Root->getObject("features")) {
    Info.Counters = Features->getBoolean("counters").value_or(false);
    Info.NoCounters = Text(*Features, "counters_reason");
    Info.Clocks = Features->getBoolean("clocks").value_or(false);
    Info.NoClocks = Text(*Features, "clocks_reason");
  }
  return Info;
}

ToolState gpu(const WorkerInfo &Info) {
  ToolState State = tool("GPU", "", Info.Gpu ? StringRef(Info.DeviceName) : "",
                         Info.Answers ? "run on a machine with an NVIDIA GPU" +
                                            (Info.NoGpu.empty() ? "" : " (" + Info.NoGpu + ")")
                                      : "unknown: the worker, which asks the driver, does not run");
  State.Found = Info.Gpu;
  if (State.Found)
    State.Help.clear();
  return State;
}

/// A feature that needs the tools named; those that are missing are its reason.
FeatureState feature(const Diagnosis &D, StringRef Name, llvm::ArrayRef<StringRef> Needs) {
  std::vector<StringRef> Missing;
  for (StringRef Need : Needs)
    if (llvm::any_of(D.Tools, [&](const ToolState &T) { return T.Name == Need && !T.Found; }))
      Missing.push_back(Need);
  if (Missing.empty())
    return {Name.str(), true, ""};
  return {Name.str(), false, "missing: " + llvm::join(Missing, ", ")};
}

} // namespace

Diagnosis cupel::examineMachine() {
  const Toolchain &Tools = findToolchain();
  const WorkerInfo Info = askWorker(Tools);
  const std::string Nvcc = Tools.Nvcc.empty() ? "" : ask(Tools.Nvcc, {"--version"}, 30);
  const std::string Unreadable = whyTorchIsUnreadable();
  Diagnosis D;
  D.Tools = {
      clangHeaders(Tools),
      tool("CUDA headers", Tools.CudaHome, Tools.CudaVersion, CudaHelp),
      tool("nvcc", Nvcc.empty() ? "" : StringRef(Tools.Nvcc), wordAfter(Nvcc, ", V"), CudaHelp),
      tool("host compiler", Tools.HostCompiler, "", "apt-get install g++"),
      tool("torch", Tools.TorchHome, Tools.TorchVersion,
           Unreadable.empty() ? StringRef(TorchHelp) : StringRef(Unreadable)),
      tool("Python", Tools.Python, wordAfter(ask(Tools.Python, {"--version"}, 30), "Python "),
           "apt-get install python3"),
      tool("worker", Info.Answers ? StringRef(Tools.Worker) : "",
           Info.Answers ? "torch " + Info.Torch : "",
           Tools.Worker.empty()
               ? "build cupel-worker (-DCUPEL_ENABLE_WORKER=ON), or set CUPEL_WORKER"
               : "'" + Tools.Worker + " info' does not answer; run it to see why"),
      nvidiaDriver(),
      gpu(Info),
      emulation(Tools),
      cupti(Tools),
      problemFolder(Tools),
      cacheFolder(),
  };
  D.Features = {
      feature(D, "lint", {"Clang headers", "CUDA headers", "torch", "cache"}),
      feature(D, "build", {"nvcc", "CUDA headers", "host compiler", "torch", "cache"}),
      feature(D, "eval on a GPU",
              {"Clang headers", "CUDA headers", "nvcc", "host compiler", "torch", "worker", "GPU",
               "cache"}),
      feature(D, "counters", {"worker", "GPU", "CUPTI"}),
      feature(D, "clocks", {"worker", "GPU"}),
      feature(D, "compiled baseline", {"Python", "torch", "worker", "GPU", "cache"}),
      {"Python problems and submissions", false, "not in this version"},
      feature(D, "eval without a GPU",
              {"Clang headers", "CUDA headers", "host compiler", "torch", "worker", "emulation",
               "cache"}),
  };
  if (llvm::Expected<IsolationReport> Report = probeIsolation())
    D.Isolation = std::move(*Report);
  else
    D.NoIsolation = takeReasons(Report.takeError()).front().Text;
  auto Refuse = [&](StringRef Name, bool Works, const std::string &Why) {
    for (FeatureState &F : D.Features)
      if (F.Name == Name && F.Available && !Works)
        F = {Name.str(), false, Why};
  };
  Refuse("counters", Info.Counters, Info.NoCounters);
  Refuse("clocks", Info.Clocks, Info.NoClocks);
  return D;
}

void cupel::writeText(const Diagnosis &D, llvm::raw_ostream &OS) {
  OS << "cupel " << CupelVersion << "\n\n";
  for (const ToolState &T : D.Tools) {
    OS << (T.Found ? "  ok       " : "  missing  ") << llvm::left_justify(T.Name, 15);
    if (!T.Found)
      OS << T.Help << '\n';
    else
      OS << T.Version << (T.Version.empty() || T.Path.empty() ? "" : "  ") << T.Path << '\n';
  }
  OS << "\nWhat works with it:\n";
  for (const FeatureState &F : D.Features)
    OS << (F.Available ? "  yes      " : "  no       ") << F.Name
       << (F.Available ? "" : " (" + F.Reason + ")") << '\n';
  OS << "\nWhat keeps submissions from the rest of the machine:\n";
  for (const LayerState &L : D.Isolation)
    OS << (L.Held ? "  yes      " : "  no       ") << toString(L.Layer)
       << (L.Held ? "" : " (" + L.Why + ")") << '\n';
  if (D.Isolation.empty())
    OS << "  unknown  " << D.NoIsolation << '\n';
}

void cupel::writeJson(const Diagnosis &D, llvm::raw_ostream &OS) {
  auto Text = [](StringRef Value) -> json::Value {
    return Value.empty() ? json::Value(nullptr) : json::Value(json::fixUTF8(Value));
  };
  json::OStream J(OS, 2);
  J.object([&] {
    J.attribute("cupel", CupelVersion);
    J.attributeArray("tools", [&] {
      for (const ToolState &T : D.Tools)
        J.object([&] {
          J.attribute("name", T.Name);
          J.attribute("found", T.Found);
          J.attribute("version", Text(T.Version));
          J.attribute("path", Text(T.Path));
          J.attribute("help", Text(T.Help));
        });
    });
    J.attributeArray("features", [&] {
      for (const FeatureState &F : D.Features)
        J.object([&] {
          J.attribute("name", F.Name);
          J.attribute("available", F.Available);
          J.attribute("reason", Text(F.Reason));
        });
    });
    J.attribute("isolation", toJson(D.Isolation));
    J.attribute("isolation_reason", Text(D.NoIsolation));
  });
  OS << '\n';
}

llvm::Expected<int> cupel::doctorCommand(const DoctorOptions &Options, llvm::raw_ostream &OS) {
  Diagnosis D = examineMachine();
  Options.Format == "json" ? writeJson(D, OS) : writeText(D, OS);
  // A machine that can lint is of use, and the text says what it cannot do.
  return D.has("lint") ? ExitDone : ExitCouldNotJudge;
}
