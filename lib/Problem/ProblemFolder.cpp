//===- ProblemFolder.cpp - names of the problems that cupel ships -----------===//

#include "ProblemFolder.h"
#include "cupel/Problem/ProblemReader.h"
#include "cupel/Support/Text.h"
#include "cupel/Support/Toolchain.h"
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

llvm::Expected<std::string> cupel::findProblem(llvm::StringRef NameOrPath) {
  bool IsPath =
      NameOrPath.ends_with(".toml") || NameOrPath.starts_with(".") || NameOrPath.starts_with("/");
  if (IsPath || fs::is_regular_file(NameOrPath))
    return NameOrPath.str();
  llvm::SmallString<256> File(findToolchain().ProblemDir);
  path::append(File, NameOrPath + ".toml");
  if (fs::exists(File))
    return File.str().str();
  llvm::Expected<std::vector<std::string>> Known = listProblems();
  if (!Known)
    return Known.takeError();
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
