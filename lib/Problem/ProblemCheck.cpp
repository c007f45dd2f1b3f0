//===- ProblemCheck.cpp - whether a problem can tell right from wrong -------===//

#include "cupel/Problem/ProblemCheck.h"
#include "cupel/Problem/DType.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <set>

using namespace cupel;

namespace {

/// A reference that needs more than this part of the allowed error leaves too little for others.
constexpr double WideErrorShare = 0.25;

std::string print(double Number) {
  std::string Text;
  llvm::raw_string_ostream(Text) << llvm::format("%.2g", Number);
  return Text;
}

std::string quoted(const std::vector<std::string> &Names) {
  return "'" + llvm::join(Names, "', '") + "'";
}

/// `the output`, or `output 1` of several.
std::string outputName(size_t Output, size_t Count) {
  return Count == 1 ? "the output" : "output " + std::to_string(Output);
}

bool isReal(llvm::StringRef Name) {
  const DType *Type = findDType(Name);
  return Type && Type->Kind == DType::Family::Real;
}

/// Judges the reports of all cases together.
class Judging {
public:
  Judging(const ProblemSpec &Problem, const ProblemNotes &Notes, ProblemJudgement &Judgement)
      : Problem(Problem), Notes(Notes), Judgement(Judgement) {}

  void judgeCase(const CheckedCase &Case);
  /// After all cases: what they show together.
  void judgeAll();

private:
  void fail(llvm::StringRef Code, const std::string &Text) {
    Judgement.Failures.push_back({Code.str(), Text});
  }
  void warn(llvm::StringRef Code, const std::string &Text) {
    Judgement.Warnings.push_back({Code.str(), Text});
  }
  /// False when the run says nothing of inputs and mutations.
  bool judgeRuns(const std::string &In, const ReferenceReport &Report);
  void judgeError(const std::string &In, const ReferenceReport &Report);
  void judgeDTypes();
  bool judgeFixedOutputs();
  void judgeDependence();
  void judgeMutations();
  /// Every name in the reports, each once, in the order of the first report.
  std::vector<std::string> names() const;
  bool anyCase(const std::vector<std::string> ReferenceReport::*List, llvm::StringRef Name) const {
    return llvm::any_of(Telling, [&](const ReferenceReport *Report) {
      return llvm::is_contained(Report->*List, Name);
    });
  }

  const ProblemSpec &Problem;
  const ProblemNotes &Notes;
  ProblemJudgement &Judgement;
  std::vector<const ReferenceReport *> Telling; ///< Of cases that judgeRuns has nothing against.
};

bool Judging::judgeRuns(const std::string &In, const ReferenceReport &Report) {
  if (!Report.InputsChanged.empty()) {
    fail("writes-input", In + "the reference writes to its own " + quoted(Report.InputsChanged) +
                             "; use operators that return a new tensor (relu, not relu_), or "
                             "clone() first");
    return false;
  }
  bool Finite = true;
  for (auto [I, Count] : llvm::enumerate(Report.NotFinite)) {
    if (Count == 0)
      continue;
    int64_t Elements = 1;
    for (int64_t Size : Report.Shapes[I])
      Elements *= Size;
    fail("not-finite", In + outputName(I, Report.Shapes.size()) + " has NaN or infinite values, " +
                           std::to_string(Count) + " of " + std::to_string(Elements) +
                           "; change the reference or how its inputs are drawn");
    Finite = false;
  }
  if (!Report.RepeatEqual)
    fail("not-repeatable", In + "two runs on equal inputs differ; if the reference draws random "
                                "numbers, make them an input");
  return Finite && Report.RepeatEqual;
}

void Judging::judgeError(const std::string &In, const ReferenceReport &Report) {
  bool Real = llvm::any_of(Report.DTypes, isReal);
  if (Report.ReferencePrecision != "float64" && Real)
    warn("not-in-fp64",
         In + "nothing tells how exact the reference is: " + Report.ReferencePrecisionReason);
  if (!Report.MaxError || !Report.AllowedError)
    return;
  double Share = *Report.AllowedError > 0 ? *Report.MaxError / *Report.AllowedError : 0;
  std::string Errors = In + "the reference's own error against fp64, " + print(*Report.MaxError) +
                       ", where " + print(*Report.AllowedError) + " is allowed";
  if (!Report.WithinTolerance || Share > 1)
    fail("too-inexact", Errors);
  else if (Share > WideErrorShare)
    warn("inexact", Errors);
  if (std::isfinite(Share))
    Judgement.ErrorShare = std::max(Judgement.ErrorShare.value_or(0), Share);
}

void Judging::judgeCase(const CheckedCase &Case) {
  std::string In = "case '" + Case.Name + "': ";
  if (!judgeRuns(In, Case.Report))
    return;
  judgeError(In, Case.Report);
  Telling.push_back(&Case.Report);
}

/// A real output has the dtype of a real input or parameter; another one was named by the
/// reference.
void Judging::judgeDTypes() {
  std::vector<std::string> Known;
  auto Add = [&](const TensorSpec &Tensor) {
    if (isReal(Tensor.DType) && !llvm::is_contained(Known, Tensor.DType))
      Known.push_back(Tensor.DType);
  };
  for (const InputSpec &Input : Problem.Inputs)
    if (Input.Tensor)
      Add(*Input.Tensor);
  llvm::for_each(Problem.Parameters, Add);
  // torch's default for what is made of integers alone.
  if (Known.empty())
    Known.push_back("float32");
  const ReferenceReport &Report = *Telling.front();
  for (auto [I, DType] : llvm::enumerate(Report.DTypes))
    if (isReal(DType) && !llvm::is_contained(Known, DType))
      fail("output-dtype", outputName(I, Report.DTypes.size()) + " is " + DType +
                               ", and no input or parameter is: the problem is in " +
                               llvm::join(Known, ", "));
  std::set<std::string> Named;
  for (const ReferenceReport *Each : Telling)
    Named.insert(Each->NamedDTypes.begin(), Each->NamedDTypes.end());
  if (!Named.empty())
    fail("names-dtype", "the reference names a real dtype: run in float64, " +
                            llvm::join(Named, ", ") + "; follow the inputs: x.to(y.dtype)");
}

/// True when nothing at all changes any output: then there is nothing to say of single inputs.
bool Judging::judgeFixedOutputs() {
  size_t Count = Telling.front()->Shapes.size(), Fixed = 0;
  std::vector<size_t> Always;
  for (size_t I = 0; I != Count; ++I)
    if (llvm::all_of(Telling, [&](const ReferenceReport *Report) {
          return llvm::is_contained(Report->FixedOutputs, I);
        }))
      Always.push_back(I);
  Fixed = Always.size();
  for (size_t I : Always)
    fail("fixed-output", outputName(I, Count) + " is the same, or nearly, whatever the inputs and "
                                                "parameters are: a submission need not compute it");
  return Fixed == Count;
}

std::vector<std::string> Judging::names() const {
  const ReferenceReport &First = *Telling.front();
  std::vector<std::string> Names = First.Depends;
  llvm::append_range(Names, First.Negligible);
  llvm::append_range(Names, First.Independent);
  return Names;
}

/// A name's best case counts, since a submission has to pass them all.
void Judging::judgeDependence() {
  for (const std::string &Name : names()) {
    bool Known = llvm::is_contained(Notes.WithoutEffect, Name);
    if (anyCase(&ReferenceReport::Depends, Name)) {
      if (Known)
        fail("has-effect",
             "'" + Name + "' is declared without_effect, but its values change the output");
    } else if (Known) {
      continue;
    } else if (anyCase(&ReferenceReport::Negligible, Name)) {
      warn("negligible", "other values of '" + Name +
                             "' change the output by less than is allowed; if that is meant, say "
                             "without_effect = true");
    } else {
      fail("independent", "the output is the same whatever the values of '" + Name +
                              "' are; leave it out, or say without_effect = true");
    }
  }
}

void Judging::judgeMutations() {
  size_t Outputs = Telling.front()->Shapes.size();
  for (const ReferenceReport *Report : Telling)
    for (const MutationResult &Mutation : Report->Mutations) {
      auto Known = llvm::find_if(Judgement.Mutations, [&](const MutationResult &Each) {
        return Each.Name == Mutation.Name && Each.Output == Mutation.Output;
      });
      // The states are in the order of what counts.
      if (Known == Judgement.Mutations.end())
        Judgement.Mutations.push_back(Mutation);
      else if (Mutation.State < Known->State)
        *Known = Mutation;
    }
  for (const MutationResult &Mutation : Judgement.Mutations)
    if (Mutation.survives())
      warn("mutation-survives", "the wrong output '" + mutationName(Mutation, Outputs) +
                                    "' is accepted: " + Mutation.Reason);
  if (Judgement.countedMutations() != 0 && Judgement.refusedMutations() == 0)
    fail("nothing-refused", "each wrong output that was tried is accepted: a submission need not "
                            "compute anything");
}

void Judging::judgeAll() {
  if (Telling.empty())
    return;
  judgeDTypes();
  if (!judgeFixedOutputs())
    judgeDependence();
  judgeMutations();
}

} // namespace

std::string cupel::mutationName(const MutationResult &Mutation, size_t Outputs) {
  return Outputs == 1 ? Mutation.Name
                      : Mutation.Name + " of output " + std::to_string(Mutation.Output);
}

unsigned ProblemJudgement::refusedMutations() const {
  return llvm::count_if(Mutations,
                        [](const MutationResult &M) { return M.State == MutationState::Refused; });
}

unsigned ProblemJudgement::countedMutations() const {
  return llvm::count_if(
      Mutations, [](const MutationResult &M) { return M.State != MutationState::NotApplicable; });
}

ProblemJudgement cupel::checkProblem(const ProblemSpec &Problem, const ProblemNotes &Notes,
                                     const ReferenceRunner &Run,
                                     const std::function<bool(const CaseSpec &)> &WantsCase) {
  std::vector<const CaseSpec *> Cases;
  for (const CaseSpec &Case : Problem.Cases)
    if (Case.IsCheck)
      Cases.push_back(&Case);
  llvm::stable_sort(Cases, [&](const CaseSpec *A, const CaseSpec *B) {
    return tensorBytes(Problem, *A) < tensorBytes(Problem, *B);
  });
  ProblemJudgement Judgement;
  for (const CaseSpec *Case : Cases) {
    // Asked late: what can run may be known only after the first case did.
    if (WantsCase && !WantsCase(*Case))
      continue;
    llvm::Expected<ReferenceReport> Report = Run(Problem, *Case);
    if (!Report) {
      llvm::append_range(Judgement.NotRun, takePlacedReasons(Report.takeError()));
      break;
    }
    Judgement.Cases.push_back({Case->Name, std::move(*Report)});
  }
  if (Judgement.Cases.empty() && Judgement.NotRun.empty())
    Judgement.NotRun.push_back(
        {"no-small-case", "no check case without the role 'benchmark', and no CUDA device",
         Cases.empty() ? SourcePlace{Problem.File, 0, 0} : Cases.front()->Place});
  Judging All(Problem, Notes, Judgement);
  for (const CheckedCase &Case : Judgement.Cases)
    All.judgeCase(Case);
  All.judgeAll();
  return Judgement;
}
