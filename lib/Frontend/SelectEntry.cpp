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
    Text += (Index ? ", " : "") + Argument.Type + (Argument.Name.empty() ? "" : " ") +
            Argument.Name;
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

std::vector<CupelError> cupel::compareEntry(const EntrySignature &Entry,
                                            const ProblemSpec &Problem) {
  std::vector<CupelError> Mistakes;
  auto Add = [&](llvm::StringRef Code, const llvm::Twine &Text) {
    Mistakes.emplace_back(Code, Text.str(), Entry.Place);
  };
  const std::vector<std::string> &Given = Problem.EntryArguments;
  size_t Required = llvm::count_if(Entry.Arguments,
                                   [](const EntryArgument &A) { return !A.HasDefault; });
  if (Given.size() > Entry.Arguments.size() || Given.size() < Required)
    Add("entry-count", spell(Entry) + " takes " + llvm::Twine(Entry.Arguments.size()) +
                           " arguments; the problem gives " + llvm::Twine(Given.size()) + " (" +
                           llvm::join(Given, ", ") + ")");
  else if (isReordered(Entry, Problem))
    Add("entry-order", spell(Entry) + " takes its arguments in another order than the problem "
                                      "gives them (" +
                           llvm::join(Given, ", ") + ")");

  for (const auto &[Name, Argument] : llvm::zip(Given, Entry.Arguments)) {
    const ScalarSpec *Scalar = scalarNamed(Problem, Name);
    if (Scalar ? takesScalar(Argument.Kind, Scalar->Type) : takesTensor(Argument.Kind))
      continue;
    Add("entry-type", "argument '" + Argument.Name + "' of " + Entry.BoundName + " is a '" +
                          Argument.Type + "'; the problem gives '" + Name + "', " +
                          (Scalar ? describe(Scalar->Type) : "a tensor"));
  }
  if (Entry.ResultKind == ValueKind::None)
    Add("entry-result", Entry.BoundName + " returns nothing; it must return the output tensor");
  else if (Entry.ResultKind != ValueKind::Tensor && Entry.ResultKind != ValueKind::TensorList &&
           Entry.ResultKind != ValueKind::TensorTuple)
    Add("entry-result", Entry.BoundName + " returns '" + Entry.ResultType +
                            "'; it must return a tensor, or a tuple or vector of tensors");
  return Mistakes;
}

static llvm::Error toError(std::vector<CupelError> Mistakes) {
  llvm::Error All = llvm::Error::success();
  for (CupelError &Mistake : Mistakes)
    All = llvm::joinErrors(std::move(All), llvm::make_error<CupelError>(std::move(Mistake)));
  return All;
}

static llvm::Error missing(const ParsedSubmission &Submission, const ProblemSpec &Problem) {
  SourcePlace Place{Submission.File, 0, 0};
  std::string Wanted = Problem.EntryName.empty() ? "forward" : Problem.EntryName;
  if (Submission.Entries.empty())
    return makeError("entry-missing",
                     "no entry: bind a host function that takes and returns tensors with "
                     "PYBIND11_MODULE, or call it '" +
                         Wanted + "'",
                     Place);
  std::vector<std::string> Names;
  for (const EntrySignature &Entry : Submission.Entries)
    Names.push_back(Entry.BoundName);
  return makeError("entry-missing",
                   (Problem.EntryName.empty() ? "no entry fits the problem"
                                              : "no entry is called '" + Wanted + "'") +
                       didYouMean(Wanted, Names) + "; bound: " + llvm::join(Names, ", "),
                   Place);
}

static llvm::Error ambiguous(const ParsedSubmission &Submission, llvm::ArrayRef<size_t> Fitting) {
  std::vector<std::string> Names;
  for (size_t Index : Fitting)
    Names.push_back(Submission.Entries[Index].BoundName);
  return makeError("entry-ambiguous",
                   "several functions could be the entry (" + llvm::join(Names, ", ") +
                       "): bind one as 'forward', or name it in the problem's [entry]",
                   Submission.Entries[Fitting.front()].Place);
}

llvm::Expected<size_t> cupel::selectEntry(const ParsedSubmission &Submission,
                                          const ProblemSpec &Problem) {
  std::vector<size_t> All, Fitting;
  for (size_t I = 0; I != Submission.Entries.size(); ++I) {
    All.push_back(I);
    if (compareEntry(Submission.Entries[I], Problem).empty())
      Fitting.push_back(I);
  }
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
    return ambiguous(Submission, Meant);
  if (std::vector<CupelError> Mistakes = compareEntry(Submission.Entries[Meant.front()], Problem);
      !Mistakes.empty())
    return toError(std::move(Mistakes));
  return Meant.front();
}
