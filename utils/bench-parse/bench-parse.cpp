//===- bench-parse.cpp - how long cupel's parse takes, and what it found ----===//
//
//   bench-parse [--repeat N] [--dump] [--no-device] FILE...
//
// Prints for each file the best time of N parses in one process, the two passes, and what was
// found. The same file under plain clang: utils/bench-parse/compare.sh.
//
//===----------------------------------------------------------------------===//

#include "cupel/Frontend/Parse.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <ctime>

using namespace cupel;

static llvm::cl::list<std::string> Files(llvm::cl::Positional, llvm::cl::OneOrMore,
                                         llvm::cl::desc("FILE..."));
static llvm::cl::opt<unsigned> Repeat("repeat", llvm::cl::init(1), llvm::cl::desc("parses a file"));
static llvm::cl::opt<bool> Dump("dump", llvm::cl::desc("print entries, kernels and messages"));
static llvm::cl::opt<bool> NoDevice("no-device", llvm::cl::desc("host pass only"));
static llvm::cl::opt<bool> NoTorch("no-torch", llvm::cl::desc("parse without torch's headers"));

static void dump(const ParsedSubmission &Submission) {
  for (const EntrySignature &Entry : Submission.Entries)
    llvm::outs() << "  entry " << Entry.BoundName << " = " << Entry.QualifiedName
                 << Entry.LambdaSource << " : " << Entry.FunctionType << '\n';
  for (const KernelInfo &Kernel : Submission.Kernels)
    llvm::outs() << "  kernel " << Kernel.Name << " at " << Kernel.Place.Line << '\n';
  for (const LaunchInfo &Launch : Submission.Launches)
    llvm::outs() << "  launch at " << Launch.Place.Line
                 << (Launch.Kernel ? "" : " of a run-time value") << '\n';
  for (const CompilerMessage &Message : Submission.Messages)
    llvm::outs() << "  " << Message.Place.File << ':' << Message.Place.Line << ':'
                 << Message.Place.Column << ": " << Message.Message
                 << (Message.Pass == PassKind::Host ? " [host]\n" : " [device]\n");
}

/// Processor seconds of all threads of this process so far: on a busy machine wall time tells
/// little.
static double processorSeconds() {
  timespec Time = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &Time);
  return double(Time.tv_sec) + 1e-9 * double(Time.tv_nsec);
}

static bool parseOne(const std::string &File, const ParseOptions &Options) {
  double Best = 1e9, BestProcessor = 1e9;
  for (unsigned I = 0; I < Repeat; ++I) {
    auto Start = std::chrono::steady_clock::now();
    double ProcessorStart = processorSeconds();
    llvm::Expected<ParsedSubmission> Submission = parseSubmission(File, Options);
    double Seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - Start).count();
    if (!Submission) {
      reportErrors(Submission.takeError(), llvm::errs());
      return false;
    }
    Best = std::min(Best, Seconds);
    BestProcessor = std::min(BestProcessor, processorSeconds() - ProcessorStart);
    if (I + 1 != Repeat)
      continue;
    llvm::outs() << llvm::format("%.3f s, processor %.3f s (pch %.3f, host %.3f, device %.3f) ",
                                 Best, BestProcessor, Submission->PchSeconds,
                                 Submission->HostSeconds, Submission->DeviceSeconds)
                 << toString(Submission->State) << ' ' << Submission->Headers << ", "
                 << Submission->Entries.size() << " entries, " << Submission->Kernels.size()
                 << " kernels, " << Submission->Launches.size() << " launches: " << File << '\n';
    if (Dump)
      dump(*Submission);
    llvm::outs().flush();
  }
  return true;
}

int main(int Argc, char **Argv) {
  llvm::cl::ParseCommandLineOptions(Argc, Argv, "times cupel's parse\n");
  ParseOptions Options;
  Options.Tools = findToolchain();
  Options.DevicePass = !NoDevice;
  if (NoTorch)
    Options.Tools.TorchHome.clear();
  bool Good = true;
  for (const std::string &File : Files)
    Good &= parseOne(File, Options);
  return Good ? 0 : 2;
}
