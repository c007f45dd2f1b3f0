//===- NamedProblem.cpp - a problem with the names of its policy checked -----===//

#include "NamedProblem.h"
#include "cupel/Checks/CheckEngine.h"
#include "cupel/Support/File.h"
#include "cupel/Support/Text.h"
#include "cupel/Support/Toolchain.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace cupel;
using llvm::StringRef;

static std::string checkMistake(StringRef Glob) {
  CheckRegistry Registry;
  registerAllChecks(Registry);
  return globMistake(Registry, Glob.str());
}

/// Torch has a header for each operator, by the name that the linter gives it: `aten::add` without
/// overload, for `add_` and `add_out` too. A few are members of Tensor alone (`aten::cuda`).
/// Nothing is said of other namespaces, nor without torch.
static std::string operatorMistake(StringRef Operator) {
  StringRef Name = Operator;
  const std::string Headers = findToolchain().TorchHome + "/include/ATen";
  const std::string Folder = Headers + "/ops";
  if (!Name.consume_front("aten::") || !llvm::sys::fs::is_directory(Folder) ||
      llvm::sys::fs::exists(Folder + "/" + Name + ".h"))
    return "";
  llvm::Expected<std::string> Tensor = readTextFile(Headers + "/core/TensorBody.h");
  if (!Tensor)
    llvm::consumeError(Tensor.takeError());
  else if (!Name.ends_with("_") && StringRef(*Tensor).contains((" " + Name + "(").str()))
    return "";
  std::vector<std::string> Known;
  std::error_code Failed;
  for (llvm::sys::fs::directory_iterator I(Folder, Failed), End; I != End && !Failed;
       I.increment(Failed)) {
    StringRef Header = llvm::sys::path::stem(I->path());
    if (!Header.ends_with("_native") && !Header.ends_with("_dispatch") && !Header.ends_with("_ops"))
      Known.push_back(("aten::" + Header).str());
  }
  return "torch has no operator '" + printableLine(Operator, 60) + "'" +
         didYouMean(Operator, Known);
}

llvm::Expected<ProblemSpec> cupel::readCheckedProblem(StringRef NameOrPath, ProblemNotes *Notes) {
  return readNamedProblem(NameOrPath, Notes, {checkMistake, operatorMistake});
}
