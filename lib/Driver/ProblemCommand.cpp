//===- ProblemCommand.cpp - cupel problem list, show and check --------------===//

#include "ProblemCommand.h"
#include "NamedProblem.h"
#include "ProblemMemory.h"
#include "Table.h"
#include "cupel/Problem/InitKinds.h"
#include "cupel/Problem/ProblemReader.h"
#include "cupel/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include <tuple>

using namespace cupel;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

llvm::Expected<std::vector<ProblemSpec>> cupel::readAllProblems(llvm::Error &Errors) {
  llvm::Expected<std::vector<std::string>> Names = listProblems();
  if (!Names)
    return Names.takeError();
  std::vector<ProblemSpec> Problems;
  for (const std::string &Name : *Names) {
    llvm::Expected<ProblemSpec> Problem = readCheckedProblem(Name);
    if (Problem)
      Problems.push_back(std::move(*Problem));
    else
      Errors = llvm::joinErrors(std::move(Errors), Problem.takeError());
  }
  llvm::stable_sort(Problems, [](const ProblemSpec &A, const ProblemSpec &B) {
    return std::tie(A.Level, A.KernelBenchId, A.Id) < std::tie(B.Level, B.KernelBenchId, B.Id);
  });
  return Problems;
}

static std::string printSizes(const CaseSpec &Case) {
  std::vector<std::string> Parts;
  for (const auto &[Name, Size] : Case.Sizes)
    Parts.push_back(Name + "=" + std::to_string(Size));
  return llvm::join(Parts, " ");
}

static std::optional<int64_t> costAt(const std::optional<ShapeExpr> &Cost, const CaseSpec &Case) {
  return Cost ? std::optional(llvm::cantFail(Cost->evaluate(Case.Sizes))) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// list
//===----------------------------------------------------------------------===//

static Value summarize(const ProblemSpec &Problem, ReferenceChecker &Estimator) {
  Object Result{{"id", Problem.Id},
                {"level", Problem.Level},
                {"kernelbench_id", Problem.KernelBenchId},
                {"name", Problem.Name},
                {"tags", Array(Problem.Tags)},
                {"file", Problem.File},
                {"benchmark", nullptr}};
  if (const CaseSpec *Case = Problem.benchmarkCase()) {
    Object Sizes;
    for (const auto &[Name, Size] : Case->Sizes)
      Sizes[Name] = Size;
    Result["benchmark"] = Object{{"case", Case->Name},
                                 {"sizes", std::move(Sizes)},
                                 {"memory", memoryNeed(Estimator, Problem, *Case).json()},
                                 {"tensor_bytes", int64_t(tensorBytes(Problem, *Case))},
                                 {"flops", costAt(Problem.Flops, *Case)},
                                 {"bytes", costAt(Problem.Bytes, *Case)}};
  }
  return Result;
}

llvm::Expected<int> cupel::runProblemList(const ProblemOptions &Options, llvm::raw_ostream &OS) {
  llvm::Error Errors = llvm::Error::success();
  llvm::Expected<std::vector<ProblemSpec>> Problems = readAllProblems(Errors);
  if (!Problems)
    return llvm::joinErrors(std::move(Errors), Problems.takeError());
  std::unique_ptr<ReferenceChecker> Estimator = makeEstimator();
  if (Options.Format == "json") {
    Array All;
    for (const ProblemSpec &Problem : *Problems)
      All.push_back(summarize(Problem, *Estimator));
    OS << llvm::formatv("{0:2}", Value(std::move(All))) << '\n';
  } else {
    std::vector<std::vector<std::string>> Rows{{"PROBLEM", "ID", "NAME", "MEMORY", "TAGS", "SIZE"}};
    for (const ProblemSpec &Problem : *Problems) {
      const CaseSpec *Case = Problem.benchmarkCase();
      Rows.push_back(
          {Problem.Id, Problem.KernelBenchId ? std::to_string(*Problem.KernelBenchId) : "-",
           printableLine(Problem.Name, 60),
           Case ? memoryNeed(*Estimator, Problem, *Case).text() : "-",
           printableLine(llvm::join(Problem.Tags, ","), 200), Case ? printSizes(*Case) : "-"});
    }
    unsigned Columns = terminalWidth(); // A pipe gets all.
    printTable(Rows, OS, "", Columns == 0 ? 0 : std::max(Columns, 80u), {0, 2, 4, 5});
  }
  if (Errors)
    return Errors;
  return ExitDone;
}

//===----------------------------------------------------------------------===//
// show
//===----------------------------------------------------------------------===//

static std::string print(double Number) {
  std::string Text;
  llvm::raw_string_ostream(Text) << llvm::format("%g", Number);
  return Text;
}

static std::string printInit(const InitSpec &Init) {
  std::vector<std::string> Arguments;
  for (const InitArgument &Argument : findInitKind(Init.Kind)->Arguments)
    Arguments.push_back(Argument.Name.str() + "=" + print(Init.Arguments.at(Argument.Name.str())));
  std::string Text = Init.Kind;
  if (!Arguments.empty())
    Text += "(" + llvm::join(Arguments, ", ") + ")";
  for (const std::string &Transform : Init.Transforms)
    Text += ", " + Transform;
  return Text;
}

static std::string effect(const std::string &Name, const ProblemNotes &Notes) {
  return llvm::is_contained(Notes.WithoutEffect, Name) ? ", without effect" : "";
}

static std::vector<std::string> tensorRow(const TensorSpec &Tensor, const ProblemNotes &Notes) {
  std::vector<std::string> Dimensions;
  for (const ShapeExpr &Dimension : Tensor.Shape)
    Dimensions.push_back(Dimension.text());
  return {Tensor.Name, Tensor.DType, "[" + llvm::join(Dimensions, ", ") + "]",
          printInit(Tensor.Init) + effect(Tensor.Name, Notes)};
}

static std::vector<std::string> inputRow(const InputSpec &Input, const ProblemNotes &Notes) {
  if (Input.Tensor)
    return tensorRow(*Input.Tensor, Notes);
  static constexpr const char *Types[] = {"float", "int", "bool"};
  const ScalarSpec &Scalar = *Input.Scalar;
  return {
      Scalar.Name, Types[int(Scalar.Type)], "number",
      (Scalar.Type == ScalarSpec::Kind::Int ? std::to_string(Scalar.Whole) : print(Scalar.Value)) +
          effect(Scalar.Name, Notes)};
}

static std::vector<std::string> caseRow(const ProblemSpec &Problem, const CaseSpec &Case,
                                        ReferenceChecker &Estimator) {
  std::string Roles = Case.IsCheck && Case.IsBenchmark ? "check, benchmark"
                      : Case.IsCheck                   ? "check"
                      : Case.IsBenchmark               ? "benchmark"
                                                       : "on request";
  std::string Others;
  for (const auto &[Name, Init] : Case.Init)
    Others += (Others.empty() ? "" : "; ") + Name + ": " + printInit(Init);
  return {Case.Name, Roles, memoryNeed(Estimator, Problem, Case).text(), printSizes(Case), Others};
}

static void printReference(const ProblemSpec &Problem, llvm::raw_ostream &OS) {
  OS << "\nReference (" << Problem.ReferenceLanguage << ")\n";
  llvm::StringRef Rest = llvm::StringRef(Problem.ReferenceSource).trim('\n');
  while (!Rest.empty()) {
    auto [Line, Tail] = Rest.split('\n');
    OS << "    " << printableLine(Line, 400) << '\n';
    Rest = Tail;
  }
}

static void printRules(const ProblemSpec &Problem, llvm::raw_ostream &OS) {
  OS << "\nEntry: " << (Problem.EntryName.empty() ? "as bound, or forward" : Problem.EntryName)
     << "(" << llvm::join(Problem.EntryArguments, ", ") << ")\n";
  OS << "Policy: " << Problem.Policy.Preset;
  for (const std::string &Name : Problem.Policy.Libraries)
    OS << ", may call " << printableLine(Name);
  for (const std::string &Name : Problem.Policy.Operators)
    OS << ", may call " << printableLine(Name);
  for (const std::string &Name : Problem.Policy.Suppressed)
    OS << ", without the check " << printableLine(Name);
  OS << "\nTolerance: ";
  if (!Problem.Tolerance.Relative && !Problem.Tolerance.Absolute)
    OS << "by dtype";
  if (Problem.Tolerance.Relative)
    OS << "relative " << print(*Problem.Tolerance.Relative) << ' ';
  if (Problem.Tolerance.Absolute)
    OS << "absolute " << print(*Problem.Tolerance.Absolute);
  OS << '\n';
  const CaseSpec *Case = Problem.benchmarkCase();
  if (!Case)
    return;
  OS << "Cost of '" << Case->Name << "': ";
  std::optional<int64_t> Flops = costAt(Problem.Flops, *Case), Bytes = costAt(Problem.Bytes, *Case);
  OS << (Flops ? formatQuantity(double(*Flops), "flop") : "flops not given") << ", "
     << (Bytes ? "at least " + formatQuantity(double(*Bytes), "B") : "bytes not given") << '\n';
}

static void show(const ProblemSpec &Problem, const ProblemNotes &Notes, llvm::raw_ostream &OS) {
  OS << Problem.Id << ": " << printableLine(Problem.Name);
  if (Problem.KernelBenchId)
    OS << " (KernelBench level " << Problem.Level << ", problem " << *Problem.KernelBenchId << ")";
  OS << "\nTags: " << printableLine(llvm::join(Problem.Tags, ", ")) << '\n';
  printReference(Problem, OS);
  std::vector<std::vector<std::string>> Inputs, Parameters, Cases;
  for (const InputSpec &Input : Problem.Inputs)
    Inputs.push_back(inputRow(Input, Notes));
  for (const TensorSpec &Parameter : Problem.Parameters)
    Parameters.push_back(tensorRow(Parameter, Notes));
  std::unique_ptr<ReferenceChecker> Estimator = makeEstimator();
  for (const CaseSpec &Case : Problem.Cases)
    Cases.push_back(caseRow(Problem, Case, *Estimator));
  OS << "\nInputs\n";
  printTable(Inputs, OS, "    ");
  if (!Parameters.empty())
    OS << "\nParameters\n";
  printTable(Parameters, OS, "    ");
  OS << "\nCases\n";
  printTable(Cases, OS, "    ");
  printRules(Problem, OS);
}

llvm::Expected<int> cupel::runProblemShow(const ProblemOptions &Options, llvm::raw_ostream &OS) {
  ProblemNotes Notes;
  llvm::Expected<ProblemSpec> Problem = readCheckedProblem(Options.Problems.front(), &Notes);
  if (!Problem)
    return Problem.takeError();
  if (Options.Format == "json") {
    Value Result = toJson(*Problem);
    Result.getAsObject()->try_emplace("without_effect", Array(Notes.WithoutEffect));
    OS << llvm::formatv("{0:2}", std::move(Result)) << '\n';
  } else {
    show(*Problem, Notes, OS);
  }
  return ExitDone;
}

llvm::Expected<int> cupel::problemCommand(const ProblemOptions &Options, llvm::raw_ostream &OS) {
  switch (Options.What) {
  case ProblemOptions::Action::List:
    return runProblemList(Options, OS);
  case ProblemOptions::Action::Show:
    return runProblemShow(Options, OS);
  case ProblemOptions::Action::Check:
    break;
  }
  return runProblemCheck(Options, OS);
}
