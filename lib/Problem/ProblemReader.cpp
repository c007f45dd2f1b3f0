//===- ProblemReader.cpp - TOML to ProblemSpec ------------------------------===//

#include "cupel/Problem/ProblemReader.h"
#include "Draft.h"
#include "ProblemFolder.h"
#include "cupel/Support/File.h"
#include "cupel/Support/Text.h"
#include "llvm/Support/ConvertUTF.h"

using namespace cupel;

/// A problem is a page of text; what is longer is another file.
static constexpr uint64_t SizeLimit = 1 << 20;

/// toml++ stops at its first error, so there is one message.
static llvm::Error syntaxError(const toml::parse_error &Error, Diagnostics &Diags) {
  return makeError("problem-not-toml",
                   "not TOML: " + printableLine(std::string(Error.description()), 300),
                   Diags.placeOf(Error.source()));
}

static void readSections(const toml::table &Root, llvm::StringRef Text, const PolicyNames &Names,
                         Draft &D, Diagnostics &Diags) {
  TableReader File(Root, "", Diags);
  readProblemSection(File, D);
  readReferenceSection(File, Text, D);
  readTensorSections(File, D);
  readCaseSections(File, D);
  readEntrySection(File, D);
  readToleranceSection(File, D);
  readPolicySection(File, Names, D);
  readCostSection(File, D);
  File.finish();
  checkAcrossSections(D, Diags);
}

llvm::Expected<ProblemSpec> cupel::parseProblem(llvm::StringRef Text, llvm::StringRef File,
                                                ProblemNotes *Notes, const PolicyNames &Names) {
  Diagnostics Diags(File);
  if (Text.trim().empty())
    return makeError("problem-empty", "the file is empty", {File.str(), 1, 1});
  toml::parse_result Parsed = toml::parse(std::string_view(Text), std::string_view(File));
  if (!Parsed)
    return syntaxError(Parsed.error(), Diags);
  Draft D;
  D.Spec.File = File.str();
  D.Spec.Id = problemIdOf(File);
  readSections(Parsed.table(), Text, Names, D, Diags);
  if (!Diags.empty())
    return Diags.take();
  if (Notes)
    *Notes = std::move(D.Notes);
  return std::move(D.Spec);
}

llvm::Expected<ProblemSpec> cupel::readProblem(llvm::StringRef File, ProblemNotes *Notes,
                                               const PolicyNames &Names) {
  llvm::Expected<std::string> Text = readTextFile(File, SizeLimit);
  if (!Text)
    return Text.takeError();
  return parseProblem(*Text, File, Notes, Names);
}
