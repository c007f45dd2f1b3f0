//===- build-survey.cpp - how submissions build, without judging them ---------===//
//
//   build-survey [--strategy NAME]... [--architecture sm_90a] [--cupel PATH] [--device-source]
//   FILE...
//
// Builds each file, and each `load_inline` of a `.py` file, for a GPU that need not be there, and
// prints a line of JSON for each: file, state, strategy, seconds of the build alone, attempts with
// reasons, library. With --device-source it prints what nvcc gets in a split build instead. Nothing
// that is built is run. utils/survey-builds.py makes a table of many, utils/compare-sass.py
// compares machine code.
//
//===----------------------------------------------------------------------===//

#include "cupel/Build/Builder.h"
#include "cupel/Driver/SplitBuild.h"
#include "cupel/Frontend/Parse.h"
#include "cupel/Frontend/PythonSubmission.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace cupel;

static llvm::cl::list<std::string> Files(llvm::cl::Positional, llvm::cl::OneOrMore,
                                         llvm::cl::desc("FILE..."));
static llvm::cl::list<std::string> Strategies("strategy", llvm::cl::desc("ways to try, in order"));
static llvm::cl::opt<std::string> Architecture("architecture", llvm::cl::init("sm_90a"));
static llvm::cl::opt<std::string> Cupel("cupel", llvm::cl::desc("cupel; default: beside this"));
static llvm::cl::opt<bool> DeviceSource("device-source", llvm::cl::desc("print the device half"));

static llvm::json::Value report(const std::string &Name, llvm::Expected<BuildRecord> Record) {
  if (!Record)
    return llvm::json::Object{
        {"file", Name}, {"state", "error"}, {"reason", llvm::toString(Record.takeError())}};
  llvm::json::Value Json = toJson(*Record);
  llvm::json::Object &Build = *Json.getAsObject();
  Build["file"] = Name;
  for (llvm::StringRef Long : {"command", "diagnostics", "kernels"})
    Build.erase(Long);
  return Json;
}

static void survey(const std::string &Name, llvm::Expected<ParsedSubmission> Submission) {
  BuildRequest Request;
  Request.Tools = findToolchain();
  if (!Submission) {
    llvm::outs() << report(Name, Submission.takeError()) << '\n';
    return;
  }
  Request.File = Name;
  Request.Source = Submission->Source;
  Request.Entries = Submission->Entries;
  Request.Architectures = {Architecture};
  Request.Libraries = {"cublas", "cublasLt"};
  Request.Symbols = [&] { return sourceSymbols(*Submission); };
  Request.Errors = sourceErrors(*Submission, Architecture);
  Request.Strategies.assign(Strategies.begin(), Strategies.end());
  SplitRequest Split = splitRequest(*Submission, Request.Tools, Architecture);
  if (DeviceSource) {
    llvm::outs() << (Split.WhyNot.empty() ? Split.DeviceSource : Name + ": " + Split.WhyNot + "\n");
    return;
  }
  Split.Compiler =
      Cupel.empty() ? llvm::sys::path::parent_path(executablePath()).str() + "/cupel" : Cupel;
  Request.Split = std::move(Split);
  llvm::outs() << report(Name, buildSubmission(std::move(Request))) << '\n';
  llvm::outs().flush();
}

int main(int Argc, char **Argv) {
  llvm::cl::ParseCommandLineOptions(Argc, Argv, "builds submissions without judging them\n");
  ParseOptions Options;
  Options.Tools = findToolchain();
  for (const std::string &File : Files) {
    if (!llvm::StringRef(File).ends_with(".py")) {
      survey(File, parseSubmission(File, Options));
      continue;
    }
    llvm::Expected<PythonSubmission> Python = inspectPython(File, Options.Tools);
    if (!Python) {
      llvm::outs() << report(File, Python.takeError()) << '\n';
      continue;
    }
    for (const PythonExtension &Extension : Python->Extensions) {
      if (Extension.Source.Text.empty())
        continue;
      Options.EntryName = Extension.Functions.empty() ? "" : Extension.Functions.front();
      survey(File + ":" + Extension.Name, parseSource(File, Extension.Source.Text, Options));
    }
  }
  return 0;
}
