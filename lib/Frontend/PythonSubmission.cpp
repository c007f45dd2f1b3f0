//===- PythonSubmission.cpp - a KernelBench `.py` file with ModelNew --------===//

#include "cupel/Frontend/PythonSubmission.h"
#include "cupel/Support/File.h"
#include "cupel/Support/Json.h"
#include "cupel/Support/Process.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace cupel {

namespace {

// The slowest of 2,100 public submissions takes 0.1 s and 40 MB; a hostile one ends here.
constexpr double InspectionSeconds = 30;
constexpr uint64_t InspectionBytes = uint64_t(2) << 30;

/// What load_inline puts in front of a CUDA source and of a C++ source.
constexpr llvm::StringRef InlineHeaders =
    "#include <torch/extension.h>\n#include <cuda.h>\n#include <cuda_runtime.h>\n";

/// Reads the helper's reply. It is ours, but it talks about a hostile file: what is not there or of
/// another type reads as empty.
class ReplyReader {
public:
  explicit ReplyReader(PythonSubmission &Result) : Result(Result) {}

  void read(const llvm::json::Object &Reply) {
    Result.State = llvm::StringSwitch<ParseState>(Reply.getString("parse").value_or(""))
                       .Case("complete", ParseState::Complete)
                       .Case("partial", ParseState::Partial)
                       .Default(ParseState::Failed);
    for (const llvm::json::Object *Error : objects(Reply, "errors"))
      Result.Messages.push_back({CompilerMessage::Level::Error, place(*Error),
                                 string(*Error, "message"), PassKind::Host});
    Result.HasModel = Reply.getObject("model") != nullptr;
    Result.CalledFunctions = strings(Reply, "calls");
    Result.CalledAnywhere = strings(Reply, "calls_anywhere");
    Result.OtherLanguages = strings(Reply, "other_languages");
    for (const llvm::json::Object *Extension : objects(Reply, "extensions"))
      Result.Extensions.push_back(extension(*Extension));
    for (llvm::StringRef Key : {"findings", "open_findings"})
      for (const llvm::json::Object *F : objects(Reply, Key))
        Result.Findings.push_back(finding(*F));
  }

private:
  static std::vector<const llvm::json::Object *> objects(const llvm::json::Object &O,
                                                         llvm::StringRef Key) {
    std::vector<const llvm::json::Object *> Found;
    if (const llvm::json::Array *Items = O.getArray(Key))
      for (const llvm::json::Value &Item : *Items)
        if (const llvm::json::Object *Object = Item.getAsObject())
          Found.push_back(Object);
    return Found;
  }

  static std::string string(const llvm::json::Object &O, llvm::StringRef Key) {
    return O.getString(Key).value_or("").str();
  }

  static std::vector<std::string> strings(const llvm::json::Object &O, llvm::StringRef Key) {
    std::vector<std::string> Found;
    if (const llvm::json::Array *Items = O.getArray(Key))
      for (const llvm::json::Value &Item : *Items)
        if (std::optional<llvm::StringRef> Text = Item.getAsString())
          Found.push_back(Text->str());
    return Found;
  }

  SourcePlace place(const llvm::json::Object &O) const {
    return {Result.File, static_cast<unsigned>(O.getInteger("line").value_or(0)),
            static_cast<unsigned>(O.getInteger("column").value_or(0))};
  }

  static MappedText mappedText(const llvm::json::Object &O) {
    MappedText Text;
    Text.Text = string(O, "text");
    if (const llvm::json::Array *Runs = O.getArray("map"))
      for (const llvm::json::Value &Entry : *Runs)
        if (const llvm::json::Array *Run = Entry.getAsArray(); Run && Run->size() == 3)
          Text.Runs.push_back({static_cast<size_t>((*Run)[0].getAsInteger().value_or(0)),
                               static_cast<unsigned>((*Run)[1].getAsInteger().value_or(0)),
                               static_cast<unsigned>((*Run)[2].getAsInteger().value_or(0))});
    return Text;
  }

  PythonExtension extension(const llvm::json::Object &O) const {
    PythonExtension Extension;
    Extension.Name = string(O, "name");
    Extension.Place = place(O);
    Extension.Functions = strings(O, "functions");
    if (string(O, "kind") == "load_inline")
      Extension.Source.append(InlineHeaders);
    // Prototypes of the C++ source come first, so that either file may use what the other defines.
    for (llvm::StringRef Part : {"cpp", "cuda"})
      for (const llvm::json::Object *Source : objects(O, Part)) {
        Extension.Source.append(mappedText(*Source));
        Extension.Source.append("\n");
      }
    Extension.HasUnknownSource = !strings(O, "unknown").empty();
    // Of a source that is not known the functions are not known either.
    if (!Extension.Functions.empty() && !Extension.HasUnknownSource &&
        strings(O, "unknown_flags").empty())
      Extension.Source.append(binding(Extension.Functions));
    return Extension;
  }

  /// The module that load_inline writes for the functions that it is given.
  static std::string binding(const std::vector<std::string> &Functions) {
    std::string Text = "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {\n";
    for (const std::string &Function : Functions)
      Text += "m.def(\"" + Function + "\", &" + Function + ");\n";
    return Text + "}\n";
  }

  PythonFinding finding(const llvm::json::Object &O) const {
    PythonFinding F{string(O, "id"), string(O, "level"), string(O, "message"), place(O), {}, {}};
    for (const llvm::json::Object *Note : objects(O, "notes"))
      F.Notes.push_back({place(*Note), string(*Note, "message")});
    for (const llvm::json::Object *Argument : objects(O, "unless_written_by"))
      F.UnlessWrittenBy.push_back(
          {static_cast<size_t>(Argument->getInteger("extension").value_or(-1)),
           string(*Argument, "function"),
           static_cast<unsigned>(Argument->getInteger("argument").value_or(0))});
    return F;
  }

  PythonSubmission &Result;
};

} // namespace

std::optional<SourcePlace> MappedText::placeOf(unsigned Line, unsigned Column) const {
  size_t Offset = 0;
  for (unsigned I = 1; I < Line; ++I) {
    size_t End = Text.find('\n', Offset);
    if (End == std::string::npos)
      return std::nullopt;
    Offset = End + 1;
  }
  Offset += Column == 0 ? 0 : Column - 1;
  auto After = llvm::upper_bound(
      Runs, Offset, [](size_t Value, const Run &Candidate) { return Value < Candidate.Offset; });
  for (bool IsInside = true; After != Runs.begin(); IsInside = false) {
    const Run &Before = *--After;
    if (Before.Line == 0)
      continue;
    unsigned Skip = IsInside ? static_cast<unsigned>(Offset - Before.Offset) : 0;
    return SourcePlace{"", Before.Line, Before.Column + Skip};
  }
  return std::nullopt;
}

void MappedText::append(const MappedText &Other) {
  for (Run Moved : Other.Runs) {
    Moved.Offset += Text.size();
    Runs.push_back(Moved);
  }
  Text += Other.Text;
}

void MappedText::append(llvm::StringRef Computed) {
  Runs.push_back({Text.size(), 0, 0});
  Text += Computed;
}

void keepCalledEntries(const PythonSubmission &Submission, ParsedSubmission &Extension) {
  std::vector<EntrySignature> Entries;
  std::vector<const clang::FunctionDecl *> Functions, Others;
  for (size_t I = 0; I < Extension.Entries.size(); ++I) {
    const std::string &Name = Extension.Entries[I].BoundName;
    if (llvm::is_contained(Submission.CalledFunctions, Name)) {
      Entries.push_back(Extension.Entries[I]);
      Functions.push_back(Extension.EntryFunctions[I]);
    } else if (llvm::is_contained(Submission.CalledAnywhere, Name)) {
      Others.push_back(Extension.EntryFunctions[I]);
    }
  }
  // A name that is computed, or bound in a way that we do not see, may be any function's.
  const bool HasOther = llvm::any_of(Submission.CalledFunctions, [&](const std::string &Name) {
    return llvm::none_of(Entries, [&](const EntrySignature &E) { return E.BoundName == Name; });
  });
  if (Entries.empty() || (HasOther && Submission.Extensions.size() == 1))
    return;
  Extension.PreparingFunctions = std::move(Others);
  Extension.Entries = std::move(Entries);
  Extension.EntryFunctions = std::move(Functions);
}

llvm::Expected<PythonSubmission> inspectPython(llvm::StringRef File, const Toolchain &Tools,
                                               llvm::ArrayRef<std::string> ArgumentTypes) {
  llvm::Expected<std::string> Source = readTextFile(File);
  if (!Source)
    return Source.takeError();
  if (Tools.Python.empty())
    return makeError("python-missing",
                     "a .py submission needs Python 3 to be read: install python3");
  ProcessOptions Options;
  Options.Program = Tools.Python;
  // Isolated: neither the environment nor the submission's folder chooses what is imported.
  Options.Arguments = {"-I", "-B", Tools.ownFile("python/inspect_submission.py"), File.str()};
  if (!ArgumentTypes.empty())
    Options.Arguments.push_back(llvm::join(ArgumentTypes, ","));
  Options.TimeoutSeconds = InspectionSeconds;
  Options.MemoryBytes = InspectionBytes;
  Options.KeptOutputBytes = uint64_t(256) << 20;
  llvm::Expected<ProcessResult> Run = runProcess(Options);
  if (!Run)
    return Run.takeError();
  llvm::Expected<llvm::json::Value> Reply = parseJson(Run->Stdout);
  if (!Run->succeeded() || !Reply || !Reply->getAsObject()) {
    if (!Reply)
      llvm::consumeError(Reply.takeError());
    return makeError("inspection-failed",
                     "the inspection of the Python file " + Run->describe() + ": " +
                         llvm::StringRef(Run->Stderr).trim().take_back(2000),
                     {File.str(), 0, 0});
  }
  PythonSubmission Result;
  Result.File = File.str();
  Result.Source = std::move(*Source);
  ReplyReader(Result).read(*Reply->getAsObject());
  return Result;
}

} // namespace cupel
