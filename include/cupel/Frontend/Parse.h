//===- Parse.h - source file to ParsedSubmission ----------------------------===//
#ifndef CUPEL_FRONTEND_PARSE_H
#define CUPEL_FRONTEND_PARSE_H

#include "cupel/Frontend/ParsedSubmission.h"
#include "cupel/Support/Toolchain.h"
#include <functional>

namespace cupel {

struct ParseOptions {
  /// Where torch's and CUDA's headers are. See Support/Toolchain.h.
  Toolchain Tools;
  /// GPU architecture of the device pass, for example `sm_90`.
  std::string Architecture = "sm_90";
  /// The entry's name when the problem gives one.
  std::string EntryName;
  bool DevicePass = true;
  /// Largest source that is read, in bytes.
  uint64_t SizeLimit = 4u << 20;
  /// Longest time of the parse in seconds, all its passes together, for sources that expand without
  /// end; the submission is then Failed or Partial with a message. Looked at between two tokens or
  /// template instances.
  double TimeLimit = 30;
};

/// Runs \p Work, which parses under \p Options and looks at the result, on a thread, and waits for
/// its end; making precompiled headers apart, for twice the time limit. Work that is not done by
/// then is left alone and runs on: it must own all that it touches. Returns whether it ended. This
/// bounds what has neither tokens nor template instances, such as 2,000 evaluations in one
/// template.
bool runLimited(std::function<void()> Work, const ParseOptions &Options);

/// What to say of work that runLimited left alone. Code: `lint-timeout`.
llvm::Error timeoutError(llvm::StringRef File, const ParseOptions &Options);

/// Parses \p File. Errors only when cupel itself cannot work (no headers, unreadable or too big
/// file, not text); a source that Clang rejects is a ParsedSubmission with messages.
/// Safe to call from many threads and processes; the PCH is made once and shared.
llvm::Expected<ParsedSubmission> parseSubmission(llvm::StringRef File, const ParseOptions &Options);

/// The same for text that is in memory; \p File is its name in messages.
llvm::Expected<ParsedSubmission> parseSource(llvm::StringRef File, std::string Source,
                                             const ParseOptions &Options);

} // namespace cupel

#endif // CUPEL_FRONTEND_PARSE_H
