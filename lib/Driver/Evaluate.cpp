//===- Evaluate.cpp - the pipeline from a submission to a verdict -----------===//

#include "cupel/Driver/Evaluate.h"
#include "EvalInputs.h"
#include "GpuArchitecture.h"
#include "cupel/Build/Adapter.h"
#include "cupel/Build/Builder.h"
#include "cupel/Checks/CheckEngine.h"
#include "cupel/Driver/Pipeline.h"
#include "cupel/Driver/SplitBuild.h"
#include "cupel/Emulate/Emulate.h"
#include "cupel/Frontend/Guarded.h"
#include "cupel/Frontend/Parse.h"
#include "cupel/Problem/DType.h"
#include "cupel/Report/Verdict.h"
#include "cupel/Runner/Runner.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace cupel;

namespace {

/// The lint phase's work. Owns what it touches, since it is left alone when it goes over its time.
struct LintJob {
  ProblemSpec Problem;
  CheckRegistry Registry;
  std::optional<CheckEngine> Engine;
  std::string File;
  ParseOptions Options;
  std::optional<llvm::Expected<ParsedSubmission>> Parsed;
  std::optional<LintRecord> Record;
  std::optional<std::string> Crash;

  void run() {
    Parsed.emplace(parseSubmission(File, Options));
    if (*Parsed && Engine)
      Crash = runGuarded([&] { Record = Engine->run(**Parsed); });
  }
};

/// One evaluation. Each phase reads the records of those before it and leaves its own; none calls
/// another.
class Evaluation {
public:
  Evaluation(const EvalOptions &Options, EvalInputs Inputs,
             llvm::function_ref<void(llvm::StringRef)> Progress)
      : Options(Options), Progress(Progress), Problem(std::move(Inputs.Problem)),
        Source(std::move(Inputs.Source)), Record(std::move(Inputs.Record)),
        Emulates(Options.Device == "cpu" || (Options.Device == "auto" && !hasGpu())) {}

  EvalRecord run() {
    startWorkers();
    prepare();
    return finish();
  }

  /// What needs no GPU.
  void prepare() {
    enter(Phase::Lint, Record.Lint.has_value(), &Evaluation::lint);
    enter(Phase::Build, Record.Build.has_value(), &Evaluation::build);
    Parsed.reset();
  }

  EvalRecord finish() {
    enter(Phase::Run, Record.Run.has_value(), &Evaluation::runCases);
    enter(Phase::Profile, Record.Timing.has_value(), &Evaluation::profile);
    Record.Result = judge(Record);
    return std::move(Record);
  }

private:
  /// Runs \p P unless it is done or an earlier phase has decided. A phase that fails ends them all.
  void enter(Phase P, bool Done, llvm::Error (Evaluation::*Work)()) {
    if (Ended)
      return;
    if (!Done) {
      Progress(toString(P));
      if (auto E = (this->*Work)())
        Record.Failures = takeReasons(withContext(std::move(E), toString(P)));
    }
    Ended = !Record.Failures.empty() || endsAfter(Record);
    if (!Ended && Options.StopAfter == P) {
      Record.StoppedAfter = toString(P).str();
      Ended = true;
    }
  }

  llvm::Error lint() {
    llvm::Expected<LintPolicy> Policy = makeLintPolicy(&Problem, Options.Policy);
    if (!Policy)
      return Policy.takeError();
    auto Job = std::make_shared<LintJob>();
    Job->Problem = Problem;
    registerAllChecks(Job->Registry);
    auto Engine = CheckEngine::create(Job->Registry, {*Policy, Options.Checks, &Job->Problem});
    if (!Engine)
      return Engine.takeError();
    Job->Engine.emplace(std::move(*Engine));
    if (auto E = parse(Job))
      return E;
    if (Job->Crash) {
      (void)new ParsedSubmission(std::move(*Parsed)); // Broken in an unknown way: left alone.
      Parsed.reset();
      return makeError("lint-crash", "the linter crashed on the submission: " + *Job->Crash);
    }
    Record.Lint = std::move(Job->Record);
    return llvm::Error::success();
  }

  llvm::Error parse(const std::shared_ptr<LintJob> &Job) {
    Job->File = Record.Submission;
    Job->Options.Tools = findToolchain();
    Job->Options.EntryName = Problem.EntryName;
    if (!runLimited([Job] { Job->run(); }, Job->Options))
      return timeoutError(Job->File, Job->Options);
    llvm::Expected<ParsedSubmission> Read = std::move(*Job->Parsed);
    if (!Read)
      return Read.takeError();
    // Between our reading and the parser's the file may have changed; what is built is what was
    // judged.
    if (Read->Source != Source)
      return makeError("submission-changed",
                       "'" + Record.Submission + "' changed while it was read");
    Parsed = std::move(*Read);
    return llvm::Error::success();
  }

  /// After a record that was read, nothing was parsed yet.
  llvm::Error ensureParsed() {
    return Parsed ? llvm::Error::success() : parse(std::make_shared<LintJob>());
  }

  llvm::Error build() {
    // What Clang does not take, nvcc may (design section 6): its word is needed before we say that
    // it is the emulation which cannot.
    if (Emulates && Record.Lint->Parse == ParseState::Complete)
      return buildEmulated();
    BuildRequest Request = buildRequest();
    if (Record.Lint->Parse != ParseState::Complete) {
      if (auto E = ensureParsed())
        return E;
      if (Emulates)
        if (auto E = refuseDeviceLaunches(*Parsed))
          return E;
      Request.Errors = sourceErrors(*Parsed, Request.Architectures.front());
      // Who names a way wants its compiler's word.
      for (SourceError &Error : Request.Errors)
        Error.IsSure &= Options.Strategy.empty();
    }
    // Clang has tried torch's own headers too, which cost nvcc minutes.
    if (Emulates)
      Request.Strategies = {"nvcc-slim"};
    else if (auto E = split(Request))
      return E;
    if (auto E = store(buildSubmission(std::move(Request)), Record.Build))
      return E;
    bool Builds =
        Record.Build->State == BuildState::Built || Record.Build->State == BuildState::Cached;
    return Emulates && Builds ? buildEmulated() : llvm::Error::success();
  }

  /// Adds the device half of the submission to \p Request.
  llvm::Error split(BuildRequest &Request) {
    if (!Options.Strategy.empty())
      Request.Strategies = {Options.Strategy};
    if (Options.Strategy.empty() || Options.Strategy == "split") {
      if (auto E = ensureParsed())
        return E;
      Request.Split = splitRequest(*Parsed, Request.Tools, Request.Architectures.front());
    }
    return llvm::Error::success();
  }

  llvm::Error buildEmulated() {
    if (auto E = ensureParsed())
      return E;
    llvm::Expected<std::string> Rewritten = rewriteForEmulation(*Parsed);
    if (!Rewritten)
      return Rewritten.takeError();
    BuildRequest Request = buildRequest();
    Request.EmulatedSource = std::move(*Rewritten);
    return store(buildSubmission(std::move(Request)), Record.Build);
  }

  BuildRequest buildRequest() const {
    BuildRequest Request;
    Request.File = Record.Submission;
    Request.Source = Source;
    Request.Entries = Record.Lint->Entries;
    Request.Tools = findToolchain();
    Request.Architectures = {gpuArchitecture()};
    Request.Libraries = Problem.Policy.Libraries;
    Request.Symbols = [this] {
      return Parsed ? sourceSymbols(*Parsed) : std::vector<SourceSymbol>();
    };
    return Request;
  }

  llvm::Error runCases() {
    RunRequest Request;
    Request.Problem = Problem;
    Request.File = Record.Submission;
    Request.Library = Record.Build->Library;
    llvm::Expected<std::string> Entry = entrySymbol(*Record.Lint);
    if (!Entry)
      return Entry.takeError();
    Request.Entry = *Entry;
    Request.Cases = Options.Cases;
    Request.Seed = Options.Seed;
    Request.TimeoutSeconds = Options.TimeoutSeconds;
    Request.Profile = parseProfileLevel(Options.Profile).value_or(ProfileLevel::Full);
    Request.Baselines.clear();
    for (const std::string &Name : Options.Baselines)
      Request.Baselines.push_back(*parseBaseline(Name));
    Request.Workers = workerOptions();
    if (Emulates)
      Request.Figures = [this] { return kernelFigures(); };
    Request.Progress = [this](llvm::StringRef What) { Progress(What); };
    return store(runSubmission(Request, std::move(Workers)), Record.Run);
  }

  /// Of the device that is emulated, an H100.
  llvm::Expected<std::vector<KernelFigures>> kernelFigures() const {
    BuildRequest Request = buildRequest();
    Request.Architectures = {"sm_90a"};
    llvm::Expected<std::vector<KernelResources>> Resources = deviceFigures(std::move(Request));
    if (!Resources)
      return Resources.takeError();
    std::vector<KernelFigures> Figures;
    for (const KernelResources &K : *Resources)
      Figures.push_back({K.MangledName, K.Registers, K.SharedBytes});
    return Figures;
  }

  llvm::Error profile() {
    Record.Timing = summarizeTiming(Record.Run->Timing, Record.Run->TimingNotMeasured);
    if (Record.Run->Clocks)
      Record.Timing->Clocks = summarizeClocks(*Record.Run->Clocks);
    if (Record.Timing->State == MeasuredState::Measured)
      Record.Roofline = drawRoofline(cost(), Record.Run->Peaks, *Record.Timing);
    return llvm::Error::success();
  }

  /// At the sizes that are timed, where a problem's reader has seen that both can be evaluated.
  ProblemCost cost() const {
    ProblemCost Cost;
    const CaseSpec *Case = Problem.benchmarkCase();
    if (!Case)
      return Cost;
    auto At = [&](const std::optional<ShapeExpr> &Expr) -> std::optional<double> {
      if (!Expr)
        return std::nullopt;
      return static_cast<double>(llvm::cantFail(Expr->evaluate(Case->Sizes)));
    };
    Cost.Flops = At(Problem.Flops);
    Cost.Bytes = At(Problem.Bytes);
    auto Add = [&](llvm::StringRef Type) {
      using Arithmetic = ProblemCost::Arithmetic;
      const DType *Known = findDType(Type);
      if (Known && Known->Kind == DType::Family::Real && Cost.Kind != Arithmetic::Any)
        Cost.Kind = Type == "float64" ? Arithmetic::Double : Arithmetic::Any;
    };
    for (const InputSpec &Input : Problem.Inputs)
      if (Input.Tensor)
        Add(Input.Tensor->DType);
    for (const TensorSpec &Parameter : Problem.Parameters)
      Add(Parameter.DType);
    return Cost;
  }

  WorkerOptions workerOptions() const {
    WorkerOptions Workers;
    Workers.Worker = findToolchain().Worker;
    Workers.Device = Emulates ? DeviceChoice::Emulated : DeviceChoice::Cuda;
    Workers.EmulateLibrary = findToolchain().EmulateLibrary;
    Workers.Isolation = Options.Isolation.value_or(AllIsolationLayers);
    Workers.Readable = {findToolchain().CudaHome};
    return Workers;
  }

  /// Whether there is what a candidate under emulation starts with; that something is missing is
  /// for the build to say.
  bool canEmulate() const { return Emulates && !findToolchain().EmulateLibrary.empty(); }

  /// LibTorch and a CUDA context take seconds to get ready, which pass while we parse and build.
  /// That this fails is for the run phase to say.
  void startWorkers() {
    bool RunsToday = !Record.Run && Options.StopAfter != Phase::Lint &&
                     Options.StopAfter != Phase::Build && (hasGpu() || canEmulate());
    if (!RunsToday)
      return;
    if (auto Started = WorkerPair::start(workerOptions()))
      Workers = std::move(*Started);
    else
      llvm::consumeError(Started.takeError());
  }

  /// Whether what the record holds leaves nothing for a later phase.
  static bool endsAfter(const EvalRecord &Record) {
    if (Record.Run)
      return false;
    const Judgement SoFar = judge(Record);
    return SoFar.Outcome == Verdict::Rejected ||
           llvm::none_of(SoFar.Reasons, [](const Reason &R) { return R.Code == "not-run"; });
  }

  template <typename T> static llvm::Error store(llvm::Expected<T> Result, std::optional<T> &Out) {
    if (!Result)
      return Result.takeError();
    Out = std::move(*Result);
    return llvm::Error::success();
  }

  static llvm::Expected<std::string> entrySymbol(const LintRecord &Lint) {
    if (Lint.Entry)
      for (const auto &[Index, Entry] : llvm::enumerate(Lint.Entries))
        if (Entry.BoundName == Lint.Entry->BoundName &&
            Entry.QualifiedName == Lint.Entry->QualifiedName &&
            Entry.FunctionType == Lint.Entry->FunctionType)
          return adapterSymbol(Index);
    if (!Lint.Entry && Lint.Entries.size() == 1)
      return adapterSymbol(0);
    return makeError("no-entry", "no function of the submission was recognised as its entry");
  }

  const EvalOptions &Options;
  llvm::function_ref<void(llvm::StringRef)> Progress;
  const ProblemSpec Problem;
  const std::string Source;
  EvalRecord Record;
  const bool Emulates; ///< The submission runs on the CPU.
  std::optional<ParsedSubmission> Parsed;
  std::unique_ptr<WorkerPair> Workers;
  bool Ended = false;
};

} // namespace

llvm::Expected<EvalRecord> cupel::evaluate(const EvalOptions &Options,
                                           llvm::function_ref<void(llvm::StringRef)> Progress) {
  llvm::Expected<EvalInputs> Inputs = readEvalInputs(Options);
  if (!Inputs)
    return Inputs.takeError();
  return Evaluation(Options, std::move(*Inputs), Progress).run();
}

void cupel::evaluateAll(llvm::ArrayRef<EvalOptions> Options, unsigned Jobs,
                        llvm::function_ref<void(size_t, llvm::Expected<EvalRecord>)> Done) {
  auto Quiet = [](llvm::StringRef) {};
  std::vector<std::unique_ptr<Evaluation>> Evaluations(Options.size());
  std::vector<std::optional<llvm::Error>> Errors(Options.size());
  runPipeline(
      Options.size(), Jobs,
      [&](size_t I) {
        llvm::Expected<EvalInputs> Inputs = readEvalInputs(Options[I]);
        if (!Inputs) {
          Errors[I] = Inputs.takeError();
          return;
        }
        Evaluations[I] = std::make_unique<Evaluation>(Options[I], std::move(*Inputs), Quiet);
        Evaluations[I]->prepare();
      },
      [&](size_t I) {
        if (Errors[I])
          return Done(I, std::move(*Errors[I]));
        Done(I, Evaluations[I]->finish());
        Evaluations[I].reset();
      });
}
