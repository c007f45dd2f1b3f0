//===- EvalCommand.cpp - `cupel eval` ---------------------------------------===//

#include "cupel/Driver/Evaluate.h"
#include "cupel/Report/JsonReport.h"
#include "cupel/Report/TextReport.h"
#include "cupel/Support/File.h"
#include "cupel/Support/Text.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace cupel;

namespace {

/// One line on a terminal's stderr that says which phase is under way.
class ProgressLine {
public:
  explicit ProgressLine(bool Shown) : Shown(Shown) {}
  ~ProgressLine() { clear(); }
  void show(llvm::StringRef What) {
    clear();
    if (Shown)
      llvm::errs() << "cupel: " << printableLine(What, 70) << " ...";
  }
  void clear() {
    if (Shown)
      llvm::errs() << "\r\033[K";
  }

private:
  bool Shown;
};

/// Said before minutes of work instead of after them.
llvm::Error checkJsonFile(llvm::StringRef File) {
  if (llvm::sys::fs::is_directory(File))
    return makeError("usage", "'--json' takes a file, and '" + File + "' is a directory");
  llvm::StringRef Folder = llvm::sys::path::parent_path(File);
  if (!Folder.empty() && !llvm::sys::fs::is_directory(Folder))
    return makeError("usage", "'--json' takes a file in a folder that is there, and '" + Folder +
                                  "' is none");
  return llvm::Error::success();
}

int exitStatus(const EvalRecord &Record) {
  switch (Record.Result.Outcome) {
  case Verdict::Accepted:
    return ExitDone;
  case Verdict::Rejected:
    return ExitRejected;
  case Verdict::CouldNotJudge:
    // To stop where the user asked to is no failure.
    return Record.Result.Reasons.size() == 1 && Record.Result.Reasons[0].Code == "stopped"
               ? ExitDone
               : ExitCouldNotJudge;
  }
  llvm_unreachable("unknown verdict");
}

} // namespace

llvm::Expected<int> cupel::evalCommand(const EvalOptions &Options, llvm::raw_ostream &OS) {
  const bool Alone = Options.Json == "-";
  if (!Alone)
    if (llvm::Error E = checkJsonFile(Options.Json))
      return E;

  ProgressLine Progress(Options.Progress);
  llvm::Expected<EvalRecord> Record =
      evaluate(Options, [&](llvm::StringRef What) { Progress.show(What); });
  Progress.clear();
  if (!Record)
    return Record.takeError();

  std::string Json;
  llvm::raw_string_ostream JsonOS(Json);
  writeJson(*Record, JsonOS);
  if (Alone) {
    OS << Json;
  } else {
    OS.enable_colors(Options.Colour);
    writeText(*Record, OS);
  }
  if (!Alone && !Options.Json.empty())
    if (auto E = writeFileAtomically(Options.Json, Json))
      return E;
  return exitStatus(*Record);
}
