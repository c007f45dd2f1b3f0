//===- PrecompiledHeader.cpp - torch's headers, parsed once -----------------===//

#include "PrecompiledHeader.h"
#include "DiagnosticCollector.h"
#include "cupel/Frontend/Guarded.h"
#include "cupel/Frontend/Headers.h"
#include "cupel/Frontend/HostPass.h"
#include "cupel/Support/CacheDirectory.h"
#include "cupel/Support/File.h"
#include "cupel/Support/Hash.h"
#include "clang/Basic/Version.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <mutex>
#include <set>

using namespace cupel;

static constexpr llvm::StringLiteral PchFile = "prefix.pch";
static constexpr llvm::StringLiteral HeaderListFile = "headers.txt";
static constexpr llvm::StringLiteral CacheKind = "pch";

/// Size and time of \p Path as one word of a header list; `gone` when it is not there.
static std::string stampOf(llvm::StringRef Path) {
  llvm::sys::fs::file_status Status;
  if (llvm::sys::fs::status(Path, Status))
    return "gone";
  return std::to_string(Status.getSize()) + ":" +
         std::to_string(Status.getLastModificationTime().time_since_epoch().count());
}

/// Lines of `STAMP PATH`, for every file that \p Sources has read.
static std::string listHeaders(const clang::SourceManager &Sources) {
  std::map<std::string, std::string> Stamps;
  for (auto It = Sources.fileinfo_begin(); It != Sources.fileinfo_end(); ++It) {
    std::string Path = It->first.getName().str();
    Stamps[Path] = stampOf(Path);
  }
  std::string List;
  for (const auto &[Path, Stamp] : Stamps)
    List += Stamp + ' ' + Path + '\n';
  return List;
}

/// The list with today's stamps.
static std::string restampHeaders(llvm::StringRef List) {
  std::string Fresh;
  Fresh.reserve(List.size());
  while (!List.empty()) {
    auto [Line, Rest] = List.split('\n');
    llvm::StringRef Path = Line.split(' ').second;
    Fresh += stampOf(Path) + ' ' + Path.str() + '\n';
    List = Rest;
  }
  return Fresh;
}

static llvm::Error whyNotMade(llvm::ArrayRef<CompilerMessage> Messages, const std::string &Header,
                              const std::string &Output) {
  for (const CompilerMessage &Message : Messages) {
    if (Message.Severity != CompilerMessage::Level::Error)
      continue;
    // Clang names what it could not write in the text alone.
    if (Message.Place.File.empty() && llvm::StringRef(Message.Message).contains(Output))
      return makeError("file-unwritable", Message.Message, {Output});
    return makeError("frontend-no-pch", "the headers do not parse: " + Message.Message,
                     Message.Place);
  }
  return makeError("frontend-no-pch", "Clang made no precompiled header of " + Header);
}

static llvm::Error makePch(const std::vector<std::string> &Args, const std::string &Header,
                           PassKind Pass, llvm::StringRef Dir) {
  std::string Output = (Dir + "/" + PchFile).str();
  std::vector<const char *> Pointers;
  for (const std::string &Arg : Args)
    if (Arg != "-fsyntax-only")
      Pointers.push_back(Arg.c_str());
  // With the headers' templates instantiated in it, a compile finds them made (0.6 s of 1 s).
  for (const char *Arg :
       {"-fpch-instantiate-templates", "-emit-pch", "-o", Output.c_str(), Header.c_str()})
    Pointers.push_back(Arg);

  DiagnosticCollector Collector(Pass);
  std::string Headers;
  bool Made = false;
  std::optional<std::string> Crash = runGuarded([&] {
    clang::DiagnosticOptions Options;
    clang::DiagnosticsEngine Diagnostics(clang::DiagnosticIDs::create(), Options, &Collector,
                                         false);
    auto Invocation = std::make_shared<clang::CompilerInvocation>();
    if (!clang::CompilerInvocation::CreateFromArgs(*Invocation, Pointers, Diagnostics, "cupel"))
      return;
    clang::CompilerInstance Instance(std::move(Invocation));
    Instance.setVerboseOutputStream(llvm::nulls());
    Instance.createVirtualFileSystem();
    Instance.createDiagnostics(&Collector, false);
    Instance.createFileManager();
    Instance.createSourceManager();
    clang::GeneratePCHAction Action;
    Made = Instance.ExecuteAction(Action);
    Headers = listHeaders(Instance.getSourceManager());
  });
  if (Crash)
    return makeError("frontend-no-pch", "Clang " + *Crash + " while it read " + Header);
  if (!Made)
    return whyNotMade(Collector.takeMessages(), Header, Output);
  return writeFileAtomically((Dir + "/" + HeaderListFile).str(), Headers);
}

namespace {
struct Listener {
  std::mutex Lock;
  std::function<void(llvm::StringRef)> Tell;
  std::set<HeaderSet> Told; ///< Two passes prepare one set.
};
} // namespace

static Listener &listener() {
  static Listener Only;
  return Only;
}

void cupel::onPreparingHeaders(std::function<void(llvm::StringRef)> Tell) {
  std::lock_guard<std::mutex> Guard(listener().Lock);
  listener().Tell = std::move(Tell);
  listener().Told.clear();
}

static void tellPreparing(HeaderSet Set) {
  std::lock_guard<std::mutex> Guard(listener().Lock);
  if (listener().Tell && listener().Told.insert(Set).second)
    listener().Tell(toString(Set));
}

static llvm::Expected<std::string> findOrMake(const std::vector<std::string> &Args,
                                              const std::string &Header, const PassSetup &Setup) {
  ContentHasher Hasher;
  Hasher.add(clang::getClangFullVersion()).add(Header);
  for (const std::string &Arg : Args)
    Hasher.add(Arg);
  std::string Key = Hasher.hex();

  CacheDirectory Cache = CacheDirectory::standard();
  // Every turn either ends or follows one change of the headers; a stale entry cannot lead back to
  // itself, since its key is part of the next.
  while (true) {
    if (!Cache.lookup(CacheKind, Key)) {
      if (llvm::Error Unusable = Cache.prepare(CacheKind))
        return Unusable;
      tellPreparing(Setup.Headers);
    }
    llvm::Expected<std::string> Entry = Cache.getOrCreate(CacheKind, Key, [&](llvm::StringRef Dir) {
      return makePch(Args, Header, Setup.Pass, Dir);
    });
    if (!Entry)
      return Entry;
    llvm::Expected<std::string> List = readFile(*Entry + "/" + HeaderListFile.str());
    if (!List)
      return List.takeError();
    std::string Fresh = restampHeaders(*List);
    if (Fresh == *List)
      return *Entry + "/" + PchFile.str();
    Key = ContentHasher().add(Key).add(Fresh).hex();
  }
}

namespace {
/// What this process has found current.
struct KnownHeaders {
  std::mutex Lock;
  std::map<std::vector<std::string>, std::string> Paths;
};
} // namespace

static KnownHeaders &knownHeaders() {
  static KnownHeaders Known;
  return Known;
}

static std::atomic<int> Preparing = 0;

bool cupel::isPreparingHeaders() { return Preparing > 0; }

void cupel::forgetPrecompiledHeaders() {
  std::lock_guard<std::mutex> Guard(knownHeaders().Lock);
  knownHeaders().Paths.clear();
}

llvm::Expected<std::string> cupel::precompiledHeader(const Toolchain &Tools,
                                                     const PassSetup &Setup) {
  llvm::Expected<std::vector<std::string>> Args = cc1Arguments(Tools, Setup);
  if (!Args)
    return Args.takeError();
  std::string Header = prefixHeader(Tools, Setup.Headers);
  std::vector<std::string> Key = *Args;
  Key.push_back(Header);

  KnownHeaders &Known = knownHeaders();
  {
    std::lock_guard<std::mutex> Guard(Known.Lock);
    if (auto It = Known.Paths.find(Key); It != Known.Paths.end())
      return It->second;
  }
  ++Preparing;
  llvm::Expected<std::string> Path = findOrMake(*Args, Header, Setup);
  --Preparing;
  if (Path) {
    std::lock_guard<std::mutex> Guard(Known.Lock);
    Known.Paths[Key] = *Path;
  }
  return Path;
}

llvm::Expected<HostPass> cupel::hostPass(const Toolchain &Tools, llvm::StringRef Architecture) {
  PassSetup Setup{PassKind::Host, HeaderSet::Slim, Architecture.str()};
  HostPass Result;
  if (llvm::Error E = cc1Arguments(Tools, Setup).moveInto(Result.Arguments))
    return E;
  if (llvm::Error E = precompiledHeader(Tools, Setup).moveInto(Result.Pch))
    return E;
  llvm::erase(Result.Arguments, "-fsyntax-only");
  return Result;
}
