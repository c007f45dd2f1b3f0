//===- SelectEntry.cpp - which bound function answers the problem -----------===//

#include "cupel/Frontend/SelectEntry.h"
#include "cupel/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace cupel;

static const ScalarSpec *scalarNamed(const ProblemSpec &Problem, llvm::StringRef Name) {
  for (const InputSpec &Input : Problem.Inputs)
    if (Input.Scalar && Input.Scalar->Name == Name)
      return &*Input.Scalar;
  return nullptr;
}

static llvm::StringRef describe(ScalarSpec::Kind Kind) {
  switch (Kind) {
  case ScalarSpec::Kind::Float:
    return "a float";
  case ScalarSpec::Kind::Int:
    return "an int";
  case ScalarSpec::Kind::Bool:
    return "a bool";
  }
  llvm_unreachable("unknown kind of scalar");
}

/// Whether a parameter of \p Kind takes the value of \p Scalar without changing it.
static bool takesScalar(ValueKind Kind, ScalarSpec::Kind Scalar) {
  switch (Kind) {
  case ValueKind::Scalar:
  case ValueKind::Float:
  case ValueKind::OptionalFloat:
    return Scalar != ScalarSpec::Kind::Bool;
  case ValueKind::Int:
  case ValueKind::OptionalInt:
    return Scalar == ScalarSpec::Kind::Int;
  case ValueKind::Bool:
  case ValueKind::OptionalBool:
    return Scalar == ScalarSpec::Kind::Bool;
  default:
    return false;
  }
}

static bool takesTensor(ValueKind Kind) {
  return Kind == ValueKind::Tensor || Kind == ValueKind::OptionalTensor;
}

static std::string spell(const EntrySignature &Entry) {
  std::string Text = Entry.BoundName + "(";
  for (const auto &[Index, Argument] : llvm::enumerate(Entry.Arguments))
    Text +=
        (Index ? ", " : "") + Argument.Type + (Argument.Name.empty() ? "" : " ") + Argument.Name;
  return Text + ")";
}

/// Whether \p Entry has exactly the names of the problem in another order.
static bool isReordered(const EntrySignature &Entry, const ProblemSpec &Problem) {
  std::vector<std::string> Names;
  for (const EntryArgument &Argument : Entry.Arguments)
    Names.push_back(Argument.Name);
  std::vector<std::string> Given = Problem.EntryArguments;
  if (Names == Given)
    return false;
  llvm::sort(Names);
  llvm::sort(Given);
  return Names == Given;
}

std::vector<EntryMistake> cupel::compareEntry(const EntrySignature &Entry,
                                              const ProblemSpec &Problem) {
  std::vector<EntryMistake> Mistakes;
  auto Add = [&](llvm::StringRef Code, const llvm::Twine &Text,
                 std::optional<size_t> Argument = std::nullopt) {
    Mistakes.push_back({Code.str(), Text.str(), Argument});
  };
  const std::vector<std::string> &Given = Problem.EntryArguments;
  if (Given.size() > Entry.Arguments.size() || Given.size() < fewestArguments(Entry))
    Add("entry-count", spell(Entry) + " takes " + llvm::Twine(Entry.Arguments.size()) +
                           (Entry.Arguments.size() == 1 ? " argument" : " arguments") +
                           "; the problem gives " + llvm::Twine(Given.size()) + " (" +
                           llvm::join(Given, ", ") + ")");
  else if (isReordered(Entry, Problem))
    Add("entry-order", spell(Entry) +
                           " takes its arguments in another order than the problem "
                           "gives them (" +
                           llvm::join(Given, ", ") + ")");

  for (size_t I = 0; I != std::min(Given.size(), Entry.Arguments.size()); ++I) {
    const std::string &Name = Given[I];
    const EntryArgument &Argument = Entry.Arguments[I];
    const ScalarSpec *Scalar = scalarNamed(Problem, Name);
    if (Scalar ? takesScalar(Argument.Kind, Scalar->Type) : takesTensor(Argument.Kind))
      continue;
    Add("entry-type",
        "argument '" + Argument.Name + "' of " + Entry.BoundName + " is of type '" + Argument.Type +
            "'; the problem gives '" + Name + "', " +
            (Scalar ? describe(Scalar->Type) : "a tensor"),
        I);
  }
  if (Entry.ResultKind == ValueKind::None)
    Add("entry-result", Entry.BoundName + " returns nothing; it must return the output tensor");
  else if (Entry.ResultKind != ValueKind::Tensor && Entry.ResultKind != ValueKind::TensorList &&
           Entry.ResultKind != ValueKind::TensorTuple)
    Add("entry-result", Entry.BoundName + " returns '" + Entry.ResultType +
                            "'; it must return a tensor, or a tuple or vector of tensors");
  return Mistakes;
}

static bool isCallable(const std::vector<EntryMistake> &Mistakes) {
  return llvm::all_of(Mistakes, [](const EntryMistake &M) { return M.Code == "entry-order"; });
}

std::optional<size_t> EntryChoice::fitting() const {
  return Meant && isCallable(Mistakes) ? Meant : std::nullopt;
}

static EntryChoice missing(const ParsedSubmission &Submission, const ProblemSpec &Problem) {
  EntryChoice Choice;
  Choice.Code = "entry-missing";
  std::string Wanted = Problem.EntryName.empty() ? "forward" : Problem.EntryName;
  if (Submission.Entries.empty()) {
    Choice.Text = "no entry: bind a host function that takes and returns tensors with "
                  "PYBIND11_MODULE, or call it '" +
                  Wanted + "'";
    return Choice;
  }
  std::vector<std::string> Names;
  for (const EntrySignature &Entry : Submission.Entries)
    Names.push_back(Entry.BoundName);
  Choice.Text = (Problem.EntryName.empty() ? "no entry fits the problem"
                                           : "no entry is called '" + Wanted + "'") +
                didYouMean(Wanted, Names) + "; bound: " + llvm::join(Names, ", ");
  return Choice;
}

static EntryChoice ambiguous(const ParsedSubmission &Submission, std::vector<size_t> Fitting) {
  std::vector<std::string> Names;
  for (size_t Index : Fitting)
    Names.push_back(Submission.Entries[Index].BoundName);
  EntryChoice Choice;
  Choice.Code = "entry-ambiguous";
  Choice.Text = "several functions could be the entry (" + llvm::join(Names, ", ") +
                "): bind one as 'forward', or name it in the problem's [entry]";
  Choice.Candidates = std::move(Fitting);
  return Choice;
}

EntryChoice cupel::chooseEntry(const ParsedSubmission &Submission, const ProblemSpec &Problem) {
  std::vector<size_t> All, Fitting, Callable;
  for (size_t I = 0; I != Submission.Entries.size(); ++I) {
    All.push_back(I);
    const std::vector<EntryMistake> Mistakes = compareEntry(Submission.Entries[I], Problem);
    if (Mistakes.empty())
      Fitting.push_back(I);
    if (isCallable(Mistakes))
      Callable.push_back(I);
  }
  if (Fitting.empty())
    Fitting = Callable;
  auto Called = [&](llvm::StringRef Name) {
    std::vector<size_t> Found;
    llvm::copy_if(All, std::back_inserter(Found),
                  [&](size_t I) { return Submission.Entries[I].BoundName == Name; });
    return Found;
  };

  // Those that are meant by name come before those that merely fit.
  std::vector<size_t> Meant = Called(Problem.EntryName.empty() ? "forward" : Problem.EntryName);
  if (Meant.empty() && !Problem.EntryName.empty())
    return missing(Submission, Problem);
  if (Meant.empty())
    Meant = Fitting.empty() ? All : Fitting;
  if (Meant.empty())
    return missing(Submission, Problem);
  if (Meant.size() > 1) { // Overloads of one name: the signature decides.
    llvm::erase_if(Meant, [&](size_t I) { return !llvm::is_contained(Fitting, I); });
    if (Meant.empty())
      return missing(Submission, Problem);
  }
  if (Meant.size() > 1)
    return ambiguous(Submission, std::move(Meant));
  EntryChoice Choice;
  Choice.Meant = Meant.front();
  Choice.Mistakes = compareEntry(Submission.Entries[Meant.front()], Problem);
  return Choice;
}

llvm::Expected<size_t> cupel::selectEntry(const ParsedSubmission &Submission,
                                          const ProblemSpec &Problem) {
  const EntryChoice Choice = chooseEntry(Submission, Problem);
  if (std::optional<size_t> Index = Choice.fitting())
    return *Index;
  if (!Choice.Meant) {
    SourcePlace Place{Submission.File, 0, 0};
    if (!Choice.Candidates.empty())
      Place = Submission.Entries[Choice.Candidates.front()].Place;
    return makeError(Choice.Code, Choice.Text, Place);
  }
  llvm::Error All = llvm::Error::success();
  for (const EntryMistake &Mistake : Choice.Mistakes)
    All = llvm::joinErrors(std::move(All), makeError(Mistake.Code, Mistake.Text,
                                                     Submission.Entries[*Choice.Meant].Place));
  return All;
}
