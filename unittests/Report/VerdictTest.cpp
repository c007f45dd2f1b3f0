//===- VerdictTest.cpp - the rules, one row a case --------------------------===//

#include "cupel/Report/Verdict.h"
#include "gtest/gtest.h"

using namespace cupel;

namespace {

KernelRecord kernel(std::string Name, std::string Provenance, double Share) {
  KernelRecord K;
  K.Name = std::move(Name);
  K.Provenance = std::move(Provenance);
  K.Share = Share;
  K.Calls = 1;
  return K;
}

Finding finding(std::string Id, Level Severity) {
  return {std::move(Id), Severity, {"a.cu", 12, 5}, "message", {}};
}

/// A record of which every phase went well.
EvalRecord accepted() {
  EvalRecord R;
  R.Lint = LintRecord();
  R.Lint->Parse = ParseState::Complete;
  R.Lint->Outcome = Verdict::Accepted;
  R.Build = BuildRecord();
  R.Build->State = BuildState::Built;
  R.Run = RunRecord();
  R.Run->Correctness.State = CheckState::Passed;
  R.Run->Profile.State = "measured";
  R.Run->Profile.Kernels = {kernel("relu(float*)", "submission", 1)};
  return R;
}

/// Of a problem that takes 250 us at the least.
void setTimes(EvalRecord &R, double CandidateUs, double EagerUs) {
  R.Timing = TimingRecord();
  R.Timing->State = MeasuredState::Measured;
  R.Timing->CandidateUs = CandidateUs;
  R.Timing->Baselines.emplace_back();
  R.Timing->Baselines[0].Name = "eager";
  R.Timing->Baselines[0].TimeUs = EagerUs;
  PeakRates Peaks;
  Peaks.DramGbPerS = {{"copy", 4000}};
  R.Roofline = drawRoofline({{}, 1e9, ProblemCost::Arithmetic::Any}, Peaks, *R.Timing);
}

struct Row {
  const char *Name;
  void (*Change)(EvalRecord &);
  Verdict Outcome;
  std::vector<std::string> Codes;
};

void failBuild(EvalRecord &R, const char *Code) {
  R.Build->State = BuildState::Failed;
  R.Build->Reasons = {{Code, "text"}};
  R.Run.reset();
}

void failCase(EvalRecord &R, std::vector<Reason> Reasons) {
  R.Run->Correctness.State = CheckState::Failed;
  CaseRecord Case;
  Case.Name = "ragged";
  Case.State = CheckState::Failed;
  Case.Reasons = std::move(Reasons);
  R.Run->Correctness.Cases = {Case};
}

void setKernels(EvalRecord &R, std::vector<KernelRecord> Kernels) {
  R.Run->Profile.Kernels = std::move(Kernels);
}

constexpr const char *Fill = "void at::native::vectorized_elementwise_kernel<4, "
                             "at::native::FillFunctor<float>, std::array<char*, 1ul>>(int)";

const std::vector<Row> &rows() {
  static const std::vector<Row> Rows = {
      {"all well", [](EvalRecord &) {}, Verdict::Accepted, {}},

      // Lint.
      {"lint reject",
       [](EvalRecord &R) {
         R.Lint->Outcome = Verdict::Rejected;
         R.Lint->Findings = {finding("fallback-aten-call", Level::Reject),
                             finding("style", Level::Warn)};
         R.Build.reset();
         R.Run.reset();
       },
       Verdict::Rejected,
       {"fallback-aten-call"}},
      {"warnings do not gate",
       [](EvalRecord &R) {
         R.Lint->Findings = {finding("x", Level::Warn), finding("y", Level::Note)};
       },
       Verdict::Accepted,
       {}},
      {"clang errors alone do not gate",
       [](EvalRecord &R) {
         R.Lint->Parse = ParseState::Partial;
         R.Lint->Outcome = Verdict::CouldNotJudge;
         R.Lint->Findings = {finding("compiler", Level::Error)};
       },
       Verdict::Accepted,
       {}},
      {"nothing parsed",
       [](EvalRecord &R) {
         R.Lint->Parse = ParseState::Failed;
         R.Lint->Outcome = Verdict::CouldNotJudge;
         R.Build.reset();
         R.Run.reset();
       },
       Verdict::CouldNotJudge,
       {"parse-failed"}},
      {"a reject counts in a partial parse too",
       [](EvalRecord &R) {
         R.Lint->Parse = ParseState::Partial;
         R.Lint->Findings = {finding("fallback-aten-call", Level::Reject),
                             finding("compiler", Level::Error)};
       },
       Verdict::Rejected,
       {"fallback-aten-call"}},

      // Build.
      {"compile error",
       [](EvalRecord &R) { failBuild(R, "compile-error"); },
       Verdict::Rejected,
       {"compile-error"}},
      {"link error",
       [](EvalRecord &R) { failBuild(R, "link-error"); },
       Verdict::Rejected,
       {"link-error"}},
      {"build over its time",
       [](EvalRecord &R) { failBuild(R, "build-timeout"); },
       Verdict::Rejected,
       {"build-timeout"}},
      {"no nvcc",
       [](EvalRecord &R) {
         failBuild(R, "nvcc-missing");
         R.Build->State = BuildState::Skipped;
       },
       Verdict::CouldNotJudge,
       {"nvcc-missing"}},
      {"failed for a reason that is not the submission's",
       [](EvalRecord &R) { failBuild(R, "disk-full"); },
       Verdict::CouldNotJudge,
       {"disk-full"}},
      {"a cached build is a build",
       [](EvalRecord &R) { R.Build->State = BuildState::Cached; },
       Verdict::Accepted,
       {}},

      // Run.
      {"crash",
       [](EvalRecord &R) {
         R.Run->Reasons = {{"crashed", "killed by SIGSEGV"}};
         R.Run->Correctness.State = CheckState::NotMeasured;
       },
       Verdict::Rejected,
       {"crashed"}},
      {"killed by the system",
       [](EvalRecord &R) { R.Run->Reasons = {{"killed", "SIGKILL"}}; },
       Verdict::CouldNotJudge,
       {"killed"}},
      {"what only the run found to be missing",
       [](EvalRecord &R) { R.Run->Reasons = {{"not-emulated", "clusters"}}; },
       Verdict::CouldNotJudge,
       {"not-emulated"}},
      {"killed, and wrong before",
       [](EvalRecord &R) {
         R.Run->Reasons = {{"killed", "SIGKILL"}};
         failCase(R, {{"nan", "t"}});
       },
       Verdict::Rejected,
       {"killed", "nan"}},
      {"wrong values",
       [](EvalRecord &R) { failCase(R, {{"wrong-values", "t"}, {"nan", "t"}}); },
       Verdict::Rejected,
       {"wrong-values", "nan"}},
      {"failed without a reason",
       [](EvalRecord &R) { failCase(R, {}); },
       Verdict::Rejected,
       {"wrong-values"}},
      {"no GPU",
       [](EvalRecord &R) {
         R.Run->Correctness.State = CheckState::NotMeasured;
         R.Run->Correctness.Why = Reason{"no-cuda-device", "t"};
       },
       Verdict::CouldNotJudge,
       {"no-cuda-device"}},
      {"a reject by lint needs no GPU",
       [](EvalRecord &R) {
         R.Lint->Findings = {finding("fallback-library", Level::Reject)};
         R.Run->Correctness.State = CheckState::NotMeasured;
       },
       Verdict::Rejected,
       {"fallback-library"}},
      {"a phase of ours failed",
       [](EvalRecord &R) {
         R.Run.reset();
         R.Failures = {{"worker-missing", "t"}};
       },
       Verdict::CouldNotJudge,
       {"worker-missing"}},
      {"stopped after build",
       [](EvalRecord &R) {
         R.Run.reset();
         R.StoppedAfter = "build";
       },
       Verdict::CouldNotJudge,
       {"stopped"}},

      // Provenance.
      {"torch computes",
       [](EvalRecord &R) {
         setKernels(R, {kernel("own", "submission", 0.5), kernel("reduce", "torch", 0.5)});
       },
       Verdict::Rejected,
       {"provenance-torch"}},
      {"vendor computes",
       [](EvalRecord &R) {
         setKernels(R, {kernel("own", "submission", 0.5), kernel("sm90_gemm", "vendor", 0.5)});
       },
       Verdict::Rejected,
       {"provenance-vendor"}},
      {"under one percent",
       [](EvalRecord &R) {
         setKernels(R, {kernel("own", "submission", 0.995), kernel("reduce", "torch", 0.005)});
       },
       Verdict::Accepted,
       {}},
      {"fills are shown",
       [](EvalRecord &R) {
         setKernels(R, {kernel("own", "submission", 0.8), kernel(Fill, "torch", 0.2)});
       },
       Verdict::Accepted,
       {"fills-and-copies"}},
      {"driver's copies are shown",
       [](EvalRecord &R) {
         setKernels(R, {kernel("own", "submission", 0.8), kernel("[memcpy DtoD]", "runtime", 0.2)});
       },
       Verdict::Accepted,
       {"fills-and-copies"}},
      {"only fills",
       [](EvalRecord &R) { setKernels(R, {kernel(Fill, "torch", 1)}); },
       Verdict::Rejected,
       {"no-own-kernel"}},
      {"no kernel at all",
       [](EvalRecord &R) { setKernels(R, {}); },
       Verdict::Rejected,
       {"no-own-kernel"}},
      {"a kernel that only borrows torch's name for fills",
       [](EvalRecord &R) {
         setKernels(R, {kernel("own", "submission", 0.5), kernel("FillFunctor", "vendor", 0.5)});
       },
       Verdict::Rejected,
       {"provenance-vendor"}},
      {"unknown origin",
       [](EvalRecord &R) {
         setKernels(R, {kernel("own", "submission", 0.5), kernel("x", "unknown", 0.5)});
       },
       Verdict::CouldNotJudge,
       {"provenance-unknown"}},
      {"not profiled",
       [](EvalRecord &R) { R.Run->Profile = ProfileData(); },
       Verdict::Accepted,
       {"provenance-not-measured"}},

      // The floor.
      {"a time at the floor", [](EvalRecord &R) { setTimes(R, 260, 1000); }, Verdict::Accepted, {}},
      {"a time a little below the floor",
       [](EvalRecord &R) { setTimes(R, 180, 1000); },
       Verdict::Accepted,
       {"below-floor"}},
      {"the work was not done",
       [](EvalRecord &R) { setTimes(R, 20, 1000); },
       Verdict::Rejected,
       {"faster-than-floor"}},
      {"nor was it by the reference",
       [](EvalRecord &R) { setTimes(R, 20, 30); },
       Verdict::Accepted,
       {"cost-too-high"}},
      {"work that goes on after the time",
       [](EvalRecord &R) {
         setTimes(R, 260, 1000);
         R.Timing->HostRestUs = 340;
         R.Timing->Baselines[0].HostRestUs = 8;
       },
       Verdict::Rejected,
       {"work-outside-time"}},
      {"work that CUPTI alone sees",
       [](EvalRecord &R) {
         setTimes(R, 260, 1000);
         R.Run->Profile.GpuBusyUs = 600;
       },
       Verdict::Rejected,
       {"work-outside-time"}},
      {"a record without times",
       [](EvalRecord &R) {
         setTimes(R, 20, 1000);
         R.Timing->CandidateUs.reset();
       },
       Verdict::Accepted,
       {}},

      // Policies.
      {"partial shows the own share",
       [](EvalRecord &R) {
         R.Policy.Preset = "partial";
         setKernels(R, {kernel("own", "submission", 0.3), kernel("gemm", "vendor", 0.7)});
       },
       Verdict::Accepted,
       {"own-share"}},
      {"partial without an own kernel",
       [](EvalRecord &R) {
         R.Policy.Preset = "partial";
         setKernels(R, {kernel("gemm", "vendor", 1)});
       },
       Verdict::Rejected,
       {"no-own-kernel"}},
      {"library allowed",
       [](EvalRecord &R) {
         R.Policy.Libraries = {"cublas"};
         setKernels(R, {kernel("own", "submission", 0.3), kernel("gemm", "vendor", 0.7)});
       },
       Verdict::Accepted,
       {"own-share"}},
      {"a library allowed is no operator allowed",
       [](EvalRecord &R) {
         R.Policy.Libraries = {"cublas"};
         setKernels(R, {kernel("own", "submission", 0.3), kernel("reduce", "torch", 0.7)});
       },
       Verdict::Rejected,
       {"provenance-torch"}},
  };
  return Rows;
}

TEST(Verdict, Rules) {
  for (const Row &R : rows()) {
    SCOPED_TRACE(R.Name);
    EvalRecord Record = accepted();
    R.Change(Record);
    Judgement Result = judge(Record);
    EXPECT_EQ(Result.Outcome, R.Outcome);
    std::vector<std::string> Codes;
    for (const Reason &Why : Result.Reasons) {
      Codes.push_back(Why.Code);
      EXPECT_FALSE(Why.Text.empty());
    }
    EXPECT_EQ(Codes, R.Codes);
  }
}

TEST(Verdict, ReasonsOfFindingsNameTheirPlace) {
  EvalRecord Record = accepted();
  Record.Lint->Findings = {finding("fallback-aten-call", Level::Reject)};
  EXPECT_EQ(judge(Record).Reasons.at(0).Text, "a.cu:12:5: message");
}

TEST(Verdict, SharesAddUpByProvenance) {
  GpuShares Shares = gpuShares({kernel("a", "submission", 0.25), kernel("b", "submission", 0.25),
                                kernel("c", "torch", 0.125), kernel("d", "vendor", 0.125),
                                kernel(Fill, "torch", 0.125), kernel("e", "unknown", 0.125)});
  EXPECT_EQ(Shares.Own, 0.5);
  EXPECT_EQ(Shares.Torch, 0.125);
  EXPECT_EQ(Shares.Vendor, 0.125);
  EXPECT_EQ(Shares.FillsAndCopies, 0.125);
  EXPECT_EQ(Shares.Unknown, 0.125);
}

} // namespace
