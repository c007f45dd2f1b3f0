//===- PythonSubmission.h - a KernelBench `.py` file with ModelNew ----------===//
//
// What share/python/cupel_inspect finds in a `.py` submission without running it: the extensions
// that it builds, with the way from each character of their sources back into the file, and what
// forward leaves to torch. Plain data.
//
//===----------------------------------------------------------------------===//
#ifndef CUPEL_FRONTEND_PYTHONSUBMISSION_H
#define CUPEL_FRONTEND_PYTHONSUBMISSION_H

#include "cupel/Frontend/ParsedSubmission.h"
#include "cupel/Support/Toolchain.h"

namespace cupel {

/// C++ text that comes from strings of a `.py` file.
struct MappedText {
  /// Characters from Offset (in bytes of Text) on stand at Line and Column of the file, one after
  /// the other; Line 0 means that they are computed and stand nowhere.
  struct Run {
    size_t Offset = 0;
    unsigned Line = 0, Column = 0;
  };
  std::string Text;
  std::vector<Run> Runs;

  /// Place in the file of the character at \p Line and \p Column of Text; the nearest one before it
  /// when that one stands nowhere, and nothing when there is none.
  std::optional<SourcePlace> placeOf(unsigned Line, unsigned Column) const;

  void append(const MappedText &Other);
  /// Text that stands nowhere in the file.
  void append(llvm::StringRef Computed);
};

/// One `load_inline` or `load`.
struct PythonExtension {
  std::string Name;
  SourcePlace Place;
  /// One translation unit: what the CUDA file and the C++ file of the extension hold.
  MappedText Source;
  /// What load_inline binds; empty when the source binds by itself.
  std::vector<std::string> Functions;
  bool HasUnknownSource = false; ///< Whether Source lacks text that only running the file gives.
};

/// An argument of a function that an extension binds.
struct ExtensionArgument {
  size_t Extension = 0; ///< Index in PythonSubmission::Extensions.
  std::string Function;
  unsigned Position = 0;
};

/// A finding of the inspection: id, level and message as in docs/checks.
struct PythonFinding {
  std::string Id, Level, Message;
  SourcePlace Place;
  std::vector<std::pair<SourcePlace, std::string>> Notes;
  /// It holds when the C++ shows that none of these is written.
  std::vector<ExtensionArgument> UnlessWrittenBy;
};

struct PythonSubmission {
  std::string File, Source;
  ParseState State = ParseState::Failed;
  std::vector<CompilerMessage> Messages;
  std::vector<PythonExtension> Extensions;
  std::vector<PythonFinding> Findings;
  std::vector<std::string> CalledFunctions; ///< Of extensions, by forward. `?`: a computed name.
  std::vector<std::string> CalledAnywhere;  ///< The same, by the whole file.
  std::vector<std::string> OtherLanguages;  ///< `triton`, ...: kernels that cupel does not judge.
  bool HasModel = false;                    ///< Whether a class ModelNew is there.
};

/// Leaves of \p Extension's entries those that forward calls, when it calls any of them; others
/// that the file calls become its preparing functions.
void keepCalledEntries(const PythonSubmission &Submission, ParsedSubmission &Extension);

/// Inspects \p File. Errors: unreadable file, `python-missing`, `inspection-failed` with the
/// helper's output. A file that Python cannot parse is a result with messages. \p ArgumentTypes:
/// dtypes of forward's arguments in their order (`float32`; `-` for a number), as the problem gives
/// them; none when there is no problem, and then nothing that depends on them is a reject.
llvm::Expected<PythonSubmission> inspectPython(llvm::StringRef File, const Toolchain &Tools,
                                               llvm::ArrayRef<std::string> ArgumentTypes = {});

} // namespace cupel

#endif // CUPEL_FRONTEND_PYTHONSUBMISSION_H
