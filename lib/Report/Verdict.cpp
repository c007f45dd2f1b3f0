//===- Verdict.cpp - from the records of the phases to a verdict ------------===//

#include "cupel/Report/Verdict.h"
#include "cupel/Profile/OutsideWork.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace cupel;
using llvm::StringRef;

bool cupel::isFillOrCopy(const KernelRecord &Kernel) {
  // The driver's own operations, then torch's kernels: aten/src/ATen/native/cuda/FillKernel.cu
  // (FillFunctor) and Copy.cu (direct_copy_kernel_cuda and the *_copy_kernel_cuda of a dtype). The
  // functor's name is an argument of the template elementwise_kernel, so it is searched for.
  StringRef Name = Kernel.Name;
  if (Kernel.Provenance == "runtime")
    return true;
  return Kernel.Provenance == "torch" &&
         (Name.contains("FillFunctor") || Name.contains("copy_kernel_cuda"));
}

GpuShares cupel::gpuShares(const std::vector<KernelRecord> &Kernels) {
  GpuShares Shares;
  for (const KernelRecord &Kernel : Kernels) {
    double &Share = isFillOrCopy(Kernel) ? Shares.FillsAndCopies
                                         : *llvm::StringSwitch<double *>(Kernel.Provenance)
                                                .Case("submission", &Shares.Own)
                                                .Case("torch", &Shares.Torch)
                                                .Case("vendor", &Shares.Vendor)
                                                .Default(&Shares.Unknown);
    Share += Kernel.Share;
  }
  return Shares;
}

namespace {

std::string percent(double Share) {
  std::string Text;
  llvm::raw_string_ostream(Text) << llvm::format("%.1f %%", 100 * Share);
  return Text;
}

std::string placeText(const SourcePlace &Place) {
  if (Place.File.empty())
    return "";
  std::string Text = Place.File + ":";
  if (Place.Line)
    Text += std::to_string(Place.Line) + ":";
  if (Place.Line && Place.Column)
    Text += std::to_string(Place.Column) + ":";
  return Text + " ";
}

/// Names of the kernels of one provenance that take more than the limit, for a reason's text.
std::string kernelNames(const std::vector<KernelRecord> &Kernels, StringRef Provenance) {
  std::string Text;
  for (const KernelRecord &Kernel : Kernels)
    if (Kernel.Provenance == Provenance && !isFillOrCopy(Kernel))
      Text.append(Text.empty() ? "" : ", ").append(StringRef(Kernel.Name).take_front(80));
  return Text;
}

/// Each rule looks at one phase. It returns a verdict when that phase decides, and may add remarks.
using Decision = std::optional<Judgement>;

Judgement rejected(std::vector<Reason> Reasons) { return {Verdict::Rejected, std::move(Reasons)}; }
Judgement couldNotJudge(std::vector<Reason> Reasons) {
  return {Verdict::CouldNotJudge, std::move(Reasons)};
}

Decision judgeLint(const LintRecord &Lint) {
  std::vector<Reason> Rejects, Errors;
  for (const Finding &F : Lint.Findings) {
    if (F.Severity == Level::Reject)
      Rejects.push_back({F.Id, placeText(F.Place) + F.Message});
    if (F.Severity == Level::Error)
      Errors.push_back({"parse-failed", placeText(F.Place) + F.Message});
  }
  if (!Rejects.empty())
    return rejected(std::move(Rejects));
  if (Lint.Outcome == Verdict::Rejected)
    return rejected({{"lint", "the linter rejected the submission"}});
  // Clang's opinion that a file is broken is not the last word: nvcc decides (design section 6).
  // Only a source of which nothing could be judged ends here.
  if (Lint.Parse == ParseState::Failed) {
    if (Errors.empty())
      Errors.push_back({"parse-failed", "nothing of the submission could be parsed"});
    return couldNotJudge(std::move(Errors));
  }
  return std::nullopt;
}

/// What the submission's own text can cause while it is built. Everything else (no nvcc, a full
/// disk) says nothing about it.
bool isFaultOfSubmission(StringRef BuildCode) {
  return llvm::StringSwitch<bool>(BuildCode)
      .Cases({"compile-error", "link-error", "entry-missing", "entry-unsupported"}, true)
      .Cases({"build-timeout", "build-memory", "build-output", "build-processes", "build-too-big"},
             true)
      .Default(false);
}

Decision judgeBuild(const BuildRecord &Build) {
  if (Build.State == BuildState::Built || Build.State == BuildState::Cached)
    return std::nullopt;
  std::vector<Reason> Reasons = Build.Reasons;
  if (Reasons.empty())
    Reasons.push_back({"not-built", "the submission was not built"});
  if (Build.State == BuildState::Failed &&
      llvm::all_of(Reasons, [](const Reason &R) { return isFaultOfSubmission(R.Code); }))
    return rejected(std::move(Reasons));
  return couldNotJudge(std::move(Reasons));
}

/// What can be the machine's or our own doing although it happened to the submission's process: the
/// system was out of memory, cupel built for another GPU than the one that ran, or the emulation
/// lacks something that only the run reached.
bool mayBeFaultOfMachine(StringRef RunCode) {
  return llvm::StringSwitch<bool>(RunCode)
      .Cases({"killed", "cuda-no-kernel-image", "not-emulated"}, true)
      .Default(false);
}

Decision judgeRun(const RunRecord &Run) {
  std::vector<Reason> Reasons = Run.Reasons;
  for (const CaseRecord &Case : Run.Correctness.Cases) {
    if (Case.State != CheckState::Failed)
      continue;
    if (Case.Reasons.empty())
      Reasons.push_back({"wrong-values", "case '" + Case.Name + "' failed"});
    for (const Reason &R : Case.Reasons)
      Reasons.push_back({R.Code, "case '" + Case.Name + "': " + R.Text});
  }
  if (!Reasons.empty() || Run.Correctness.State == CheckState::Failed) {
    if (Reasons.empty())
      Reasons.push_back({"wrong-values", "the outputs are wrong"});
    if (llvm::all_of(Reasons, [](const Reason &R) { return mayBeFaultOfMachine(R.Code); }))
      return couldNotJudge(std::move(Reasons));
    return rejected(std::move(Reasons));
  }
  if (Run.Correctness.State == CheckState::NotMeasured)
    return couldNotJudge({Run.Correctness.Why.value_or(
        Reason{"correctness-not-measured", "correctness was not measured"})});
  return std::nullopt;
}

void remarkOnShares(const GpuShares &Shares, std::vector<Reason> &Remarks) {
  if (Shares.FillsAndCopies > ForeignShareLimit)
    Remarks.push_back({"fills-and-copies", "fills and copies of torch or the CUDA runtime take " +
                                               percent(Shares.FillsAndCopies) +
                                               " of the GPU time"});
  if (Shares.Torch + Shares.Vendor > ForeignShareLimit)
    Remarks.push_back({"own-share", "the submission's own kernels take " + percent(Shares.Own) +
                                        " of the GPU time"});
}

Decision judgeProvenance(const ProfileData &Profile, const PolicySpec &Policy,
                         std::vector<Reason> &Remarks) {
  if (Profile.State != "measured") {
    Remarks.push_back({"provenance-not-measured",
                       "whose kernels ran was not measured (" +
                           (Profile.Why ? Profile.Why->Text : std::string("no profile")) + ")"});
    return std::nullopt;
  }
  const GpuShares Shares = gpuShares(Profile.Kernels);
  const bool Partial = Policy.Preset == "partial";
  std::vector<Reason> Reasons;
  auto Foreign = [&](double Share, StringRef Provenance, StringRef Whose) {
    if (Share > ForeignShareLimit)
      Reasons.push_back({("provenance-" + Provenance).str(),
                         (Whose + " take " + percent(Share) +
                          " of the GPU time: " + kernelNames(Profile.Kernels, Provenance))
                             .str()});
  };
  // An operator of torch that the policy allows may itself call a vendor library.
  if (!Partial && Policy.Operators.empty()) {
    Foreign(Shares.Torch, "torch", "kernels of torch");
    if (Policy.Libraries.empty())
      Foreign(Shares.Vendor, "vendor", "kernels of a vendor library");
  }
  if (Shares.Own == 0 && Shares.Unknown == 0)
    Reasons.push_back({"no-own-kernel", "no kernel of the submission ran"});
  if (!Reasons.empty())
    return rejected(std::move(Reasons));
  Foreign(Shares.Unknown, "unknown", "kernels of unknown origin");
  if (!Reasons.empty() && !Partial)
    return couldNotJudge(std::move(Reasons));
  Remarks.insert(Remarks.end(), Reasons.begin(), Reasons.end());
  remarkOnShares(Shares, Remarks);
  return std::nullopt;
}

Decision judgeRoofline(const RooflineRecord &Roofline, const TimingRecord &Timing,
                       std::vector<Reason> &Remarks) {
  FloorJudgement Floor = judgeFloor(Roofline, Timing);
  if (Floor.Rejects)
    return rejected({std::move(*Floor.Rejects)});
  Remarks.insert(Remarks.end(), Floor.Remarks.begin(), Floor.Remarks.end());
  return std::nullopt;
}

Decision judgeTime(const TimingRecord &Timing, const ProfileData &Profile) {
  if (std::optional<Reason> Why = findOutsideWork(Timing, Profile.GpuBusyUs))
    return rejected({std::move(*Why)});
  return std::nullopt;
}

} // namespace

Judgement cupel::judge(const EvalRecord &Record) {
  std::vector<Reason> Remarks;
  Decision Decided;
  if (Record.Lint)
    Decided = judgeLint(*Record.Lint);
  if (!Decided && Record.Build)
    Decided = judgeBuild(*Record.Build);
  if (!Decided && Record.Run)
    Decided = judgeRun(*Record.Run);
  if (!Decided && Record.Run)
    Decided = judgeProvenance(Record.Run->Profile, Record.Policy, Remarks);
  if (!Decided && Record.Run && Record.Timing)
    Decided = judgeTime(*Record.Timing, Record.Run->Profile);
  if (!Decided && Record.Roofline && Record.Timing)
    Decided = judgeRoofline(*Record.Roofline, *Record.Timing, Remarks);
  if (Decided)
    return *Decided;
  if (!Record.Failures.empty())
    return couldNotJudge(Record.Failures);
  if (!Record.StoppedAfter.empty())
    return couldNotJudge({{"stopped", "ended after " + Record.StoppedAfter + ", as asked"}});
  if (!Record.Run)
    return couldNotJudge({{"not-run", "the submission was not run"}});
  return {Verdict::Accepted, std::move(Remarks)};
}
