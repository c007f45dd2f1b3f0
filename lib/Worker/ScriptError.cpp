//===- ScriptError.cpp - what TorchScript says of a reference ---------------===//
//
// The compiler (torch/csrc/jit/frontend/error_report.cpp) writes the message, then the place; the
// interpreter (runtime/interpreter.cpp, handleError) the places of all calls, the innermost last,
// then the message. A place is
//
//     File "<string>", line 3
//   def forward(self, x: Tensor) -> Tensor:
//       return torch.foo(x)
//              ~~~~~~~~~ <--- HERE
//
//===----------------------------------------------------------------------===//

#include "ScriptError.h"
#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string_view>
#include <vector>

using namespace cupel::worker;

static constexpr std::string_view File = "  File \"<string>\", line ", Here = "<--- HERE",
                                  Traceback = "Traceback of TorchScript",
                                  Original = "The original call is";

/// Length of `RuntimeError: ` and the like at the start of \p Line, 0 when it begins otherwise: the
/// quoted source goes on behind the mark.
static size_t raisedLength(std::string_view Line) {
  size_t End = Line.find(": ");
  if (End == std::string_view::npos)
    return 0;
  std::string_view Name = Line.substr(0, End);
  bool IsName = std::all_of(Name.begin(), Name.end(), [](unsigned char C) {
    return std::isalnum(C) || C == '_' || C == '.';
  });
  return IsName && (Name.ends_with("Error") || Name.ends_with("Exception")) ? End + 2 : 0;
}

static std::vector<std::string_view> linesOf(std::string_view Text) {
  std::vector<std::string_view> Lines;
  while (!Text.empty()) {
    size_t End = std::min(Text.find('\n'), Text.size());
    Lines.push_back(Text.substr(0, End));
    Text.remove_prefix(std::min(End + 1, Text.size()));
  }
  return Lines;
}

static std::string join(const std::vector<std::string_view> &Lines, size_t Begin, size_t End) {
  std::string Text;
  for (size_t I = Begin; I < End; ++I)
    if (!Lines[I].empty() || !Text.empty())
      Text += std::string(Lines[I]) + '\n';
  size_t Last = Text.find_last_not_of(" \n:");
  return Text.substr(0, Last == std::string::npos ? 0 : Last + 1);
}

ScriptError cupel::worker::readScriptError(const std::string &What) {
  std::vector<std::string_view> Lines = linesOf(What);
  bool Running = What.find(Traceback) != std::string::npos;
  size_t At = Lines.size(), Mark = Lines.size();
  for (size_t I = 0; I < Lines.size(); ++I) {
    if (Lines[I].starts_with(File) && (At == Lines.size() || Running)) {
      At = I;
      Mark = Lines.size();
    } else if (At != Lines.size() && Mark == Lines.size() &&
               Lines[I].find(Here) != std::string_view::npos) {
      Mark = I;
    }
  }
  ScriptError Error;
  if (At == Lines.size()) {
    Error.Text = join(Lines, 0, Lines.size());
    return Error;
  }
  Error.Line = std::atoi(std::string(Lines[At].substr(File.size())).c_str());
  if (Mark != Lines.size())
    Error.Column = static_cast<int>(Lines[Mark].find('~')) + 1;
  size_t Raised = At;
  while (Raised != Lines.size() && raisedLength(Lines[Raised]) == 0)
    ++Raised;
  Error.Text =
      Running && Raised != Lines.size() ? join(Lines, Raised, Lines.size()) : join(Lines, 0, At);
  if (Running && Raised != Lines.size())
    Error.Text.erase(0, raisedLength(Lines[Raised]));
  if (Error.Text.ends_with(Original))
    Error.Text.erase(Error.Text.find_last_not_of('\n', Error.Text.size() - Original.size() - 1) +
                     1);
  return Error;
}
