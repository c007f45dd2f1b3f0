//===- CacheCommand.cpp - cupel cache show, cupel cache prune -----------------===//

#include "cupel/Driver/Commands.h"
#include "cupel/Support/CacheDirectory.h"
#include "cupel/Support/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <map>

using namespace cupel;

namespace {
struct KindTotal {
  size_t Entries = 0;
  uint64_t Bytes = 0;
};
} // namespace

static std::map<std::string, KindTotal> totals(const CacheDirectory &Cache) {
  std::map<std::string, KindTotal> Result;
  for (const CacheDirectory::Entry &Entry : Cache.list()) {
    KindTotal &Total = Result[Entry.Kind];
    ++Total.Entries;
    Total.Bytes += Entry.Bytes;
  }
  return Result;
}

/// What each kind of entry is for (docs/build.md).
static llvm::StringRef purposeOf(llvm::StringRef Kind) {
  if (Kind == "pch")
    return "torch's and CUDA's headers, precompiled";
  if (Kind == "emulate-pch")
    return "the same for --device cpu";
  if (Kind == "build")
    return "built submissions";
  if (Kind == "baseline")
    return "models compiled by torch, to compare with";
  if (Kind == "peaks")
    return "what a GPU can do, for the roofline";
  if (Kind == "figures")
    return "registers and memory of kernels that are emulated";
  return Kind == "adapter" ? "compiled adapters" : "";
}

static void show(const CacheDirectory &Cache, uint64_t Limit, bool AsJson, llvm::raw_ostream &OS) {
  std::map<std::string, KindTotal> Totals = totals(Cache);
  KindTotal All;
  llvm::json::Object Kinds;
  for (const auto &[Kind, Total] : Totals) {
    All.Entries += Total.Entries;
    All.Bytes += Total.Bytes;
    Kinds[Kind] = llvm::json::Object{{"entries", Total.Entries}, {"bytes", Total.Bytes}};
  }
  if (AsJson) {
    llvm::json::Value Json = llvm::json::Object{
        {"folder", Cache.root()}, {"exists", llvm::sys::fs::is_directory(Cache.root())},
        {"limit_bytes", Limit},   {"bytes", All.Bytes},
        {"entries", All.Entries}, {"kinds", std::move(Kinds)}};
    OS << llvm::formatv("{0:2}\n", Json);
    return;
  }
  OS << Cache.root();
  if (!llvm::sys::fs::is_directory(Cache.root()))
    OS << " (is not there; it is made when it is needed)";
  OS << '\n';
  for (const auto &[Kind, Total] : Totals)
    OS << llvm::formatv("  {0,-12} {1,7} entries {2,12}  {3}\n", Kind, Total.Entries,
                        formatBytes(Total.Bytes), purposeOf(Kind));
  OS << llvm::formatv("  {0,-12} {1,7} entries {2,12}  of at most {3}\n", "all", All.Entries,
                      formatBytes(All.Bytes), formatBytes(Limit));
}

llvm::Expected<int> cupel::cacheCommand(const CacheOptions &Options, llvm::raw_ostream &OS) {
  CacheDirectory Cache = CacheDirectory::standard();
  const bool AsJson = Options.Format == "json";
  llvm::Expected<uint64_t> Limit = CacheDirectory::sizeLimit();
  if (!Limit)
    return Limit.takeError();
  if (Options.What == CacheOptions::Action::Show) {
    show(Cache, *Limit, AsJson, OS);
    return ExitDone;
  }
  uint64_t Freed = Cache.prune(Options.MaxBytes.value_or(*Limit));
  if (AsJson)
    OS << llvm::formatv("{0:2}\n", llvm::json::Value(llvm::json::Object{
                                       {"freed_bytes", Freed}, {"bytes", Cache.totalBytes()}}));
  else
    OS << formatBytes(Freed) << " freed, " << formatBytes(Cache.totalBytes())
       << " left; what was used in the last hour stays\n";
  return ExitDone;
}
