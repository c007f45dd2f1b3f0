//===- KernelRecord.cpp - a GPU kernel's record as JSON ----------------------===//

#include "cupel/Runner/KernelRecord.h"
#include "Messages.h"
#include "RecordPieces.h"
#include "cupel/Profile/RecordJson.h"

using namespace cupel;
using llvm::StringRef;
namespace json = llvm::json;

bool cupel::readTriple(const json::Object &Object, StringRef Key, std::array<unsigned, 3> &Out,
                       json::Path P) {
  const json::Value *Value = Object.get(Key);
  if (!Value)
    return true;
  std::vector<unsigned> Numbers;
  if (!json::fromJSON(*Value, Numbers, P.field(Key)))
    return false;
  if (Numbers.size() != 3) {
    P.field(Key).report("expected three numbers");
    return false;
  }
  llvm::copy(Numbers, Out.begin());
  return true;
}

json::Value cupel::toJson(const StallRecord &Stall) {
  return json::Object{{"reason", Stall.Reason},
                      {"cycles_per_instruction", recordjson::write(Stall.CyclesPerInstruction)},
                      {"share", recordjson::write(Stall.Share)}};
}

json::Value cupel::toJson(const KernelRecord &K) {
  using recordjson::write;
  json::Array Stalls;
  for (const StallRecord &Stall : K.Stalls)
    Stalls.push_back(toJson(Stall));
  json::Object Record{{"name", json::fixUTF8(K.Name)},
                      {"mangled_name", json::fixUTF8(K.MangledName)},
                      {"provenance", K.Provenance},
                      {"calls", static_cast<int64_t>(K.Calls)},
                      {"time_us", write(K.TimeUs)},
                      {"share", write(K.Share)},
                      {"grid", triple(K.Grid)},
                      {"block", triple(K.Block)},
                      {"registers", static_cast<int64_t>(K.Registers)},
                      {"shared_bytes", K.SharedBytes},
                      {"local_bytes", K.LocalBytes},
                      {"occupancy_limits", K.OccupancyLimits},
                      {"stalls", std::move(Stalls)},
                      {"state", K.State},
                      {"reason", write(K.Why)}};
  eachCounter(
      K, [&](StringRef Key, const std::optional<double> &Value) { Record[Key] = write(Value); });
  return Record;
}

json::Value cupel::toJson(const OperatorCalls &Operator) {
  return json::Object{{"name", json::fixUTF8(Operator.Name)},
                      {"calls", static_cast<int64_t>(Operator.Calls)}};
}

json::Value cupel::toJson(const ProfileData &Profile) {
  json::Array Kernels, Operators, Libraries;
  for (const OperatorCalls &Operator : Profile.TorchOperators)
    Operators.push_back(toJson(Operator));
  for (const std::string &File : Profile.Libraries)
    Libraries.push_back(json::fixUTF8(File));
  for (const KernelRecord &Kernel : Profile.Kernels)
    Kernels.push_back(toJson(Kernel));
  return json::Object{{"state", Profile.State},
                      {"reason", recordjson::write(Profile.Why)},
                      {"launch_gaps_us", recordjson::write(Profile.LaunchGapsUs)},
                      {"gpu_busy_us", recordjson::write(Profile.GpuBusyUs)},
                      {"multiprocessors", Profile.Multiprocessors
                                              ? json::Value(int64_t(*Profile.Multiprocessors))
                                              : json::Value(nullptr)},
                      {"kernels", std::move(Kernels)},
                      {"torch_operators", std::move(Operators)},
                      {"libraries", std::move(Libraries)}};
}

static bool readStall(const json::Value &Value, StallRecord &Out, json::Path P) {
  json::ObjectMapper Map(Value, P);
  return Map && Map.map("reason", Out.Reason) &&
         Map.map("cycles_per_instruction", Out.CyclesPerInstruction) && Map.map("share", Out.Share);
}

static bool readOperator(const json::Value &Value, OperatorCalls &Out, json::Path P) {
  json::ObjectMapper Map(Value, P);
  return Map && Map.map("name", Out.Name) && Map.map("calls", Out.Calls);
}

static bool readText(const json::Value &Value, std::string &Out, json::Path P) {
  return json::fromJSON(Value, Out, P);
}

bool cupel::readKernel(const json::Value &Value, KernelRecord &K, json::Path P) {
  json::ObjectMapper Map(Value, P);
  if (!Map)
    return false;
  const json::Object &Object = *Value.getAsObject();
  auto Number = [&](StringRef Key, auto &Out) { return recordjson::read(Object, Key, Out, P); };
  bool Read = Map.map("name", K.Name) && Map.mapOptional("mangled_name", K.MangledName) &&
              Map.map("provenance", K.Provenance) && Map.map("calls", K.Calls) &&
              Number("time_us", K.TimeUs) && Number("share", K.Share) &&
              readTriple(Object, "grid", K.Grid, P) && readTriple(Object, "block", K.Block, P) &&
              Map.mapOptional("registers", K.Registers) &&
              Map.mapOptional("shared_bytes", K.SharedBytes) &&
              Map.mapOptional("local_bytes", K.LocalBytes) &&
              Map.mapOptional("occupancy_limits", K.OccupancyLimits) &&
              recordjson::readList(Object, "stalls", K.Stalls, P, readStall) &&
              Number("state", K.State) && Number("reason", K.Why);
  eachCounter(K, [&](StringRef Key, std::optional<double> &Out) {
    Read = Read && recordjson::read(Object, Key, Out, P);
  });
  return Read;
}

bool cupel::fromReply(const json::Object &Fields, ProfileData &Out, json::Path P) {
  std::optional<StringRef> State = Fields.getString("state");
  if (State != StringRef("measured") && State != StringRef("not_measured")) {
    P.field("state").report("expected \"measured\" or \"not_measured\"");
    return false;
  }
  Out.State = State->str();
  if (const json::Value *Count = Fields.get("multiprocessors"))
    if (!json::fromJSON(*Count, Out.Multiprocessors, P.field("multiprocessors")))
      return false;
  return recordjson::read(Fields, "reason", Out.Why, P) &&
         recordjson::read(Fields, "launch_gaps_us", Out.LaunchGapsUs, P) &&
         recordjson::read(Fields, "gpu_busy_us", Out.GpuBusyUs, P) &&
         recordjson::readList(Fields, "kernels", Out.Kernels, P, readKernel) &&
         recordjson::readList(Fields, "torch_operators", Out.TorchOperators, P, readOperator) &&
         recordjson::readList(Fields, "libraries", Out.Libraries, P, readText);
}
