//===- DiagnosticCollector.h - Clang's messages as CompilerMessage ----------===//
#ifndef CUPEL_LIB_FRONTEND_DIAGNOSTICCOLLECTOR_H
#define CUPEL_LIB_FRONTEND_DIAGNOSTICCOLLECTOR_H

#include "cupel/Frontend/ParsedSubmission.h"
#include "clang/Basic/Diagnostic.h"

namespace cupel {

/// Physical file, line and column of \p Location: of its expansion when it is in a macro, and
/// whatever `#line` says.
SourcePlace physicalPlace(clang::SourceLocation Location, const clang::SourceManager &Sources);

/// Keeps messages, at most \c MessageLimit of them.
class DiagnosticCollector : public clang::DiagnosticConsumer {
public:
  static constexpr size_t MessageLimit = 400;

  explicit DiagnosticCollector(PassKind Pass) : Pass(Pass) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level Level,
                        const clang::Diagnostic &Info) override;

  std::vector<CompilerMessage> takeMessages() { return std::move(Messages); }
  const std::string &firstError() const { return FirstError; }

private:
  PassKind Pass;
  std::vector<CompilerMessage> Messages;
  std::string FirstError;
};

} // namespace cupel

#endif // CUPEL_LIB_FRONTEND_DIAGNOSTICCOLLECTOR_H
