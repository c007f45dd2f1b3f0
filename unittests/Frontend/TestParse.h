//===- TestParse.h - parses a text of a test --------------------------------===//
#ifndef CUPEL_UNITTESTS_FRONTEND_TESTPARSE_H
#define CUPEL_UNITTESTS_FRONTEND_TESTPARSE_H

#include "cupel/Frontend/Parse.h"
#include "cupel/Support/File.h"
#include "gtest/gtest.h"

namespace cupel {

/// A folder with a source, a prefix header of CUDA's runtime alone (0.5 s to precompile) and an own
/// cache, so that the tests need neither torch nor what other runs left behind.
class ParseFixture : public testing::Test {
protected:
  void SetUp() override;

  /// Parses \p Text as submission.cu with the CUDA headers alone.
  ParsedSubmission parse(llvm::StringRef Text);
  llvm::Expected<ParsedSubmission> tryParse(llvm::StringRef Text);

  /// Writes \p Text into the folder of the source.
  void write(llvm::StringRef Name, llvm::StringRef Text);
  std::string path(llvm::StringRef Name) const;

  ParseOptions Options;

private:
  std::unique_ptr<TemporaryDirectory> Folder;
};

/// All messages, one a line.
std::string messagesOf(const ParsedSubmission &Submission);

/// Codes and texts of an error.
std::string textOf(llvm::Error E);

} // namespace cupel

#endif // CUPEL_UNITTESTS_FRONTEND_TESTPARSE_H
