//===- JsonReport.cpp - the record of `cupel eval` as JSON ------------------===//

#include "cupel/Report/JsonReport.h"
#include "cupel/Report/KernelBound.h"
#include "cupel/Report/Version.h"
#include "cupel/Runner/IsolationRecord.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include <charconv>
#include <cmath>

using namespace cupel;
using llvm::StringRef;
namespace json = llvm::json;

namespace {

/// A JSON stream that takes what records hold: texts of a submission that need not be UTF-8,
/// numbers that need not be finite, and values that are absent.
class Writer {
public:
  explicit Writer(llvm::raw_ostream &OS) : J(OS, /*IndentSize=*/2) {}

  template <typename Body> void object(Body &&Fields) { J.object(Fields); }
  template <typename Body> void object(StringRef Key, Body &&Fields) {
    J.attributeObject(Key, Fields);
  }
  template <typename Range, typename Body>
  void list(StringRef Key, const Range &Items, Body &&Each) {
    J.attributeArray(Key, [&] {
      for (const auto &Item : Items)
        Each(Item);
    });
  }
  template <typename Range> void numbers(StringRef Key, const Range &Items) {
    list(Key, Items, [&](auto Item) { J.value(static_cast<int64_t>(Item)); });
  }
  void null(StringRef Key) { J.attribute(Key, nullptr); }
  void text(StringRef Key, StringRef Value) { J.attribute(Key, json::fixUTF8(Value)); }
  void textOrNull(StringRef Key, StringRef Value) { Value.empty() ? null(Key) : text(Key, Value); }
  void textItem(StringRef Value) { J.value(json::fixUTF8(Value)); }
  void count(StringRef Key, uint64_t Value) { J.attribute(Key, Value); }
  void value(StringRef Key, const json::Value &Value) { J.attribute(Key, Value); }
  void item(const json::Value &Value) { J.value(Value); }
  void reason(StringRef Key, const std::optional<Reason> &Why) {
    if (!Why)
      return null(Key);
    object(Key, [&] { fields(*Why); });
  }
  void fields(const Reason &Why) {
    text("code", Why.Code);
    text("text", Why.Text);
  }

  /// The shortest text that reads back the same; json::OStream would print 0.1 with 17 digits.
  void number(StringRef Key, std::optional<double> Value) {
    if (!Value)
      return null(Key);
    if (!std::isfinite(*Value))
      return text(Key, std::isnan(*Value) ? "nan" : *Value > 0 ? "inf" : "-inf");
    char Digits[32];
    auto End = std::to_chars(Digits, Digits + sizeof(Digits), *Value).ptr;
    J.attributeBegin(Key);
    J.rawValue(StringRef(Digits, End - Digits));
    J.attributeEnd();
  }

private:
  json::OStream J;
};

void writePolicy(Writer &W, const EvalRecord &Record) {
  const PolicySpec &Policy = Record.Policy;
  W.object("policy", [&] {
    W.text("preset", Policy.Preset);
    W.list("libraries", Policy.Libraries, [&](StringRef Name) { W.textItem(Name); });
    W.list("operators", Policy.Operators, [&](StringRef Name) { W.textItem(Name); });
  });
}

void writeCase(Writer &W, const CaseRecord &Case) {
  W.text("name", Case.Name);
  W.text("state", toString(Case.State));
  eachFigure(Case, llvm::makeVisitor(
                       [&](StringRef Key, std::optional<double> Value) { W.number(Key, Value); },
                       [&](StringRef Key, const std::vector<int64_t> &Values) {
                         W.numbers(Key, Values);
                       }));
  W.list("reasons", Case.Reasons, [&](const Reason &R) { W.object([&] { W.fields(R); }); });
  W.list("notes", Case.Notes, [&](const KernelNote &N) { W.item(toJson(N)); });
}

void writeCorrectness(Writer &W, const EvalRecord &Record) {
  const CorrectnessRecord None;
  const CorrectnessRecord &C = Record.Run ? Record.Run->Correctness : None;
  W.object("correctness", [&] {
    W.text("state", toString(C.State));
    W.reason("reason", C.Why);
    W.list("cases", C.Cases,
           [&](const CaseRecord &Case) { W.object([&] { writeCase(W, Case); }); });
  });
}

void writeKernel(Writer &W, const KernelRecord &K, std::optional<unsigned> Multiprocessors) {
  W.text("name", K.Name);
  W.text("mangled_name", K.MangledName);
  W.text("provenance", K.Provenance);
  W.count("calls", K.Calls);
  W.number("time_us", K.TimeUs);
  W.number("share", K.Share);
  W.numbers("grid", K.Grid);
  W.numbers("block", K.Block);
  W.count("registers", K.Registers);
  W.count("shared_bytes", K.SharedBytes);
  W.count("local_bytes", K.LocalBytes);
  W.list("occupancy_limits", K.OccupancyLimits, [&](StringRef Limit) { W.textItem(Limit); });
  eachCounter(K, [&](StringRef Key, std::optional<double> Value) { W.number(Key, Value); });
  W.list("stalls", K.Stalls, [&](const StallRecord &Stall) { W.item(toJson(Stall)); });
  if (std::optional<KernelBound> Bound = boundOf(K, Multiprocessors))
    W.object("bound", [&] {
      W.text("by", Bound->By);
      W.text("text", Bound->Text);
    });
  else
    W.null("bound");
  W.text("state", K.State);
  W.reason("reason", K.Why);
}

void writeKernels(Writer &W, const EvalRecord &Record) {
  const ProfileData None;
  const ProfileData &P = Record.Run ? Record.Run->Profile : None;
  W.text("kernels_state", P.State);
  W.reason("kernels_reason", P.Why);
  W.number("launch_gaps_us", P.LaunchGapsUs);
  W.number("gpu_busy_us", P.GpuBusyUs);
  W.number("multiprocessors", P.Multiprocessors);
  W.list("kernels", P.Kernels,
         [&](const KernelRecord &K) { W.object([&] { writeKernel(W, K, P.Multiprocessors); }); });
  W.list("torch_operators", P.TorchOperators, [&](const OperatorCalls &O) { W.item(toJson(O)); });
  W.list("libraries", P.Libraries, [&](StringRef File) { W.textItem(File); });
}

void writeEmulatedKernel(Writer &W, const EmulatedKernel &K) {
  W.text("name", K.Name);
  W.text("mangled_name", K.MangledName);
  W.count("calls", K.Calls);
  W.numbers("grid", K.Grid);
  W.numbers("block", K.Block);
  W.count("dynamic_shared_bytes", K.DynamicSharedBytes);
  W.number("registers", K.Registers);
  W.number("static_shared_bytes", K.StaticSharedBytes);
  W.number("theoretical_occupancy", K.TheoreticalOccupancy);
  W.reason("reason", K.Why);
}

void writeEmulatedKernels(Writer &W, const EvalRecord &Record) {
  const std::vector<EmulatedKernel> None;
  W.list("emulated_kernels", Record.Run ? Record.Run->EmulatedKernels : None,
         [&](const EmulatedKernel &K) { W.object([&] { writeEmulatedKernel(W, K); }); });
}

} // namespace

void cupel::writeJson(const EvalRecord &Record, llvm::raw_ostream &OS) {
  Writer W(OS);
  W.object([&] {
    W.text("cupel", CupelVersion);
    W.text("problem", Record.Problem);
    W.text("problem_hash", Record.ProblemHash);
    W.text("submission", Record.Submission);
    W.text("submission_hash", Record.SubmissionHash);
    W.textOrNull("device", Record.Run ? StringRef(Record.Run->Device) : "");
    W.text("verdict", toString(Record.Result.Outcome));
    W.list("reasons", Record.Result.Reasons,
           [&](const Reason &R) { W.object([&] { W.fields(R); }); });
    W.textOrNull("stopped_after", Record.StoppedAfter);
    writePolicy(W, Record);
    W.value("lint", Record.Lint ? toJson(*Record.Lint) : json::Value(nullptr));
    W.value("build", Record.Build ? toJson(*Record.Build) : toJson(BuildRecord()));
    writeCorrectness(W, Record);
    W.value("timing", toJson(Record.Timing.value_or(TimingRecord())));
    writeKernels(W, Record);
    writeEmulatedKernels(W, Record);
    W.value("roofline", Record.Roofline ? toJson(*Record.Roofline) : json::Value(nullptr));
    W.value("isolation", toJson(Record.Run ? Record.Run->Isolation : IsolationReport()));
    W.value("profile_isolation",
            toJson(Record.Run ? Record.Run->ProfileIsolation : IsolationReport()));
    W.textOrNull("seed", Record.Run ? StringRef(Record.Run->Seed) : "");
    // Raw samples, to go on from; a finished record does without.
    if (Record.Run && !Record.StoppedAfter.empty())
      W.value("run", toJson(*Record.Run));
  });
  OS << '\n';
}
