//===- Peaks.cpp - what the GPU can do, measured once -----------------------===//

#include "Session.h"
#include "cupel/Support/CacheDirectory.h"
#include "cupel/Support/File.h"
#include "cupel/Support/Hash.h"

using namespace cupel;
using llvm::StringRef;
namespace json = llvm::json;

static constexpr StringRef CacheKind = "peaks", FileName = "/peaks.json";

namespace {

/// The rates of one GPU, driver and torch in the user's cache.
class PeaksCache {
public:
  explicit PeaksCache(Session &S) : S(S) {
    ContentHasher Hash;
    Hash.add(S.Record.Device).add(S.Uuid).add(S.Driver).add(S.TorchVersion);
    Key = Hash.hex();
  }

  PeakRates get();

private:
  std::optional<PeakRates> read(StringRef Folder) const;
  PeakRates measure();

  Session &S;
  CacheDirectory Cache = CacheDirectory::standard();
  std::string Key;
};

std::optional<PeakRates> PeaksCache::read(StringRef Folder) const {
  llvm::Expected<std::string> Text = readTextFile((Folder + FileName).str());
  if (!Text) {
    llvm::consumeError(Text.takeError());
    return std::nullopt;
  }
  llvm::Expected<json::Value> Value = json::parse(*Text);
  if (!Value) {
    llvm::consumeError(Value.takeError());
    return std::nullopt;
  }
  PeakRates Peaks;
  json::Path::Root Root("peaks");
  if (fromJSON(*Value, Peaks, Root))
    return Peaks;
  llvm::consumeError(Root.getError());
  return std::nullopt;
}

PeakRates PeaksCache::measure() {
  S.progress("measuring what the GPU can do");
  llvm::Expected<PeakRates> Peaks = S.TheJudge->peaks(S.callSeconds());
  if (Peaks)
    return std::move(*Peaks);
  PeakRates None;
  None.NotMeasured = Reason{"peaks-failed", takeReasons(Peaks.takeError()).front().Text};
  return None;
}

PeakRates PeaksCache::get() {
  if (std::optional<std::string> Folder = Cache.lookup(CacheKind, Key)) {
    if (std::optional<PeakRates> Known = read(*Folder))
      return *Known;
    Cache.remove(CacheKind, Key);
  }
  // Who finds another process measuring waits for it, so that neither halves the other's rates.
  std::optional<PeakRates> Fresh;
  llvm::Expected<std::string> Folder =
      Cache.getOrCreate(CacheKind, Key, [&](StringRef Folder) -> llvm::Error {
        Fresh = measure();
        if (Fresh->NotMeasured)
          return makeError(Fresh->NotMeasured->Code, Fresh->NotMeasured->Text);
        std::string Text;
        llvm::raw_string_ostream(Text) << toJson(*Fresh) << '\n';
        return writeFileAtomically((Folder + FileName).str(), Text);
      });
  std::optional<PeakRates> Found = Folder ? read(*Folder) : std::nullopt;
  if (!Folder)
    llvm::consumeError(Folder.takeError());
  if (Fresh)
    return *Fresh;
  return Found ? *Found : measure(); // Without a cache they are measured each time.
}

} // namespace

llvm::Error cupel::findPeaks(Session &S) {
  S.Record.Peaks = PeaksCache(S).get();
  return S.ensureJudge();
}
