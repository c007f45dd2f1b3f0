//===- TestParse.cpp - parses a text of a test ------------------------------===//

#include "TestParse.h"
#include <cstdlib>

using namespace cupel;

/// One cache for all tests of the process: each would make its precompiled headers anew.
static std::string sharedFolder() {
  static TemporaryDirectory Folder = [] {
    return llvm::cantFail(TemporaryDirectory::create("cupel-frontend-test"));
  }();
  return Folder.path().str();
}

void ParseFixture::SetUp() {
  setenv("CUPEL_CACHE_DIR", (sharedFolder() + "/cache").c_str(), 1);
  Options.Tools = findToolchain();
  if (Options.Tools.CudaHome.empty())
    GTEST_SKIP() << "no CUDA headers";
  Options.Tools.TorchHome.clear();
  Options.Tools.ShareDir = sharedFolder();
  ASSERT_FALSE(
      llvm::errorToBool(writeFileAtomically(sharedFolder() + "/parse/cupel/prefix-cuda.h",
                                            "#include <cuda_runtime.h>\n#include <vector>\n"
                                            "#include <tuple>\n#include <functional>\n")));
  Folder = std::make_unique<TemporaryDirectory>(
      llvm::cantFail(TemporaryDirectory::create("cupel-frontend-test")));
}

std::string ParseFixture::path(llvm::StringRef Name) const {
  return (Folder->path() + "/" + Name).str();
}

void ParseFixture::write(llvm::StringRef Name, llvm::StringRef Text) {
  llvm::cantFail(writeFileAtomically(path(Name), Text));
}

llvm::Expected<ParsedSubmission> ParseFixture::tryParse(llvm::StringRef Text) {
  write("submission.cu", Text);
  return parseSubmission(path("submission.cu"), Options);
}

ParsedSubmission ParseFixture::parse(llvm::StringRef Text) {
  llvm::Expected<ParsedSubmission> Submission = tryParse(Text);
  if (!Submission) {
    ADD_FAILURE() << textOf(Submission.takeError());
    return {};
  }
  return std::move(*Submission);
}

std::string cupel::messagesOf(const ParsedSubmission &Submission) {
  std::string Text;
  for (const CompilerMessage &Message : Submission.Messages)
    Text += std::to_string(Message.Place.Line) + ": " + Message.Message + "\n";
  return Text;
}

std::string cupel::textOf(llvm::Error E) {
  std::string Text;
  for (const Reason &R : takeReasons(std::move(E)))
    Text += R.Code + ": " + R.Text + "\n";
  return Text;
}
