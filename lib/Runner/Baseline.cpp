//===- Baseline.cpp - names of baselines, and packages of compiled ones ------===//

#include "cupel/Runner/Baseline.h"
#include "Judge.h"
#include "cupel/Support/CacheDirectory.h"
#include "cupel/Support/File.h"
#include "cupel/Support/Hash.h"
#include "cupel/Support/Process.h"
#include "cupel/Support/Text.h"
#include "cupel/Support/Toolchain.h"
#include "llvm/Support/FileSystem.h"

using namespace cupel;
using llvm::StringRef;
namespace json = llvm::json;

static constexpr StringRef CacheKind = "baseline", PackageName = "model.pt2";

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static StringRef plainName(BaselineKind::Maker How) {
  switch (How) {
  case BaselineKind::Maker::Eager:
    return "eager";
  case BaselineKind::Maker::Graphed:
    return "graphed";
  case BaselineKind::Maker::Compiled:
    return "compiled";
  }
  llvm_unreachable("unknown maker");
}

std::string BaselineKind::workerName() const {
  return (plainName(How) + (Tf32 ? "-tf32" : "")).str();
}

std::string BaselineKind::name() const {
  return (plainName(How) + (Autotune ? "-autotune" : "") + (Tf32 ? "-tf32" : "")).str();
}

static std::vector<BaselineKind> allKinds() {
  std::vector<BaselineKind> Kinds;
  for (bool Tf32 : {false, true})
    for (auto [How, Autotune] : {std::pair(BaselineKind::Maker::Eager, false),
                                 std::pair(BaselineKind::Maker::Graphed, false),
                                 std::pair(BaselineKind::Maker::Compiled, false),
                                 std::pair(BaselineKind::Maker::Compiled, true)})
      Kinds.push_back({How, Autotune, Tf32});
  return Kinds;
}

std::vector<std::string> cupel::baselineNames() {
  std::vector<std::string> Names;
  for (const BaselineKind &Kind : allKinds())
    Names.push_back(Kind.name());
  return Names;
}

std::optional<BaselineKind> cupel::parseBaseline(StringRef Name) {
  for (const BaselineKind &Kind : allKinds())
    if (Kind.name() == Name)
      return Kind;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Packages
//===----------------------------------------------------------------------===//

/// What share/python/make_baseline.py reads, without the package's path.
static json::Object packageRequest(const ProblemSpec &Problem, const CaseSpec &Case,
                                   const BaselineKind &Kind) {
  json::Object Request = std::move(*toJson(Problem, Case).getAsObject());
  Request.erase("name"); // The sizes say what the package is for, not what the case is called.
  Request["source"] = Problem.ReferenceSource;
  Request["autotune"] = Kind.Autotune;
  Request["tf32"] = Kind.Tf32;
  Request["device"] = "cuda";
  return Request;
}

static std::string makerScript() { return findToolchain().ownFile("python/make_baseline.py"); }

std::string BaselinePackages::key(const json::Object &Request) const {
  std::string Text;
  llvm::raw_string_ostream(Text) << json::Value(json::Object(Request));
  ContentHasher Hash;
  Hash.add(Text).add(DeviceName).add(TorchVersion);
  // A script that is gone will be told of when it is needed.
  if (llvm::Expected<std::string> Script = readTextFile(makerScript()))
    Hash.add(*Script);
  else
    llvm::consumeError(Script.takeError());
  return Hash.hex();
}

std::optional<std::string> BaselinePackages::find(const ProblemSpec &Problem, const CaseSpec &Case,
                                                  const BaselineKind &Kind) const {
  std::optional<std::string> Folder =
      CacheDirectory::standard().lookup(CacheKind, key(packageRequest(Problem, Case, Kind)));
  if (!Folder)
    return std::nullopt;
  return *Folder + "/" + PackageName.str();
}

static llvm::Error runMaker(json::Object Request, StringRef Folder, double TimeoutSeconds) {
  ProcessOptions Python;
  Python.Program = findToolchain().Python;
  if (Python.Program.empty())
    return makeError("python-missing",
                     "a compiled baseline is made by Python with torch; set CUPEL_PYTHON to one");
  const std::string Package = (Folder + "/" + PackageName).str();
  Request["package"] = Package;
  Python.Arguments = {makerScript()};
  llvm::raw_string_ostream(Python.StdinText) << json::Value(std::move(Request));
  Python.TimeoutSeconds = TimeoutSeconds;
  Python.KeptOutputBytes = 64 << 10;
  llvm::Expected<ProcessResult> Result = runProcess(Python);
  if (!Result)
    return Result.takeError();
  if (Result->succeeded() && llvm::sys::fs::exists(Package))
    return llvm::Error::success();
  // A traceback's last line says what went wrong.
  StringRef Output = StringRef(Result->Stderr).rtrim();
  return makeError("baseline-failed", "Python " + Result->describe() + ": " +
                                          printableLine(Output.rsplit('\n').second, 400));
}

llvm::Expected<BaselinePackages::Made> BaselinePackages::make(const ProblemSpec &Problem,
                                                              const CaseSpec &Case,
                                                              const BaselineKind &Kind,
                                                              double TimeoutSeconds) const {
  json::Object Request = packageRequest(Problem, Case, Kind);
  Made Result;
  Result.Cached = true;
  const std::string Key = key(Request);
  const auto Start = std::chrono::steady_clock::now();
  llvm::Expected<std::string> Folder =
      CacheDirectory::standard().getOrCreate(CacheKind, Key, [&](StringRef Folder) {
        Result.Cached = false;
        return runMaker(std::move(Request), Folder, TimeoutSeconds);
      });
  if (!Folder)
    return Folder.takeError();
  Result.Path = *Folder + "/" + PackageName.str();
  Result.Seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - Start).count();
  return Result;
}

llvm::Expected<BaselinePackages> cupel::openBaselinePackages(const WorkerOptions &Options) {
  llvm::Expected<std::unique_ptr<Judge>> Asked = Judge::start(Options);
  if (!Asked)
    return Asked.takeError();
  llvm::Expected<HelloReply> Hello = (*Asked)->awaitHello(Options.Limits.StartSeconds);
  if (!Hello)
    return Hello.takeError();
  return BaselinePackages(Hello->DeviceName, Hello->TorchVersion);
}
