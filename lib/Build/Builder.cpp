//===- Builder.cpp - strategies, link and cache -----------------------------===//

#include "cupel/Build/Builder.h"
#include "BuildFiles.h"
#include "HostTools.h"
#include "cupel/Build/Adapter.h"
#include "cupel/Build/BuildEntry.h"
#include "cupel/Build/BuildStrategy.h"
#include "cupel/Build/CompilerOutput.h"
#include "cupel/Support/File.h"
#include "cupel/Support/Hash.h"
#include "cupel/Support/Text.h"
#include "cupel/Support/TorchPlace.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include <thread>

using namespace cupel;
using llvm::StringRef;
using Clock = std::chrono::steady_clock;

static constexpr const char *SourceName = "submission.cu";

static double secondsSince(Clock::time_point Start) {
  return std::chrono::duration<double>(Clock::now() - Start).count();
}

namespace {

class SubmissionBuild {
public:
  explicit SubmissionBuild(BuildRequest &Request)
      : Request(Request),
        Adapter(generateAdapter(Request.Entries, Request.Tools.TorchVersion, Request.Source)),
        Boxed(Adapter.Boxed) {}

  llvm::Expected<BuildRecord> run();

private:
  llvm::Error chooseStrategies();
  bool toolsAreThere();
  bool entriesAreThere();
  bool sourceIsSound();
  BuildDiagnostic asDiagnostic(const SourceError &Error) const {
    return {"error", {Request.File, Error.Place.Line, Error.Place.Column}, Error.Message};
  }
  bool isKnownError(const ToolOutcome &Outcome) const;
  bool lacksOwn(StringRef Output) const;
  llvm::ArrayRef<SourceSymbol> symbols() const;
  llvm::Expected<std::string> key();
  std::optional<BuildRecord> readEntry(StringRef Folder) const;
  llvm::Error make(StringRef EntryFolder);
  llvm::Error compile(BuildContext &Context, std::vector<std::string> &Objects);
  llvm::Error link(BuildContext &Context, std::vector<std::string> Objects, StringRef Library,
                   bool &IsAuthors);
  llvm::Error linkOrFallBack(BuildContext &Context, std::vector<std::string> Objects,
                             StringRef Library);
  llvm::Error failed(const ToolOutcome &Outcome);
  std::vector<BuildDiagnostic> messagesOf(StringRef Output) const;
  Reason explained(const ToolOutcome &Outcome) const;
  void skip(StringRef Code, const llvm::Twine &Text) {
    Record.State = BuildState::Skipped;
    Record.Reasons.push_back({Code.str(), Text.str()});
  }

  BuildRequest &Request;
  AdapterSource Adapter;
  AdapterObject Boxed;
  std::vector<std::unique_ptr<BuildStrategy>> Strategies;
  BuildRecord Record;
  std::string WorkFolder; ///< Of the compilers, while they run.
  mutable std::optional<std::vector<SourceSymbol>> Symbols;
  Clock::time_point Start = Clock::now();
};

} // namespace

//===----------------------------------------------------------------------===//
// Before anything runs
//===----------------------------------------------------------------------===//

/// `sm_90a`: the digits go into command lines and nothing else may.
static bool isArchitecture(StringRef Text) {
  return Text.consume_front("sm_") && !Text.empty() && Text.size() <= 4 &&
         llvm::all_of(Text.rtrim("af"), [](char C) { return llvm::isDigit(C); }) &&
         Text.rtrim("af").size() >= 2;
}

llvm::Error SubmissionBuild::chooseStrategies() {
  if (Request.Architectures.empty())
    return makeError("build-bad-architecture", "no GPU architecture to build for");
  for (const std::string &Architecture : Request.Architectures)
    if (!isArchitecture(Architecture))
      return makeError("build-bad-architecture",
                       "'" + Architecture + "' is no GPU architecture; one looks like sm_90a");
  for (const std::string &Library : Request.Libraries)
    if (!isKnownLibrary(Library))
      return makeError("build-unknown-library", "cupel cannot link the library '" + Library + "'" +
                                                    didYouMean(Library, knownLibraries()));
  if (!Request.EmulatedSource.empty()) {
    Strategies.push_back(emulatedStrategy());
    return llvm::Error::success();
  }
  std::vector<std::unique_ptr<BuildStrategy>> All = allBuildStrategies();
  if (!Request.Split)
    llvm::erase_if(All, [](const auto &S) { return S->name() == "split"; });
  if (Request.Strategies.empty()) {
    Strategies = std::move(All);
    return llvm::Error::success();
  }
  std::vector<std::string> Names;
  for (const auto &Strategy : All)
    Names.push_back(Strategy->name().str());
  for (const std::string &Name : Request.Strategies) {
    auto It = llvm::find_if(All, [&](const auto &S) { return S && S->name() == Name; });
    if (It == All.end())
      return makeError("build-unknown-strategy",
                       "no way to build is called '" + Name + "'" + didYouMean(Name, Names));
    Strategies.push_back(std::move(*It));
  }
  return llvm::Error::success();
}

bool SubmissionBuild::toolsAreThere() {
  const Toolchain &Tools = Request.Tools;
  if (!Request.EmulatedSource.empty()) {
    if (std::string Why = Strategies.front()->unusable(Tools); !Why.empty())
      skip("emulation-missing", Why);
  } else if (Tools.Nvcc.empty())
    skip("nvcc-missing",
         "no nvcc: install the CUDA toolkit, or set CUPEL_CUDA_HOME to its folder, or "
         "run utils/setup.sh");
  else if (!llvm::sys::fs::can_execute(Tools.Nvcc))
    skip("nvcc-missing", "nvcc cannot be run: " + Tools.Nvcc);
  if (std::string Why = Tools.TorchHome.empty() ? whyTorchIsUnreadable() : ""; !Why.empty())
    skip("torch-missing", Why);
  else if (Tools.TorchHome.empty())
    skip("torch-missing",
         "no torch headers and libraries: set CUPEL_TORCH_HOME to the folder of the "
         "torch package, or run utils/setup.sh");
  if (Tools.HostCompiler.empty())
    skip("host-compiler-missing", "no C++ compiler: install g++, or set CUPEL_HOST_COMPILER");
  return Record.Reasons.empty();
}

/// Refused entries do not keep the others from being called, so they are told as warnings.
bool SubmissionBuild::entriesAreThere() {
  for (const AdapterRefusal &Refused : Adapter.Refused)
    Record.Diagnostics.push_back({Adapter.Accepted ? "warning" : "error",
                                  Request.Entries[Refused.Index].Place, Refused.Why});
  // Clang may have lost them in the errors: without its word on those it is nvcc that says whether
  // the submission or Clang is wrong.
  if (Adapter.Accepted || (Request.Entries.empty() && !Request.Errors.empty()))
    return true;
  Record.State = BuildState::Failed;
  if (Request.Entries.empty())
    Record.Reasons.push_back(
        {"entry-missing",
         "the submission has no function to call: bind one with PYBIND11_MODULE or "
         "TORCH_LIBRARY, or name it 'forward'"});
  else
    Record.Reasons.push_back({"entry-unsupported", Adapter.Refused.front().Why});
  return false;
}

/// nvcc and ld tell no column.
static std::string withPlace(const BuildDiagnostic &D) {
  if (!D.Place.Line)
    return D.Message;
  std::string Column = D.Place.Column ? ":" + std::to_string(D.Place.Column) : "";
  return D.Place.File + ":" + std::to_string(D.Place.Line) + Column + ": " + D.Message;
}

bool SubmissionBuild::sourceIsSound() {
  std::optional<std::string> First;
  for (const SourceError &Error : Request.Errors) {
    if (!Error.IsSure)
      continue;
    Record.Diagnostics.push_back(asDiagnostic(Error));
    if (!First)
      First = withPlace(Record.Diagnostics.back());
  }
  if (!First)
    return true;
  Record.State = BuildState::Failed;
  Record.Reasons.push_back({"compile-error", *First});
  return false;
}

/// Everything that decides what the library does. Of the compilers the path, size and time are
/// taken, of torch the version: reading them whole would take seconds.
llvm::Expected<std::string> SubmissionBuild::key() {
  ContentHasher Hasher;
  Hasher.add("cupel-build-1")
      .add(Request.Source)
      .add(Request.EmulatedSource)
      .add(Adapter.Tail)
      .add(Boxed.fingerprint(Request));
  for (const auto &Strategy : Strategies) {
    Hasher.add(Strategy->name());
    if (std::string Why = Strategy->unusable(Request.Tools); !Why.empty()) {
      Hasher.add(Why);
      continue;
    }
    llvm::Expected<std::string> Print = Strategy->fingerprint(Request);
    if (!Print)
      return Print.takeError();
    Hasher.add(*Print);
  }
  llvm::Expected<std::vector<std::string>> Link = linkCommand(Request, {}, LibraryName);
  if (!Link)
    return Link.takeError();
  for (const std::string &Word : *Link)
    Hasher.add(Word);
  return Hasher.add(Request.Tools.TorchVersion).hex();
}

//===----------------------------------------------------------------------===//
// The entry in the cache
//===----------------------------------------------------------------------===//

/// The entry's record, for today's request.
std::optional<BuildRecord> SubmissionBuild::readEntry(StringRef Folder) const {
  std::optional<BuildRecord> Kept = readBuildEntry(Folder);
  // The same bytes may have another name today.
  if (Kept)
    for (BuildDiagnostic &D : Kept->Diagnostics)
      if (!D.Place.File.empty())
        D.Place.File = Request.File;
  return Kept;
}

//===----------------------------------------------------------------------===//
// Compiling and linking
//===----------------------------------------------------------------------===//

std::vector<BuildDiagnostic> SubmissionBuild::messagesOf(StringRef Output) const {
  OutputReaderOptions Options{SourceName,     Request.File,
                              Request.Source, Request.Limits.MaxDiagnostics,
                              WorkFolder,     [this] { return symbols(); }};
  return readCompilerOutput(Output, Options);
}

llvm::ArrayRef<SourceSymbol> SubmissionBuild::symbols() const {
  if (!Symbols)
    Symbols = Request.Symbols ? Request.Symbols() : std::vector<SourceSymbol>();
  return *Symbols;
}

/// Whether something is missing that the submission declares itself and nobody else can define. No
/// other way to build would find it, nor is it CUDA's, which the emulation may lack.
bool SubmissionBuild::lacksOwn(StringRef Output) const {
  return llvm::any_of(undefinedSymbols(Output), [&](const std::string &Name) {
    const SourceSymbol *Symbol = findSymbol(symbols(), Name);
    return Symbol && Symbol->IsOwn && !Symbol->IsDefined;
  });
}

/// How a tool failed, in the words of its first error where there is one.
Reason SubmissionBuild::explained(const ToolOutcome &Outcome) const {
  Reason Why = Outcome.Why;
  if (!StringRef(Why.Code).ends_with("-error"))
    return Why;
  if (lacksOwn(Outcome.Output))
    Why.Code = "link-error";
  // Clang has read the submission as CUDA before: what fails now is what the emulation lacks.
  else if (!Request.EmulatedSource.empty() && Why.Code != "adapter-error")
    Why.Code = "not-emulated";
  for (const BuildDiagnostic &D : messagesOf(Outcome.Output)) {
    if (D.Severity != "error")
      continue;
    Why.Text = withPlace(D);
    break;
  }
  return Why;
}

/// Puts the failure into the record. The error only tells the cache that there is no entry.
llvm::Error SubmissionBuild::failed(const ToolOutcome &Outcome) {
  Record.State = BuildState::Failed;
  llvm::append_range(Record.Diagnostics, messagesOf(Outcome.Output));
  Record.Reasons.push_back(explained(Outcome));
  return makeError("build-failed", Record.Reasons.back().Text);
}

/// Whether a compiler with few headers failed on a line in which Clang with all of torch's finds
/// fault too.
bool SubmissionBuild::isKnownError(const ToolOutcome &Outcome) const {
  return llvm::any_of(messagesOf(Outcome.Output), [&](const BuildDiagnostic &D) {
    return D.Severity == "error" && D.Place.Line &&
           llvm::any_of(Request.Errors,
                        [&](const SourceError &E) { return E.Place.Line == D.Place.Line; });
  });
}

llvm::Error SubmissionBuild::compile(BuildContext &Context, std::vector<std::string> &Objects) {
  ToolOutcome Last{false, {"build-no-strategy", "no way to build can be used here"}, ""};
  for (const auto &Strategy : Strategies) {
    if (std::string Why = Strategy->unusable(Request.Tools); !Why.empty()) {
      Record.Attempts.push_back({Strategy->name().str(), Why, 0});
      continue;
    }
    Clock::time_point Begin = Clock::now();
    llvm::Expected<StrategyResult> Result = Strategy->compile(Context);
    if (!Result)
      return Result.takeError();
    Record.Strategy = Strategy->name().str();
    Record.Command = Result->Command;
    if (Result->Outcome.Succeeded) {
      Record.Kernels = readPtxasFigures(Result->Outcome.Output);
      llvm::append_range(Record.Diagnostics, messagesOf(Result->Outcome.Output));
      Objects = std::move(Result->Objects);
      return llvm::Error::success();
    }
    Reason Why = explained(Result->Outcome);
    Record.Attempts.push_back(
        {Strategy->name().str(), Why.Code + ": " + Why.Text, secondsSince(Begin)});
    Last = std::move(Result->Outcome);
    if (!Result->MayBeHeaders || isKnownError(Last) || lacksOwn(Last.Output))
      break;
  }
  return failed(Last);
}

/// Undefined symbols of a library that the problem does not allow deserve a plainer word.
static std::string libraryOfSymbol(StringRef Message) {
  StringRef Symbol = Message.split('`').second;
  for (auto [Prefix, Library] : {std::pair<StringRef, StringRef>{"cublasLt", "cublasLt"},
                                 {"cublas", "cublas"},
                                 {"cudnn", "cudnn"},
                                 {"cufft", "cufft"},
                                 {"curand", "curand"},
                                 {"cusolver", "cusolver"},
                                 {"cusparse", "cusparse"}})
    if (Symbol.starts_with(Prefix))
      return Library.str();
  return "";
}

/// \p IsAuthors: what is missing would be in every build.
llvm::Error SubmissionBuild::link(BuildContext &Context, std::vector<std::string> Objects,
                                  StringRef Library, bool &IsAuthors) {
  llvm::Expected<std::vector<std::string>> Command = linkCommand(Request, Objects, Library);
  if (!Command)
    return Command.takeError();
  llvm::Expected<ToolOutcome> Outcome = runTool(Context, "link-error", *Command);
  if (!Outcome)
    return Outcome.takeError();
  if (Outcome->Succeeded)
    return llvm::Error::success();
  IsAuthors = lacksOwn(Outcome->Output);
  llvm::Error Failed = failed(*Outcome);
  for (const BuildDiagnostic &D : Record.Diagnostics)
    if (std::string Name = libraryOfSymbol(D.Message);
        !Name.empty() && !llvm::is_contained(Request.Libraries, Name)) {
      Record.Reasons.back().Text += "; the problem's policy does not allow the library " + Name;
      IsAuthors = true;
      break;
    }
  return Failed;
}

/// What a split build cannot link is built again from the whole file, as is what it cannot compile.
llvm::Error SubmissionBuild::linkOrFallBack(BuildContext &Context, std::vector<std::string> Objects,
                                            StringRef Library) {
  Clock::time_point Begin = Clock::now();
  const BuildRecord Before = Record;
  while (true) {
    Objects.push_back(Boxed.path());
    bool IsAuthors = false;
    llvm::Error Failed = link(Context, Objects, Library, IsAuthors);
    if (!Failed || IsAuthors || Record.Strategy != "split" || Strategies.size() == 1)
      return Failed;
    llvm::consumeError(std::move(Failed));
    const Reason Why = Record.Reasons.empty() ? Reason{"link-error", ""} : Record.Reasons.back();
    Record = Before;
    Record.Attempts.push_back({"split", Why.Code + ": " + Why.Text, secondsSince(Begin)});
    Record.Kernels.clear();
    llvm::erase_if(Strategies, [](const auto &S) { return S->name() == "split"; });
    Objects.clear();
    if (llvm::Error E = compile(Context, Objects))
      return E;
  }
}

llvm::Error SubmissionBuild::make(StringRef EntryFolder) {
  llvm::Expected<TemporaryDirectory> Temporary = TemporaryDirectory::create("cupel-build");
  if (!Temporary)
    return Temporary.takeError();
  WorkFolder = Temporary->path().str();
  BuildContext Context{Request, WorkFolder, SourceName,
                       Start + std::chrono::duration_cast<Clock::duration>(
                                   std::chrono::duration<double>(Request.Limits.TimeoutSeconds))};
  if (llvm::Error E = writeFileAtomically(
          Context.Folder + "/" + SourceName,
          (Request.EmulatedSource.empty() ? Request.Source : Request.EmulatedSource) +
              Adapter.Tail))
    return E;

  // The adapter's own half needs the host compiler only: it runs beside nvcc.
  llvm::Expected<ToolOutcome> BoxedOutcome = ToolOutcome();
  std::thread Beside([&] { BoxedOutcome = Boxed.compile(Context); });
  std::vector<std::string> Objects;
  llvm::Error Compiled = compile(Context, Objects);
  Beside.join();
  if (Compiled) {
    llvm::consumeError(BoxedOutcome.takeError());
    return Compiled;
  }
  if (Request.Entries.empty()) {
    llvm::consumeError(BoxedOutcome.takeError());
    skip("no-entry", "Clang does not read all of the submission, and finds no function to call in "
                     "the rest; nvcc compiles it. First of Clang's errors: " +
                         withPlace(asDiagnostic(Request.Errors.front())));
    return makeError("no-entry", Record.Reasons.back().Text);
  }
  if (!BoxedOutcome)
    return BoxedOutcome.takeError();
  if (!BoxedOutcome->Succeeded)
    return failed(*BoxedOutcome);

  if (llvm::Error E = linkOrFallBack(Context, Objects, (EntryFolder + "/" + LibraryName).str()))
    return E;
  Record.State = BuildState::Built;
  Record.Seconds = secondsSince(Start);
  return writeBuildEntry(EntryFolder, Record);
}

llvm::Expected<BuildRecord> SubmissionBuild::run() {
  if (llvm::Error E = chooseStrategies())
    return E;
  // A function that is not there may have been lost in an error.
  if (!sourceIsSound() || !entriesAreThere() || !toolsAreThere())
    return Record;
  llvm::Expected<std::string> Key = key();
  if (!Key)
    return Key.takeError();
  Record.Key = *Key;

  if (std::optional<std::string> Folder = Request.Cache.lookup(BuildKind, *Key)) {
    if (std::optional<BuildRecord> Kept = readEntry(*Folder)) {
      Kept->Seconds = secondsSince(Start);
      return *Kept;
    }
    Request.Cache.remove(BuildKind, *Key);
  }
  llvm::Expected<std::string> Folder = Request.Cache.getOrCreate(
      BuildKind, *Key, [&](StringRef Temporary) { return make(Temporary); });
  if (!Folder) {
    if (Record.State != BuildState::Failed && Record.State != BuildState::Skipped)
      return Folder.takeError();
    llvm::consumeError(Folder.takeError());
  } else if (Record.State == BuildState::Built) {
    Record.Library = *Folder + "/" + LibraryName;
  } else if (std::optional<BuildRecord> Kept = readEntry(*Folder)) {
    Record = std::move(*Kept); // Somebody else made it while we waited.
  } else {
    return makeError("build-cache-damaged", "the cached build in " + *Folder + " is damaged");
  }
  Record.Seconds = secondsSince(Start);
  return Record;
}

llvm::Expected<BuildRecord> cupel::buildSubmission(BuildRequest Request) {
  return SubmissionBuild(Request).run();
}

std::string cupel::architectureFor(unsigned Capability) {
  return "sm_" + std::to_string(Capability) + (Capability >= 90 ? "a" : "");
}
