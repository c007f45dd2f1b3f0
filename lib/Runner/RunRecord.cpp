//===- RunRecord.cpp - the run phase's record as JSON ------------------------===//

#include "cupel/Runner/RunRecord.h"
#include "Messages.h"
#include "RecordPieces.h"
#include "cupel/Profile/RecordJson.h"
#include "cupel/Runner/IsolationRecord.h"
#include "llvm/ADT/STLExtras.h"

using namespace cupel;
using llvm::StringRef;
namespace json = llvm::json;

StringRef cupel::toString(CheckState State) {
  switch (State) {
  case CheckState::Passed:
    return "passed";
  case CheckState::Failed:
    return "failed";
  case CheckState::NotMeasured:
    return "not_measured";
  }
  llvm_unreachable("unknown CheckState");
}

json::Value cupel::toJson(const KernelNote &Note) {
  return json::Object{{"code", Note.What.Code},
                      {"text", json::fixUTF8(Note.What.Text)},
                      {"kernel", json::fixUTF8(Note.Kernel)},
                      {"block", Note.Block},
                      {"thread", Note.Thread},
                      {"line", static_cast<int64_t>(Note.Line)}};
}

namespace {

json::Value toJson(const CaseRecord &Case) {
  json::Array Notes;
  for (const KernelNote &Note : Case.Notes)
    Notes.push_back(toJson(Note));
  json::Object Record{{"name", Case.Name},
                      {"state", toString(Case.State)},
                      {"reasons", recordjson::write(Case.Reasons)},
                      {"notes", std::move(Notes)}};
  eachFigure(Case, llvm::makeVisitor(
                       [&](StringRef Key, const std::optional<double> &Number) {
                         Record[Key] = recordjson::write(Number);
                       },
                       [&](StringRef Key, const std::vector<int64_t> &Numbers) {
                         Record[Key] = Numbers;
                       }));
  return Record;
}

json::Value toJson(const CorrectnessRecord &Record) {
  json::Array Cases;
  for (const CaseRecord &Case : Record.Cases)
    Cases.push_back(toJson(Case));
  return json::Object{{"state", toString(Record.State)},
                      {"reason", recordjson::write(Record.Why)},
                      {"cases", std::move(Cases)}};
}

json::Value toJson(const TimingSeries &Series) {
  return json::Object{{"name", Series.Name},
                      {"samples_us", Series.SamplesUs},
                      {"host_us", Series.HostUs},
                      {"block_sizes", Series.BlockSizes},
                      {"stopped_by", recordjson::writeOrNull(Series.StoppedBy)},
                      {"reason", recordjson::write(Series.NotMeasured)},
                      {"warm_us", Series.WarmUs}};
}

json::Value toJson(const EmulatedKernel &K) {
  using recordjson::write;
  auto Count = [](std::optional<unsigned> Value) {
    return Value ? json::Value(static_cast<int64_t>(*Value)) : json::Value(nullptr);
  };
  return json::Object{{"name", json::fixUTF8(K.Name)},
                      {"mangled_name", json::fixUTF8(K.MangledName)},
                      {"calls", static_cast<int64_t>(K.Calls)},
                      {"grid", triple(K.Grid)},
                      {"block", triple(K.Block)},
                      {"dynamic_shared_bytes", K.DynamicSharedBytes},
                      {"registers", Count(K.Registers)},
                      {"static_shared_bytes", Count(K.StaticSharedBytes)},
                      {"theoretical_occupancy", write(K.TheoreticalOccupancy)},
                      {"reason", write(K.Why)}};
}

bool readState(const json::Object &Object, CheckState &Out, json::Path P) {
  std::optional<StringRef> Text = Object.getString("state");
  for (CheckState State : {CheckState::Passed, CheckState::Failed, CheckState::NotMeasured})
    if (Text == toString(State)) {
      Out = State;
      return true;
    }
  P.field("state").report("expected \"passed\", \"failed\" or \"not_measured\"");
  return false;
}

bool readNote(const json::Value &Value, KernelNote &Out, json::Path P) {
  json::ObjectMapper Map(Value, P);
  return Map && Map.map("code", Out.What.Code) && Map.map("text", Out.What.Text) &&
         Map.mapOptional("kernel", Out.Kernel) && Map.mapOptional("block", Out.Block) &&
         Map.mapOptional("thread", Out.Thread) && Map.mapOptional("line", Out.Line);
}

bool readCase(const json::Value &Value, CaseRecord &Out, json::Path P) {
  json::ObjectMapper Map(Value, P);
  const json::Object *Object = Value.getAsObject();
  return Map && Map.map("name", Out.Name) && readState(*Object, Out.State, P) &&
         readFigures(*Object, Out, P) && recordjson::read(*Object, "reasons", Out.Reasons, P) &&
         recordjson::readList(*Object, "notes", Out.Notes, P, readNote);
}

bool readCorrectness(const json::Value &Value, CorrectnessRecord &Out, json::Path P) {
  json::ObjectMapper Map(Value, P);
  const json::Object *Object = Value.getAsObject();
  return Map && readState(*Object, Out.State, P) &&
         recordjson::read(*Object, "reason", Out.Why, P) &&
         recordjson::readList(*Object, "cases", Out.Cases, P, readCase);
}

bool readSeries(const json::Value &Value, TimingSeries &Out, json::Path P) {
  json::ObjectMapper Map(Value, P);
  const json::Object *Object = Value.getAsObject();
  if (!Map || !Map.map("name", Out.Name) ||
      !recordjson::read(*Object, "samples_us", Out.SamplesUs, P) ||
      !recordjson::read(*Object, "host_us", Out.HostUs, P) ||
      !Map.mapOptional("block_sizes", Out.BlockSizes) ||
      !recordjson::read(*Object, "stopped_by", Out.StoppedBy, P) ||
      !recordjson::read(*Object, "reason", Out.NotMeasured, P) ||
      !recordjson::read(*Object, "warm_us", Out.WarmUs, P))
    return false;
  uint64_t Sum = 0;
  for (unsigned Size : Out.BlockSizes)
    Sum += Size;
  if (Out.BlockSizes.empty() || Sum == Out.SamplesUs.size())
    return true;
  P.field("block_sizes").report("expected sizes that add up to the number of samples");
  return false;
}

bool readProfile(const json::Value &Value, ProfileData &Out, json::Path P) {
  json::ObjectMapper Map(Value, P);
  return Map && fromReply(*Value.getAsObject(), Out, P);
}

bool readRun(const json::Value &Value, RunRecord &Out, json::Path P) {
  json::ObjectMapper Map(Value, P);
  if (!Map)
    return false;
  const json::Object &Object = *Value.getAsObject();
  for (StringRef Key : {"correctness", "profile"})
    if (!Object.get(Key)) {
      P.field(Key).report("missing value");
      return false;
    }
  return recordjson::read(Object, "device", Out.Device, P) && Map.map("seed", Out.Seed) &&
         readIsolation(Object, "isolation", Out.Isolation, P) &&
         readIsolation(Object, "profile_isolation", Out.ProfileIsolation, P) &&
         readCorrectness(*Object.get("correctness"), Out.Correctness, P.field("correctness")) &&
         recordjson::readList(Object, "timing", Out.Timing, P, readSeries) &&
         recordjson::read(Object, "timing_reason", Out.TimingNotMeasured, P) &&
         Map.mapOptional("clocks", Out.Clocks) && Map.mapOptional("peaks", Out.Peaks) &&
         readProfile(*Object.get("profile"), Out.Profile, P.field("profile")) &&
         recordjson::readList(Object, "emulated_kernels", Out.EmulatedKernels, P,
                              readEmulatedKernel) &&
         recordjson::read(Object, "reasons", Out.Reasons, P);
}

} // namespace

bool cupel::readFigures(const json::Object &Object, ErrorFigures &Out, json::Path P) {
  bool Read = true;
  eachFigure(Out, llvm::makeVisitor(
                      [&](StringRef Key, std::optional<double> &Number) {
                        Read = Read && recordjson::read(Object, Key, Number, P);
                      },
                      [&](StringRef Key, std::vector<int64_t> &Numbers) {
                        const json::Value *Value = Object.get(Key);
                        Read = Read && (!Value || json::fromJSON(*Value, Numbers, P.field(Key)));
                      }));
  return Read;
}

bool cupel::readEmulatedKernel(const json::Value &Value, EmulatedKernel &K, json::Path P) {
  json::ObjectMapper Map(Value, P);
  if (!Map)
    return false;
  const json::Object &Object = *Value.getAsObject();
  return Map.map("name", K.Name) && Map.mapOptional("mangled_name", K.MangledName) &&
         Map.map("calls", K.Calls) && readTriple(Object, "grid", K.Grid, P) &&
         readTriple(Object, "block", K.Block, P) &&
         Map.map("dynamic_shared_bytes", K.DynamicSharedBytes) &&
         Map.mapOptional("registers", K.Registers) &&
         Map.mapOptional("static_shared_bytes", K.StaticSharedBytes) &&
         recordjson::read(Object, "theoretical_occupancy", K.TheoreticalOccupancy, P) &&
         recordjson::read(Object, "reason", K.Why, P);
}

json::Value cupel::toJson(const RunRecord &Record) {
  json::Array Timing, Kernels;
  for (const EmulatedKernel &Kernel : Record.EmulatedKernels)
    Kernels.push_back(::toJson(Kernel));
  for (const TimingSeries &Series : Record.Timing)
    Timing.push_back(::toJson(Series));
  return json::Object{{"device", recordjson::writeOrNull(Record.Device)},
                      {"isolation", toJson(Record.Isolation)},
                      {"profile_isolation", toJson(Record.ProfileIsolation)},
                      {"seed", Record.Seed},
                      {"correctness", ::toJson(Record.Correctness)},
                      {"timing", std::move(Timing)},
                      {"timing_reason", recordjson::write(Record.TimingNotMeasured)},
                      {"clocks", Record.Clocks ? toJson(*Record.Clocks) : json::Value(nullptr)},
                      {"peaks", Record.Peaks ? toJson(*Record.Peaks) : json::Value(nullptr)},
                      {"profile", toJson(Record.Profile)},
                      {"emulated_kernels", std::move(Kernels)},
                      {"reasons", recordjson::write(Record.Reasons)}};
}

llvm::Expected<RunRecord> cupel::runRecordFromJson(const json::Value &Value) {
  return recordjson::parse<RunRecord>(Value, "run", readRun);
}
