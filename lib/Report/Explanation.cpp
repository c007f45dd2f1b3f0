//===- Explanation.cpp - what a record means ---------------------------------===//

#include "cupel/Report/Explanation.h"
#include "cupel/Checks/CheckPages.h"
#include "cupel/Report/KernelBound.h"
#include "cupel/Report/ReasonPages.h"
#include "cupel/Report/TextReport.h"
#include "cupel/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace cupel;
using llvm::raw_ostream;
using llvm::StringRef;

namespace {

constexpr size_t NameWidth = 60;

void heading(StringRef Text, raw_ostream &OS) {
  OS << '\n';
  OS.changeColor(raw_ostream::SAVEDCOLOR, /*Bold=*/true);
  OS << Text;
  OS.resetColor();
  OS << '\n';
}

/// The paragraph of a check's page that says what it finds: the one below title and level.
StringRef summaryOf(StringRef Page) {
  for (int Skipped = 0; Skipped < 2; ++Skipped)
    Page = Page.split("\n\n").second;
  return Page.split("\n\n").first.trim();
}

void explainCode(StringRef Code, raw_ostream &OS) {
  if (StringRef Page = checkPage(Code); !Page.empty()) {
    llvm::SmallVector<StringRef, 4> Lines;
    summaryOf(Page).split(Lines, '\n');
    for (StringRef Line : Lines)
      OS << "      " << Line << '\n';
    OS << "      'cupel checks explain " << Code << "' has examples\n";
    return;
  }
  for (const ReasonRow &Row : reasonRows(Code))
    for (const auto &[Title, Text] : Row)
      OS << "      " << Title << ": " << Text << '\n';
}

/// Each code once, with the texts that the record has for it.
void explainReasons(const Judgement &Result, raw_ostream &OS) {
  std::vector<StringRef> Codes;
  for (const Reason &R : Result.Reasons)
    if (!llvm::is_contained(Codes, R.Code))
      Codes.push_back(R.Code);
  if (Codes.empty())
    return;
  heading(Result.Outcome == Verdict::Accepted ? "Remarks" : "Reasons", OS);
  for (StringRef Code : Codes) {
    OS << "\n  " << printableLine(Code) << '\n';
    for (const Reason &R : Result.Reasons)
      if (R.Code == Code)
        OS << "      here: " << printableLine(R.Text, 1000) << '\n';
    explainCode(Code, OS);
  }
}

void explainSpeedup(const BaselineTiming &B, raw_ostream &OS) {
  OS << "  " << printableLine(B.Name) << ": ";
  if (!B.Speedup || !B.SpeedupCi95) {
    OS << "no speed-up" << (B.Why ? " (" + printableLine(B.Why->Text, 400) + ")" : "") << '\n';
    return;
  }
  const Interval &I = *B.SpeedupCi95;
  OS << llvm::format("%.3gx, with 95 %% between %.4g and %.4g: ", *B.Speedup, I.Low, I.High)
     << (I.Low > 1    ? "faster than the baseline"
         : I.High < 1 ? "slower than the baseline"
                      : "the interval includes 1, so no difference is claimed")
     << '\n';
}

/// How much faster the same work could be done on this GPU.
void explainRoofline(const RooflineRecord &R, raw_ostream &OS) {
  const bool Bytes = R.BoundBy == "bytes";
  OS << "  No call should take less than " << formatMicroseconds(*R.FloorUs) << ": the problem "
     << (Bytes ? "moves " + formatQuantity(R.Bytes.value_or(0), "B")
               : "takes " + formatQuantity(R.Flops.value_or(0), "flop"))
     << " at least, and the most that was seen of this GPU is " << peakText(R) << ".\n";
  auto Explain = [&](StringRef Name, std::optional<double> Fraction) {
    if (Fraction && *Fraction > 0)
      OS << "  " << printableLine(Name, 30)
         << llvm::format(": %.3g times the floor, %.0f %% of what is possible\n", 1 / *Fraction,
                         100 * *Fraction);
  };
  Explain("candidate", R.FractionOfFloor);
  for (const FloorDistance &D : R.Baselines)
    Explain(D.Name, D.FractionOfFloor);
}

void explainKernel(const KernelRecord &K, std::optional<unsigned> Multiprocessors,
                   raw_ostream &OS) {
  OS << "\n  " << shortKernelName(K.Name, NameWidth) << ", " << formatMicroseconds(K.TimeUs) << ", "
     << llvm::format("%.0f %%", 100 * K.Share) << " of the GPU time\n      ";
  if (std::optional<KernelBound> Bound = boundOf(K, Multiprocessors))
    OS << Bound->Text << '\n';
  else
    OS << "no counters" << (K.Why ? " (" + printableLine(K.Why->Text, 400) + ")" : "") << '\n';
  for (const StallRecord &Stall : K.Stalls)
    OS << "      " << llvm::left_justify(printableLine(Stall.Reason, 30), 20)
       << llvm::format("%5.1f %% of a warp's cycles, %.2f an instruction\n", 100 * Stall.Share,
                       Stall.CyclesPerInstruction);
}

/// What the submission used beside its own kernels.
void explainUse(const ProfileData &Profile, raw_ostream &OS) {
  if (!Profile.TorchOperators.empty()) {
    heading("Operators of torch in one call", OS);
    for (const OperatorCalls &O : Profile.TorchOperators)
      OS << "  " << printableLine(O.Name, 80) << ", " << O.Calls
         << (O.Calls == 1 ? " call\n" : " calls\n");
  }
  if (!Profile.Libraries.empty()) {
    heading("Libraries that it brought", OS);
    for (const std::string &File : Profile.Libraries)
      OS << "  " << printableLine(File, 400) << '\n';
  }
}

} // namespace

void cupel::writeExplanation(const EvalRecord &Record, raw_ostream &OS) {
  explainReasons(Record.Result, OS);
  if (Record.Timing && !Record.Timing->Baselines.empty()) {
    heading("Speed-up", OS);
    for (const BaselineTiming &B : Record.Timing->Baselines)
      explainSpeedup(B, OS);
  }
  if (Record.Roofline && Record.Roofline->FloorUs) {
    heading("Roofline", OS);
    explainRoofline(*Record.Roofline, OS);
  }
  if (!Record.Run || Record.Run->Profile.Kernels.empty())
    return;
  heading("Kernels", OS);
  for (const KernelRecord &K : Record.Run->Profile.Kernels)
    explainKernel(K, Record.Run->Profile.Multiprocessors, OS);
  explainUse(Record.Run->Profile, OS);
}
