//===- Parse.h - source file to ParsedSubmission ----------------------------===//
#ifndef CUPEL_FRONTEND_PARSE_H
#define CUPEL_FRONTEND_PARSE_H

#include "cupel/Frontend/ParsedSubmission.h"
#include "cupel/Support/Toolchain.h"

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
  /// Longest time of one pass in seconds, for sources that expand without end. Work between two
  /// tokens or template instances is not interrupted; a hard limit is a process of its own.
  double TimeLimit = 30;
};

/// Parses \p File. Errors only when cupel itself cannot work (no headers, unreadable or too big
/// file, not text); a source that Clang rejects is a ParsedSubmission with messages.
/// Safe to call from many threads and processes; the PCH is made once and shared.
llvm::Expected<ParsedSubmission> parseSubmission(llvm::StringRef File, const ParseOptions &Options);

/// The same for text that is in memory; \p File is its name in messages.
llvm::Expected<ParsedSubmission> parseSource(llvm::StringRef File, std::string Source,
                                             const ParseOptions &Options);

} // namespace cupel

#endif // CUPEL_FRONTEND_PARSE_H
