//===- DiagnosticCollector.cpp - Clang's messages as CompilerMessage --------===//

#include "DiagnosticCollector.h"
#include "SureErrors.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SmallString.h"

using namespace cupel;

SourcePlace cupel::physicalPlace(clang::SourceLocation Location,
                                 const clang::SourceManager &Sources) {
  SourcePlace Place;
  if (Location.isInvalid())
    return Place;
  auto [File, Offset] = Sources.getDecomposedExpansionLoc(Location);
  if (clang::OptionalFileEntryRef Entry = Sources.getFileEntryRefForID(File))
    Place.File = Entry->getName().str();
  else
    Place.File = Sources.getBufferOrFake(File).getBufferIdentifier().str();
  Place.Line = Sources.getLineNumber(File, Offset);
  Place.Column = Sources.getColumnNumber(File, Offset);
  return Place;
}

void DiagnosticCollector::HandleDiagnostic(clang::DiagnosticsEngine::Level Level,
                                           const clang::Diagnostic &Info) {
  clang::DiagnosticConsumer::HandleDiagnostic(Level, Info);
  using Severity = CompilerMessage::Level;
  bool IsError = Level >= clang::DiagnosticsEngine::Error;
  if (Messages.size() >= MessageLimit && !(IsError && FirstError.empty()))
    return;

  llvm::SmallString<128> Text;
  Info.FormatDiagnostic(Text);
  CompilerMessage Message;
  Message.Severity = IsError                                      ? Severity::Error
                     : Level == clang::DiagnosticsEngine::Warning ? Severity::Warning
                                                                  : Severity::Note;
  if (Info.hasSourceManager())
    Message.Place = physicalPlace(Info.getLocation(), Info.getSourceManager());
  Message.Message = Text.str().str();
  Message.Pass = Pass;
  if (IsError)
    Message.Mistake = mistakeKind(Info, Message.Message);
  if (IsError && FirstError.empty())
    FirstError = Message.Message;
  Messages.push_back(std::move(Message));
}
