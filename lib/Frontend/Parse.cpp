//===- Parse.cpp - source file to ParsedSubmission --------------------------===//

#include "cupel/Frontend/Parse.h"
#include "Bindings.h"
#include "Launches.h"
#include "PassBuilder.h"
#include "PrecompiledHeader.h"
#include "cupel/Frontend/Guarded.h"
#include "cupel/Support/File.h"
#include "llvm/Support/FormatVariadic.h"
#include <chrono>
#include <thread>

using namespace cupel;
using Clock = std::chrono::steady_clock;

static double secondsSince(Clock::time_point Start) {
  return std::chrono::duration<double>(Clock::now() - Start).count();
}

/// Whether \p Source seems to have device code inside of host functions: a `__device__` after `]`
/// or
/// `)`, as in `[=] __device__ (int i) {...}`. A guess, which readAgainIfExtended puts right.
static bool looksExtended(llvm::StringRef Source) {
  for (size_t At = 0; (At = Source.find("__device__", At)) != llvm::StringRef::npos; ++At) {
    llvm::StringRef Before = Source.take_front(At).rtrim();
    Before.consume_back("__host__");
    Before = Before.rtrim();
    if (Before.ends_with("]") || Before.ends_with(")"))
      return true;
  }
  return false;
}

/// Whether \p Source seems to need torch's own headers. A guess that saves a parse in vain: the
/// full set is right for every source, and a source that needs it without looking so has errors
/// first.
static bool looksBeyondSlim(llvm::StringRef Source) {
  static constexpr llvm::StringLiteral Signs[] = {
      "torch::nn",  "torch::jit",          "torch::autograd",  "torch::optim",
      "<torch/nn",  "<torch/jit",          "<torch/csrc",      "<torch/script",
      "py::object", "py::module_::import", "pybind11/numpy.h", "pybind11/embed.h"};
  return llvm::any_of(Signs, [&](llvm::StringRef Sign) { return Source.contains(Sign); });
}

static llvm::Error prepare(PassBuilder &Builder, const ParseOptions &Options, HeaderSet Headers) {
  PassSetup Setup{Builder.Kind, Headers, Options.Architecture};
  if (llvm::Error E = cc1Arguments(Options.Tools, Setup).moveInto(Builder.Arguments))
    return E;
  return precompiledHeader(Options.Tools, Setup).moveInto(Builder.Pch);
}

/// Runs \p Work on \p Builders, all but the first on threads of their own.
static void onEach(std::vector<PassBuilder> &Builders,
                   llvm::function_ref<void(PassBuilder &)> Work) {
  std::vector<std::thread> Threads;
  for (size_t I = 1; I < Builders.size(); ++I)
    Threads.emplace_back([&, I] { Work(Builders[I]); });
  Work(Builders.front());
  for (std::thread &Thread : Threads)
    Thread.join();
}

/// Runs the device pass \p Device again with all bodies when the tree of \p Host shows device code
/// inside of host functions.
static void readAgainIfExtended(PassBuilder &Device, const PassBuilder &Host) {
  if (!Device.SkipHostBodies || !Host.Pass)
    return;
  bool IsExtended = false;
  if (runGuarded([&] { IsExtended = holdsDeviceCode(*Host.Pass); }) || !IsExtended)
    return;
  Device.SkipHostBodies = false;
  double Before = Device.Seconds;
  Device.run();
  Device.Seconds += Before;
}

static llvm::Expected<std::vector<PassBuilder>>
runPasses(const ParsedSubmission &Result, const ParseOptions &Options, HeaderSet Headers,
          Clock::time_point &Deadline, double &PchSeconds) {
  std::vector<PassBuilder> Builders(Options.DevicePass ? 2 : 1);
  for (PassBuilder &Builder : Builders) {
    Builder.File = Result.File;
    Builder.Source = Result.Source;
    Builder.Kind = &Builder == &Builders.front() ? PassKind::Host : PassKind::Device;
    // Only device code is new in the device pass.
    Builder.SkipHostBodies = Builder.Kind == PassKind::Device && !looksExtended(Result.Source);
  }
  Clock::time_point Start = Clock::now();
  std::vector<llvm::Error> Errors;
  for (size_t I = 0; I != Builders.size(); ++I)
    Errors.push_back(llvm::Error::success());
  onEach(Builders, [&](PassBuilder &Builder) {
    llvm::Error &Slot = Errors[&Builder - Builders.data()];
    llvm::consumeError(std::move(Slot));
    Slot = prepare(Builder, Options, Headers);
  });
  llvm::Error Failed = llvm::Error::success();
  for (llvm::Error &E : Errors) {
    if (Failed)
      llvm::consumeError(std::move(E)); // The same trouble twice.
    else
      Failed = std::move(E);
  }
  if (Failed)
    return Failed;
  PchSeconds = secondsSince(Start);
  // The headers' precompilation is not the submission's time.
  Deadline += Clock::now() - Start;
  for (PassBuilder &Builder : Builders)
    Builder.Deadline = Deadline;
  onEach(Builders, [](PassBuilder &Builder) { Builder.run(); });
  for (PassBuilder &Builder : Builders)
    readAgainIfExtended(Builder, Builders.front());
  return Builders;
}

/// Moves what the passes found into \p Result.
static void takePasses(std::vector<PassBuilder> Builders, ParsedSubmission &Result) {
  Result.Messages.clear();
  Result.State = ParseState::Complete;
  for (PassBuilder &Builder : Builders) {
    bool IsHost = Builder.Kind == PassKind::Host;
    (IsHost ? Result.HostSeconds : Result.DeviceSeconds) = Builder.Seconds;
    if (!Builder.Failure.empty())
      Result.Messages.push_back({CompilerMessage::Level::Error, SourcePlace{Result.File, 0, 0},
                                 Builder.Failure, Builder.Kind});
    for (CompilerMessage &Message : Builder.Messages)
      Result.Messages.push_back(std::move(Message));
    if (Builder.HasErrors || !Builder.Failure.empty())
      Result.State = ParseState::Partial;
    (IsHost ? Result.Host : Result.Device) = std::move(Builder.Pass);
  }
  if (!Result.Host)
    Result.State = ParseState::Failed;
}

static double hardLimit(const ParseOptions &Options) { return 2 * Options.TimeLimit; }

bool cupel::runLimited(std::function<void()> Work, const ParseOptions &Options) {
  return runOrAbandon(std::move(Work), hardLimit(Options), isPreparingHeaders);
}

llvm::Error cupel::timeoutError(llvm::StringRef File, const ParseOptions &Options) {
  return makeError(
      "lint-timeout",
      llvm::formatv("cannot judge the file within its time limit of {0:f0} s", hardLimit(Options))
          .str(),
      {File.str(), 0, 0});
}

llvm::Expected<ParsedSubmission> cupel::parseSubmission(llvm::StringRef File,
                                                        const ParseOptions &Options) {
  llvm::Expected<std::string> Source = readTextFile(File, Options.SizeLimit);
  if (!Source)
    return Source.takeError();
  return parseSource(File, std::move(*Source), Options);
}

llvm::Expected<ParsedSubmission> cupel::parseSource(llvm::StringRef File, std::string Source,
                                                    const ParseOptions &Options) {
  ParsedSubmission Result;
  Result.File = File.str();
  Result.Source = std::move(Source);

  llvm::SmallVector<HeaderSet, 2> Sets = {HeaderSet::Slim, HeaderSet::Full};
  if (Options.Tools.TorchHome.empty())
    Sets = {HeaderSet::CudaOnly};
  else if (looksBeyondSlim(Result.Source))
    Sets = {HeaderSet::Full};
  Clock::time_point Deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                                  std::chrono::duration<double>(Options.TimeLimit));
  for (HeaderSet Headers : Sets) {
    llvm::Expected<std::vector<PassBuilder>> Builders =
        runPasses(Result, Options, Headers, Deadline, Result.PchSeconds);
    if (!Builders)
      return Builders.takeError();
    auto Broken = llvm::find_if(*Builders, [](auto &B) { return !B.Failure.empty(); });
    const bool IsBroken = Broken != Builders->end();
    // What the smaller set gave is worth more than nothing.
    if (IsBroken && Result.Host) {
      Result.Messages.push_back({CompilerMessage::Level::Error, SourcePlace{Result.File, 0, 0},
                                 Broken->Failure, Broken->Kind});
      break;
    }
    takePasses(std::move(*Builders), Result);
    Result.Headers = toString(Headers).str();
    // More headers help neither a complete parse nor one that crashed or went over a limit, nor
    // what is no C++ whatever the headers are.
    if (Result.State != ParseState::Partial || IsBroken ||
        !sureErrors(Result, Options.Architecture).empty())
      break;
  }
  if (!Result.Host)
    return Result;

  std::optional<std::string> Crash = runGuarded([&] {
    listLaunches(Result);
    listEntries(Result, Options.EntryName);
  });
  if (Crash) {
    Result.Messages.push_back({CompilerMessage::Level::Error, SourcePlace{Result.File, 0, 0},
                               "the search for kernels and entries " + *Crash, PassKind::Host});
    Result.State = ParseState::Failed;
    (void)Result.Host.release();
    Result.Device.reset();
  }
  return Result;
}
