//===- ProblemFolder.cpp - names of the problems that cupel ships -----------===//

#include "ProblemFolder.h"
#include "cupel/Problem/ProblemReader.h"
#include "cupel/Support/Text.h"
#include "cupel/Support/Toolchain.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace cupel;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

std::string cupel::problemIdOf(llvm::StringRef File) {
  llvm::SmallString<256> Folder, Real;
  if (findToolchain().ProblemDir.empty() || fs::real_path(findToolchain().ProblemDir, Folder) ||
      fs::real_path(File, Real))
    return File.str();
  llvm::StringRef Rest = Real;
  if (!Rest.consume_front(Folder) || !Rest.consume_front("/") || !Rest.consume_back(".toml"))
    return File.str();
  return Rest.str();
}

/// Files of one level, `level1`, as names.
static llvm::Error listLevel(llvm::StringRef Folder, std::vector<std::string> &Names) {
  std::error_code Failed;
  for (fs::directory_iterator I(Folder, Failed), End; I != End && !Failed; I.increment(Failed))
    if (path::extension(I->path()) == ".toml")
      Names.push_back((path::filename(Folder) + "/" + path::stem(I->path())).str());
  if (Failed)
    return makeError("problem-folder", "cannot read the folder: " + Failed.message(),
                     {Folder.str(), 0, 0});
  return llvm::Error::success();
}

llvm::Expected<std::vector<std::string>> cupel::listProblems() {
  const std::string &Folder = findToolchain().ProblemDir;
  if (Folder.empty() || !fs::is_directory(Folder))
    return makeError("problem-folder", "the folder with cupel's problems is not there" +
                                           (Folder.empty() ? "" : ": " + Folder) +
                                           "; set CUPEL_PROBLEMS to it");
  std::vector<std::string> Names;
  std::error_code Failed;
  for (fs::directory_iterator I(Folder, Failed), End; I != End && !Failed; I.increment(Failed))
    if (fs::is_directory(I->path()))
      if (llvm::Error E = listLevel(I->path(), Names))
        return E;
  if (Failed)
    return makeError("problem-folder", "cannot read the folder: " + Failed.message(),
                     {Folder, 0, 0});
  llvm::sort(Names);
  return Names;
}

llvm::Expected<std::vector<std::string>> cupel::listProblemFiles(llvm::StringRef Folder) {
  std::vector<std::string> Files;
  std::error_code Failed;
  // Links to folders are not followed: one that leads back up would never end.
  fs::recursive_directory_iterator I(Folder, Failed, /*follow_symlinks=*/false), End;
  for (; I != End && !Failed; I.increment(Failed))
    if (path::extension(I->path()) == ".toml" && !fs::is_directory(I->path()))
      Files.push_back(I->path());
  if (Failed)
    return makeError("problem-folder", "cannot read the folder: " + Failed.message(),
                     {Folder.str(), 0, 0});
  if (Files.empty())
    return makeError("problem-folder", "no .toml file in this folder or below it",
                     {Folder.str(), 0, 0});
  llvm::sort(Files);
  return Files;
}

/// Problems whose level is the folder's and whose `id` is the number, for `level2/80` or `2/80`;
/// nothing for another name. A file with mistakes has no id.
static std::vector<std::string> problemsByNumber(llvm::StringRef Name,
                                                 const std::vector<std::string> &Known) {
  auto [Level, Number] = Name.split('/');
  Level.consume_front("level");
  unsigned LevelNumber, Id;
  std::vector<std::string> Found;
  if (Level.getAsInteger(10, LevelNumber) || Number.getAsInteger(10, Id))
    return Found;
  std::string Folder = "level" + std::to_string(LevelNumber) + "/";
  for (const std::string &Each : Known) {
    if (!llvm::StringRef(Each).starts_with(Folder))
      continue;
    llvm::Expected<ProblemSpec> Problem =
        readProblem(findToolchain().ProblemDir + "/" + Each + ".toml");
    if (!Problem)
      llvm::consumeError(Problem.takeError());
    else if (Problem->KernelBenchId == int(Id))
      Found.push_back(Each);
  }
  return Found;
}

static llvm::Error ambiguous(llvm::StringRef Name, const std::vector<std::string> &Meant) {
  return makeError("problem-ambiguous", "'" + Name + "' can be " + llvm::join(Meant, " or ") +
                                            "; write the name, or the path of the file");
}

/// \p Name as a number, when it is one; the file called \p Named, if any, has the same claim.
static llvm::Expected<std::optional<std::string>>
findByNumber(llvm::StringRef Name, const std::string &Named,
             const std::vector<std::string> &Known) {
  std::vector<std::string> Found = problemsByNumber(Name, Known);
  if (!Named.empty() && !llvm::is_contained(Found, Name))
    Found.insert(Found.begin(), "the file " + Named);
  if (Found.size() > 1)
    return ambiguous(Name, Found);
  if (Found.empty())
    return std::nullopt;
  return Named.empty() ? findToolchain().ProblemDir + "/" + Found.front() + ".toml" : Named;
}

static bool looksLikeNumber(llvm::StringRef Name) {
  llvm::StringRef Number = Name.split('/').second;
  return !Number.empty() && llvm::all_of(Number, llvm::isDigit);
}

llvm::Expected<std::string> cupel::findProblem(llvm::StringRef NameOrPath) {
  bool IsPath =
      NameOrPath.ends_with(".toml") || NameOrPath.starts_with(".") || NameOrPath.starts_with("/");
  if (IsPath || fs::is_regular_file(NameOrPath))
    return NameOrPath.str();
  llvm::SmallString<256> File(findToolchain().ProblemDir);
  path::append(File, NameOrPath + ".toml");
  bool Exists = fs::exists(File);
  if (Exists && !looksLikeNumber(NameOrPath))
    return File.str().str();
  llvm::Expected<std::vector<std::string>> Known = listProblems();
  if (!Known)
    return Known.takeError();
  if (looksLikeNumber(NameOrPath)) {
    auto Found = findByNumber(NameOrPath, Exists ? File.str().str() : "", *Known);
    if (!Found)
      return Found.takeError();
    if (*Found)
      return **Found;
  }
  if (looksLikeNumber(NameOrPath)) { // No name is like a number.
    std::vector<std::string> Levels;
    for (llvm::StringRef Name : *Known)
      if (std::string Level = Name.split('/').first.str(); !llvm::is_contained(Levels, Level))
        Levels.push_back(Level);
    return makeError("problem-unknown", "no problem '" + printableLine(NameOrPath, 100) +
                                            "'; the levels are " + llvm::join(Levels, ", ") +
                                            ", and 'cupel problem list' shows all");
  }
  // `relu` alone is most often meant as `level1/relu`.
  std::vector<std::string> SameSlug;
  for (const std::string &Name : *Known)
    if (llvm::StringRef(Name).ends_with(("/" + NameOrPath).str()))
      SameSlug.push_back(Name);
  std::string Hint = didYouMean(NameOrPath, *Known);
  if (!SameSlug.empty())
    Hint = "; did you mean '" + llvm::join(SameSlug, "' or '") + "'?";
  if (Hint.empty())
    Hint = "; 'cupel problem list' shows all";
  return makeError("problem-unknown", "no problem '" + printableLine(NameOrPath, 100) + "'" + Hint);
}

llvm::Expected<ProblemSpec> cupel::readNamedProblem(llvm::StringRef NameOrPath, ProblemNotes *Notes,
                                                    const PolicyNames &Names) {
  llvm::Expected<std::string> File = findProblem(NameOrPath);
  if (!File)
    return File.takeError();
  return readProblem(*File, Notes, Names);
}
