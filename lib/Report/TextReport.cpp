//===- TextReport.cpp - the record of `cupel eval` for a terminal -----------===//
//
// Every text that a submission can influence goes through printableLine(): a kernel's name or an
// exception's text must not steer the reader's terminal.
//
//===----------------------------------------------------------------------===//

#include "cupel/Report/TextReport.h"
#include "cupel/Report/KernelBound.h"
#include "cupel/Report/Verdict.h"
#include "cupel/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/Format.h"

using namespace cupel;
using llvm::raw_ostream;
using llvm::StringRef;

std::string cupel::shortKernelName(StringRef Demangled, size_t Width) {
  // The argument list is the last parenthesis that opens outside of `<>` and is no part of
  // `(anonymous namespace)`.
  StringRef Name = Demangled;
  int Depth = 0;
  for (size_t I = Name.size(); I-- > 0;) {
    Depth += (Name[I] == ')' || Name[I] == '>') - (Name[I] == '(' || Name[I] == '<');
    if (Name[I] == '(' && Depth == 0 && !Name.substr(I).starts_with("(anonymous")) {
      Name = Name.take_front(I);
      break;
    }
  }
  Name.consume_front("void ");
  std::string Short = printableLine(Name, 1000);
  if (Short.size() > Width)
    Short = Short.substr(0, Width - 3) + "...";
  return Short;
}

namespace {

constexpr size_t LabelWidth = 13, NameWidth = 36, MaxReasons = 8, MaxKernels = 10, MaxBounds = 3;

raw_ostream &label(raw_ostream &OS, StringRef Text) {
  return OS << "  " << llvm::left_justify(Text, LabelWidth);
}

/// A state of a record for people.
std::string stateText(StringRef State) {
  return State == "not_measured"      ? "not measured"
         : State == "could_not_judge" ? "could not judge"
                                      : State.str();
}

/// \p Why in brackets; its code alone where the verdict has the text already.
std::string because(const std::optional<Reason> &Why, const Judgement &Result) {
  if (!Why)
    return "";
  bool Said = llvm::any_of(Result.Reasons, [&](const Reason &R) { return R.Text == Why->Text; });
  return " (" + printableLine(Said ? Why->Code : Why->Text) + ")";
}

raw_ostream::Colors colourOf(Verdict V) {
  return V == Verdict::Accepted   ? raw_ostream::GREEN
         : V == Verdict::Rejected ? raw_ostream::RED
                                  : raw_ostream::YELLOW;
}

void writeHead(const EvalRecord &Record, raw_ostream &OS) {
  StringRef Device = Record.Run ? StringRef(Record.Run->Device) : "";
  OS << printableLine(Record.Problem) << "  " << printableLine(Record.Submission)
     << (Device.empty() ? "" : "  ") << printableLine(Device) << "  policy "
     << Record.Policy.Preset;
  if (Record.Lint && !Record.Lint->PolicySource.empty())
    OS << " (" << Record.Lint->PolicySource << ')';
  OS << "\n\n";
}

/// Whether \p Code is of the judge's process, where only the problem's reference runs: lack of
/// memory in the submission's has a code of its own, `cuda-out-of-memory`.
bool isOfReference(StringRef Code) {
  return Code.starts_with("reference-") || Code == "out-of-memory";
}

/// What is said of a reference quotes its line; of what a submission can influence, no line break
/// is printed.
void writeReason(const Reason &R, raw_ostream &OS) {
  StringRef Rest = R.Text;
  auto [First, Others] = isOfReference(R.Code) ? Rest.split('\n') : std::pair(Rest, StringRef());
  label(OS, "") << printableLine(First, 400) << " [" << R.Code << "]\n";
  while (!Others.empty()) {
    auto [Line, Tail] = Others.split('\n');
    label(OS, "") << printableLine(Line, 400) << '\n';
    Others = Tail;
  }
}

void writeVerdict(const Judgement &Result, raw_ostream &OS) {
  OS.changeColor(colourOf(Result.Outcome), /*Bold=*/true);
  label(OS, "verdict") << stateText(toString(Result.Outcome));
  OS.resetColor();
  OS << '\n';
  for (const Reason &R : llvm::ArrayRef(Result.Reasons).take_front(MaxReasons))
    writeReason(R, OS);
  if (Result.Reasons.size() > MaxReasons)
    label(OS, "") << "and " << Result.Reasons.size() - MaxReasons << " more reasons\n";
}

std::string plural(size_t Count, StringRef Word) {
  return (llvm::Twine(Count) + " " + Word + (Count == 1 ? "" : "s")).str();
}

void writeLint(const LintRecord &Lint, raw_ostream &OS) {
  std::string Text;
  auto Count = [&](Level L, StringRef Word) {
    size_t N = llvm::count_if(Lint.Findings, [&](const Finding &F) { return F.Severity == L; });
    if (N != 0)
      Text += (Text.empty() ? "" : ", ") + plural(N, Word);
  };
  Count(Level::Reject, "reject");
  Count(Level::Error, "compiler error");
  Count(Level::Warn, "warning");
  Count(Level::Note, "note");
  label(OS, "lint") << (Text.empty() ? "no findings" : Text);
  if (!Lint.Suppressed.empty())
    OS << "; switched off: " << llvm::join(Lint.Suppressed, ", ");
  if (Lint.Parse != ParseState::Complete)
    OS << "; parse " << toString(Lint.Parse);
  OS << '\n';
}

void writeBuild(const BuildRecord &Build, raw_ostream &OS) {
  label(OS, "build") << toString(Build.State);
  if (Build.State == BuildState::Built)
    OS << " in " << formatDuration(Build.Seconds);
  if (!Build.Strategy.empty())
    OS << ", " << Build.Strategy;
  OS << '\n';
  for (const KernelResources &K : Build.Kernels)
    if (K.SpillStoreBytes + K.SpillLoadBytes != 0)
      label(OS, "") << shortKernelName(K.Name, NameWidth) << " spills "
                    << K.SpillStoreBytes + K.SpillLoadBytes << " bytes of registers\n";
}

void writeCase(const CaseRecord &Case, raw_ostream &OS) {
  bool Failed = Case.State == CheckState::Failed;
  label(OS, "");
  OS << llvm::left_justify(printableLine(Case.Name, 20), 20) << ' ';
  OS.changeColor(Failed ? raw_ostream::RED : raw_ostream::SAVEDCOLOR, Failed);
  OS << llvm::left_justify(stateText(toString(Case.State)), 12);
  OS.resetColor();
  if (Case.MaxError && Case.AllowedError)
    OS << " error " << llvm::format("%.2g", *Case.MaxError) << " of "
       << llvm::format("%.2g", *Case.AllowedError) << " allowed";
  if (!Case.FirstMismatch.empty()) {
    OS << "; at [";
    llvm::interleaveComma(Case.FirstMismatch, OS);
    OS << ']';
    if (Case.Expected && Case.Actual)
      OS << " expected " << llvm::format("%.6g", *Case.Expected) << ", got "
         << llvm::format("%.6g", *Case.Actual);
  }
  OS << '\n';
}

/// What kernels did that rejects nothing, once for all cases.
void writeNotes(const CorrectnessRecord &C, raw_ostream &OS) {
  std::vector<const KernelNote *> Notes;
  for (const CaseRecord &Case : C.Cases)
    for (const KernelNote &N : Case.Notes)
      if (llvm::none_of(Notes, [&](const KernelNote *Known) { return isAlike(*Known, N); }))
        Notes.push_back(&N);
  for (const KernelNote *N : llvm::ArrayRef(Notes).take_front(MaxReasons))
    label(OS, N == Notes.front() ? "notes" : "")
        << printableLine(N->What.Text, 600) << " [" << printableLine(N->What.Code) << "]\n";
  if (Notes.size() > MaxReasons)
    label(OS, "") << "and " << plural(Notes.size() - MaxReasons, "note")
                  << " more, in the record\n";
}

void writeCorrectness(const CorrectnessRecord &C, const Judgement &Result, raw_ostream &OS) {
  label(OS, "correctness") << stateText(toString(C.State)) << because(C.Why, Result) << '\n';
  for (const CaseRecord &Case : C.Cases)
    writeCase(Case, OS);
  writeNotes(C, OS);
}

void writeBaseline(const BaselineTiming &B, const Judgement &Result, raw_ostream &OS) {
  label(OS, "") << llvm::left_justify(B.Name, 9) << ' ';
  if (B.State != MeasuredState::Measured || !B.TimeUs) {
    OS << "not measured" << because(B.Why, Result) << '\n';
    return;
  }
  OS << formatMicroseconds(*B.TimeUs);
  if (B.WarmUs)
    OS << " (warm " << formatMicroseconds(*B.WarmUs) << ')';
  if (B.Speedup)
    OS << llvm::format("; speed-up %.3gx", *B.Speedup);
  if (B.SpeedupCi95)
    OS << llvm::format(" [%.3g, %.3g]", B.SpeedupCi95->Low, B.SpeedupCi95->High);
  OS << '\n';
}

/// A clock that was held back is in the figures, so the reader must see it beside them.
void writeClocks(const ClockRecord &C, const Judgement &Result, raw_ostream &OS) {
  label(OS, "clocks");
  if (C.Why) {
    OS << "not measured" << because(C.Why, Result) << '\n';
    return;
  }
  OS << llvm::format("SM %.0f MHz (%.0f to %.0f), %.0f C at most", C.SmMhzMedian, C.SmMhzMin,
                     C.SmMhzMax, C.TemperatureCMax);
  for (const ClockLimit &Limit : C.Limits)
    OS << (Limit.Throttles ? "; throttled: " : "; ") << printableLine(Limit.Name)
       << llvm::format(" in %.3g %% of the readings", 100 * Limit.Share);
  OS << '\n';
}

void writeTiming(const TimingRecord &T, const Judgement &Result, raw_ostream &OS) {
  if (T.State != MeasuredState::Measured || !T.CandidateUs) {
    label(OS, "time") << "not measured" << because(T.Why, Result) << '\n';
    return;
  }
  label(OS, "time") << formatMicroseconds(*T.CandidateUs) << "  (median of "
                    << plural(T.Samples, "call") << " with cold L2";
  if (T.Noise)
    OS << llvm::format(", noise %.2g %%", 100 * *T.Noise);
  OS << ", stopped by " << T.StoppedBy << ')';
  if (T.WarmUs)
    OS << "; warm L2 " << formatMicroseconds(*T.WarmUs);
  OS << '\n';
  for (const BaselineTiming &B : T.Baselines)
    writeBaseline(B, Result, OS);
  if (T.Clocks)
    writeClocks(*T.Clocks, Result, OS);
}

void writeRoofline(const RooflineRecord &R, const Judgement &Result, raw_ostream &OS) {
  label(OS, "roofline");
  if (R.Why || !R.FloorUs) {
    OS << "not measured" << because(R.Why, Result) << '\n';
    return;
  }
  OS << "floor " << formatMicroseconds(*R.FloorUs) << " (" << peakText(R) << ')';
  const char *Separator = ": ";
  auto Write = [&](StringRef Name, std::optional<double> Fraction) {
    if (!Fraction)
      return;
    OS << Separator << printableLine(Name, 30) << llvm::format(" at %.0f %%", 100 * *Fraction);
    Separator = ", ";
  };
  Write("candidate", R.FractionOfFloor);
  for (const FloorDistance &D : R.Baselines)
    Write(D.Name, D.FractionOfFloor);
  OS << '\n';
}

std::string figure(std::optional<double> Value, const char *Format, double Scale = 1) {
  if (!Value)
    return "-";
  std::string Text;
  llvm::raw_string_ostream(Text) << llvm::format(Format, Scale * *Value);
  return Text;
}

std::string dimensions(const std::array<unsigned, 3> &D) {
  std::string Text = std::to_string(D[0]);
  for (size_t I = 1; I < 3 && (D[1] != 1 || D[2] != 1); ++I)
    if (I == 1 || D[2] != 1)
      Text += "x" + std::to_string(D[I]);
  return Text;
}

/// Rows of cells, each column as wide as its widest cell; the first two columns to the left.
void writeTable(const std::vector<std::vector<std::string>> &Rows, raw_ostream &OS) {
  std::vector<size_t> Widths(Rows.front().size());
  for (const auto &Row : Rows)
    for (size_t I = 0; I < Row.size(); ++I)
      Widths[I] = std::max(Widths[I], Row[I].size());
  for (const auto &Row : Rows) {
    OS << "  ";
    for (size_t I = 0; I < Row.size(); ++I)
      OS << (I < 2 ? llvm::left_justify(Row[I], Widths[I]) : llvm::right_justify(Row[I], Widths[I]))
         << (I + 1 == Row.size() ? "\n" : "  ");
  }
}

/// What bounds the longest of \p Kernels, which are sorted by time.
void writeBounds(llvm::ArrayRef<KernelRecord> Kernels, std::optional<unsigned> Multiprocessors,
                 raw_ostream &OS) {
  for (const KernelRecord &K : Kernels.take_front(MaxBounds))
    if (std::optional<KernelBound> Bound = boundOf(K, Multiprocessors))
      label(OS, &K == Kernels.begin() ? "bound" : "")
          << shortKernelName(K.Name, NameWidth) << ": " << Bound->Text << '\n';
}

void writeKernels(const ProfileData &Profile, const Judgement &Result, raw_ostream &OS) {
  if (Profile.State != "measured") {
    label(OS, "kernels") << "not measured" << because(Profile.Why, Result) << '\n';
    return;
  }
  std::vector<std::vector<std::string>> Rows = {{"kernel", "of", "calls", "time", "share", "grid",
                                                 "block", "regs", "shared", "occupancy", "of",
                                                 "DRAM GB/s", "peak", "L2 hit", "SM", "tensor"}};
  std::vector<KernelRecord> Kernels = Profile.Kernels;
  llvm::stable_sort(Kernels, [](const auto &A, const auto &B) { return A.TimeUs > B.TimeUs; });
  for (const KernelRecord &K : llvm::ArrayRef(Kernels).take_front(MaxKernels))
    Rows.push_back({shortKernelName(K.Name, NameWidth), printableLine(K.Provenance),
                    std::to_string(K.Calls), formatMicroseconds(K.TimeUs),
                    figure(K.Share, "%.0f%%", 100), dimensions(K.Grid), dimensions(K.Block),
                    std::to_string(K.Registers), formatBytes(K.SharedBytes),
                    figure(K.AchievedOccupancy, "%.0f%%", 100),
                    figure(K.TheoreticalOccupancy, "%.0f%%", 100), figure(K.DramGbPerS, "%.0f"),
                    figure(K.DramPercent, "%.0f%%"), figure(K.L2HitRate, "%.0f%%", 100),
                    figure(K.SmPercent, "%.0f%%"), figure(K.TensorPercent, "%.0f%%")});
  OS << '\n';
  writeTable(Rows, OS);
  if (Kernels.size() > MaxKernels)
    OS << "  and " << plural(Kernels.size() - MaxKernels, "kernel") << " more, in the record\n";
  writeBounds(Kernels, Profile.Multiprocessors, OS);
  if (Profile.LaunchGapsUs && Kernels.size() > 1)
    label(OS, "gaps") << formatMicroseconds(*Profile.LaunchGapsUs)
                      << " of a call pass between kernels\n";
  auto NoCounters = llvm::find_if(
      Profile.Kernels, [](const KernelRecord &K) { return K.State != "measured" && K.Why; });
  if (NoCounters != Profile.Kernels.end())
    label(OS, "counters") << "not measured" << because(NoCounters->Why, Result) << '\n';
}

void writeEmulatedKernels(const RunRecord &Run, const Judgement &Result, raw_ostream &OS) {
  llvm::ArrayRef<EmulatedKernel> Kernels = Run.EmulatedKernels;
  for (const EmulatedKernel &K : Kernels.take_front(MaxKernels)) {
    label(OS, "") << (K.MangledName.empty()
                          ? printableLine(K.Name, NameWidth)
                          : shortKernelName(llvm::demangle(K.MangledName), NameWidth))
                  << ", " << plural(K.Calls, "call") << ", blocks of " << dimensions(K.Block)
                  << ": theoretical occupancy ";
    if (K.TheoreticalOccupancy && K.Registers && K.StaticSharedBytes)
      OS << figure(K.TheoreticalOccupancy, "%.0f %%", 100) << " (H100; " << *K.Registers
         << " registers, " << formatBytes(*K.StaticSharedBytes + K.DynamicSharedBytes)
         << " of shared memory)\n";
    else
      OS << "not measured" << because(K.Why, Result) << '\n';
  }
  if (Kernels.size() > MaxKernels)
    label(OS, "") << "and " << plural(Kernels.size() - MaxKernels, "kernel")
                  << " more, in the record\n";
}

/// Only what is not as it should be.
void writeIsolation(const IsolationReport &Report, raw_ostream &OS) {
  if (std::string Missing = describeMissing(Report); !Missing.empty())
    label(OS, "isolation") << printableLine(Missing, 1000) << '\n';
}

} // namespace

void cupel::writeText(const EvalRecord &Record, raw_ostream &OS) {
  writeHead(Record, OS);
  writeVerdict(Record.Result, OS);
  OS << '\n';
  if (Record.Lint)
    writeLint(*Record.Lint, OS);
  if (Record.Build)
    writeBuild(*Record.Build, OS);
  if (Record.Run)
    writeCorrectness(Record.Run->Correctness, Record.Result, OS);
  if (Record.Timing)
    writeTiming(*Record.Timing, Record.Result, OS);
  if (Record.Roofline)
    writeRoofline(*Record.Roofline, Record.Result, OS);
  if (Record.Run)
    writeKernels(Record.Run->Profile, Record.Result, OS);
  if (Record.Run)
    writeEmulatedKernels(*Record.Run, Record.Result, OS);
  if (Record.Run)
    writeIsolation(Record.Run->Isolation, OS);
}
