//===- NvccPlan.cpp - nvcc's own steps, host and device side by side ---------===//

#include "NvccPlan.h"
#include "cupel/Support/Hash.h"
#include "cupel/Support/Text.h"
#include "llvm/ADT/SmallVector.h"
#include <vector>

using namespace cupel;
using llvm::StringRef;

namespace {
struct Listing {
  std::string Environment; ///< `export NAME=VALUE` lines.
  std::vector<std::string> Steps;
};
} // namespace

/// Lines are `#$ NAME=VALUE` or `#$ COMMAND`, the commands quoted for a shell.
static Listing readListing(StringRef Dryrun) {
  Listing Result;
  llvm::SmallVector<StringRef, 32> Lines;
  Dryrun.split(Lines, '\n');
  for (StringRef Line : Lines) {
    if (!Line.consume_front("#$ ") || Line.starts_with("rm "))
      continue;
    auto [Name, Value] = Line.split('=');
    if (Name.find_first_of(" \"/") != StringRef::npos) {
      Result.Steps.push_back(Line.str());
      continue;
    }
    // The others are put into the commands already.
    if (Name == "PATH" || Name == "LD_LIBRARY_PATH" || Name == "CICC_PATH" ||
        Name == "NVVMIR_LIBRARY_DIR")
      Result.Environment += "export " + Name.str() + "=" + shellQuote(Value.trim()) + "\n";
  }
  return Result;
}

static bool isPlan(const std::vector<std::string> &Steps) {
  static constexpr const char *Signs[] = {" -E ",   "cudafe++ ",  " -E ", "cicc\" ",
                                          "ptxas ", "fatbinary ", " -c "};
  if (Steps.size() != std::size(Signs))
    return false;
  for (size_t I = 0; I != Steps.size(); ++I)
    if (!StringRef(Steps[I]).contains(Signs[I]))
      return false;
  return true;
}

std::optional<NvccPlan> cupel::readNvccPlan(StringRef Dryrun) {
  Listing L = readListing(Dryrun);
  if (!isPlan(L.Steps))
    return std::nullopt;
  // cudafe++ makes the name up and cicc reads it; when the file is there already both read it.
  static constexpr StringRef Make = "--gen_module_id_file ", File = "--module_id_file_name \"";
  std::string &Cudafe = L.Steps[1];
  size_t MakeAt = Cudafe.find(Make), FileAt = Cudafe.find(File);
  if (MakeAt == std::string::npos || FileAt == std::string::npos)
    return std::nullopt;
  NvccPlan Plan;
  Plan.ModuleIdFile = StringRef(Cudafe).substr(FileAt + File.size()).split('"').first.str();
  if (!StringRef(L.Steps[3]).contains(File.str() + Plan.ModuleIdFile + '"'))
    return std::nullopt;
  Cudafe.erase(MakeAt, Make.size());

  std::string Start = L.Environment + "set -e\n";
  Plan.Host = Start + L.Steps[0] + "\n" + L.Steps[1] + "\n";
  Plan.Device =
      Start + L.Steps[2] + "\n" + L.Steps[3] + "\n" + L.Steps[4] + "\n" + L.Steps[5] + "\n";
  Plan.Finish = Start + L.Steps[6] + "\n";
  return Plan;
}

std::string cupel::moduleName(StringRef Source) {
  std::string Hash = contentHash(Source);
  return "_" + Hash.substr(0, 8) + "_13_submission_cu_" + Hash.substr(8, 8);
}
