//===- LintFuzzer.cpp - `cupel lint` on any bytes, in this process ----------===//
//
// The whole path of the command: the file is read, parsed by both passes, judged by all checks with
// and without a problem, and written in every format. Clang may crash on an input, which is
// contained and told (Guarded.h); a check may not, and neither may a result lack its verdict.
//
//===----------------------------------------------------------------------===//

#include "cupel/Driver/Commands.h"
#include "cupel/Support/File.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/xxhash.h"
#include <cstdlib>

using namespace cupel;

namespace {

[[noreturn]] void fail(const llvm::Twine &Why) {
  llvm::errs() << "lint-fuzzer: " << Why << '\n';
  llvm::errs().flush();
  std::abort();
}

/// Problems with tensors of several dtypes, with numbers, and none.
constexpr llvm::StringLiteral Problems[] = {"level1/relu", "level1/cross-entropy-loss",
                                            "level1/scale-by-scalar", ""};
/// Text shows less of what went wrong, but has its own way of printing source lines.
constexpr llvm::StringLiteral Formats[] = {"json", "sarif", "json", "text"};

std::string lint(const std::string &File, llvm::StringRef Problem, llvm::StringRef Format) {
  LintOptions Options;
  Options.Submissions = {File};
  Options.Problem = Problem.str();
  Options.Format = Format.str();
  Options.Jobs = 1;
  std::string Output;
  llvm::raw_string_ostream OS(Output);
  llvm::Expected<int> Status = lintCommand(Options, OS);
  if (!Status)
    fail("lint does not run: " + llvm::toString(Status.takeError()));
  return Output;
}

/// Of the JSON that lint wrote.
void checkRecord(llvm::StringRef Output) {
  llvm::Expected<llvm::json::Value> Json = llvm::json::parse(Output);
  if (!Json)
    fail("no JSON: " + llvm::toString(Json.takeError()));
  const llvm::json::Array *Records = Json->getAsObject()->getArray("submissions");
  if (!Records || Records->size() != 1 || !(*Records)[0].getAsObject()->getString("verdict"))
    fail("no verdict");
  for (const llvm::json::Value &F : *(*Records)[0].getAsObject()->getArray("findings"))
    if (F.getAsObject()->getString("id") == "lint-crash")
      fail("a check crashed");
}

const std::string &inputFile() {
  static llvm::Expected<TemporaryDirectory> Folder = TemporaryDirectory::create("lint-fuzzer");
  if (!Folder)
    fail(llvm::toString(Folder.takeError()));
  static const std::string Path = (Folder->path() + "/input.cu").str();
  return Path;
}

} // namespace

/// Makes the precompiled headers, which takes longer than any one input may.
extern "C" int LLVMFuzzerInitialize(int *, char ***) {
  if (auto E = writeFileAtomically(inputFile(), "#include <torch/nn.h>\nint x;\n"))
    fail(llvm::toString(std::move(E)));
  lint(inputFile(), "", "json");
  if (auto E = writeFileAtomically(inputFile(), "int x;\n"))
    fail(llvm::toString(std::move(E)));
  checkRecord(lint(inputFile(), "", "json"));
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  llvm::StringRef Text(reinterpret_cast<const char *>(Data), Size);
  if (auto E = writeFileAtomically(inputFile(), Text))
    fail(llvm::toString(std::move(E)));
  // Each input meets one problem and one format, the same every time.
  const uint64_t Choice = llvm::xxh3_64bits(Text);
  const llvm::StringRef Problem = Problems[Choice % std::size(Problems)];
  const llvm::StringRef Format = Formats[Choice / std::size(Problems) % std::size(Formats)];
  const std::string Output = lint(inputFile(), Problem, Format);
  if (Output.empty())
    fail("no output");
  if (Format == "json")
    checkRecord(Output);
  else if (llvm::StringRef(Output).contains("lint-crash")) // Which the input may say itself.
    checkRecord(lint(inputFile(), Problem, "json"));
  return 0;
}
