//===- ExplainCommand.cpp - cupel explain RECORD ------------------------------===//

#include "cupel/Driver/Commands.h"
#include "cupel/Report/Explanation.h"
#include "cupel/Report/ReadRecord.h"
#include "cupel/Report/TextReport.h"
#include "cupel/Support/File.h"

llvm::Expected<int> cupel::explainCommand(const ExplainOptions &Options, llvm::raw_ostream &OS) {
  llvm::Expected<std::string> Text = readTextFile(Options.Record, MaxRecordBytes);
  if (!Text)
    return Text.takeError();
  llvm::Expected<EvalRecord> Record = readFinishedRecord(*Text, Options.Record);
  if (!Record)
    return Record.takeError();
  writeText(*Record, OS);
  writeExplanation(*Record, OS);
  return ExitDone;
}
