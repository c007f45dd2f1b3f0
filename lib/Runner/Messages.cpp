//===- Messages.cpp - what workers answer, as structs ------------------------===//

#include "Messages.h"
#include "RecordPieces.h"
#include "cupel/Profile/RecordJson.h"
#include "cupel/Runner/FailureReason.h"
#include "cupel/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace cupel;
using llvm::StringRef;
namespace json = llvm::json;

namespace {

bool readOutput(const json::Value &Value, OutputInfo &Out, json::Path P) {
  json::ObjectMapper Map(Value, P);
  return Map && Map.map("dtype", Out.DType) && Map.map("shape", Out.Shape) &&
         Map.mapOptional("device", Out.Device) && Map.mapOptional("overlaps", Out.Overlaps);
}

bool readEmulationError(const json::Value &Value, EmulationError &Out, json::Path P) {
  json::ObjectMapper Map(Value, P);
  return Map && Map.map("kind", Out.Kind) && Map.mapOptional("kernel", Out.Kernel) &&
         Map.map("text", Out.Text) && Map.mapOptional("block", Out.Block) &&
         Map.mapOptional("thread", Out.Thread) && Map.mapOptional("line", Out.Line) &&
         Map.mapOptional("rejects", Out.Rejects);
}

bool readSamples(const json::Object &Fields, StringRef Key, std::vector<double> &Out,
                 json::Path P) {
  if (!recordjson::read(Fields, Key, Out, P))
    return false;
  if (llvm::all_of(Out, [](double Value) { return Value >= 0; }))
    return true;
  P.field(Key).report("expected times that are not negative");
  return false;
}

bool isEmpty(llvm::ArrayRef<int64_t> Shape) { return llvm::is_contained(Shape, 0); }

void checkOutput(const OutputInfo &Expected, const OutputInfo &Actual, StringRef Which,
                 StringRef Device, std::vector<Reason> &Reasons) {
  if (Actual.Shape != Expected.Shape)
    Reasons.push_back(failureReason(
        "wrong-shape", "",
        (Which + shapeText(Actual.Shape) + " instead of " + shapeText(Expected.Shape)).str()));
  if (Actual.DType != Expected.DType)
    Reasons.push_back(failureReason(
        "wrong-dtype", "",
        (Which + printableLine(Actual.DType, 40) + " instead of " + Expected.DType).str()));
  if (!Actual.Device.empty() && StringRef(Actual.Device).split(':').first != Device)
    Reasons.push_back(
        failureReason("wrong-device", "",
                      (Which + printableLine(Actual.Device, 40) + " instead of " + Device).str()));
  // An empty tensor has no memory to share; returning the input is then what honest code does.
  if (Actual.Overlaps && !isEmpty(Actual.Shape))
    Reasons.push_back(failureReason("output-overlaps-input", "",
                                    (Which + printableLine(*Actual.Overlaps, 80)).str()));
}

} // namespace

WorkerError cupel::workerError(const json::Object &Fields) {
  auto Text = [&](StringRef Key) { return Fields.getString(Key).value_or("").str(); };
  auto Number = [&](StringRef Key) {
    return static_cast<unsigned>(Fields.getInteger(Key).value_or(0));
  };
  return {Text("stage"),      Text("code"),   Text("text"),
          Text("cuda_error"), Number("line"), Number("column")};
}

bool cupel::fromReply(const json::Object &Fields, HelloReply &Out, json::Path P) {
  return recordjson::read(Fields, "device_name", Out.DeviceName, P) &&
         recordjson::read(Fields, "torch", Out.TorchVersion, P) &&
         recordjson::read(Fields, "uuid", Out.Uuid, P) &&
         recordjson::read(Fields, "driver", Out.Driver, P);
}

bool cupel::fromReply(const json::Object &Fields, ExpectReply &Out, json::Path P) {
  const json::Value *Receive = Fields.get("receive");
  if (!Receive) {
    P.field("receive").report("missing value");
    return false;
  }
  Out.Receive = *Receive;
  return recordjson::readList(Fields, "outputs", Out.Outputs, P, readOutput);
}

bool cupel::fromReply(const json::Object &Fields, CompareReply &Out, json::Path P) {
  std::optional<StringRef> State = Fields.getString("state");
  if (State != StringRef("passed") && State != StringRef("failed")) {
    P.field("state").report("expected \"passed\" or \"failed\"");
    return false;
  }
  Out.State = *State == "passed" ? CheckState::Passed : CheckState::Failed;
  return readFigures(Fields, Out, P) && recordjson::read(Fields, "reasons", Out.Reasons, P);
}

bool cupel::fromReply(const json::Object &Fields, CallReply &Out, json::Path P) {
  const json::Value *Outputs = Fields.get("outputs");
  if (!Outputs) {
    P.field("outputs").report("missing value");
    return false;
  }
  Out.OutputsJson = *Outputs;
  if (const json::Object *Thrown = Fields.getObject("thrown"))
    Out.Thrown = workerError(*Thrown);
  const json::Value *Changed = Fields.get("inputs_changed");
  if (Fields.get("emulation_errors") &&
      !recordjson::readList(Fields, "emulation_errors", Out.EmulationErrors, P, readEmulationError))
    return false;
  if (!recordjson::readList(Fields, "emulation_kernels", Out.EmulatedKernels, P,
                            readEmulatedKernel))
    return false;
  return recordjson::readList(Fields, "outputs", Out.Outputs, P, readOutput) &&
         (!Changed || json::fromJSON(*Changed, Out.InputsChanged, P.field("inputs_changed")));
}

bool cupel::fromReply(const json::Object &Fields, TimeReply &Out, json::Path P) {
  // A baseline has no outputs to tell, a candidate without a receive buffer neither.
  const json::Value *Outputs = Fields.get("outputs");
  bool HasOutputs = Outputs && Outputs->kind() != json::Value::Null;
  return readSamples(Fields, "samples_us", Out.SamplesUs, P) &&
         readSamples(Fields, "host_us", Out.HostUs, P) &&
         readSamples(Fields, "warm_us", Out.WarmUs, P) &&
         (!HasOutputs || fromReply(Fields, Out.Call, P));
}

static std::string indexText(llvm::ArrayRef<int64_t> Index) {
  return "(" +
         llvm::join(llvm::map_range(Index, [](int64_t N) { return std::to_string(N); }), ", ") +
         ")";
}

Reason cupel::toReason(const EmulationError &Error, StringRef File) {
  std::string Text;
  if (!Error.Kernel.empty())
    Text += "kernel '" + printableLine(Error.Kernel, 120) + "', ";
  if (!Error.Block.empty())
    Text += "block " + indexText(Error.Block) + ", ";
  if (!Error.Thread.empty())
    Text += "thread " + indexText(Error.Thread) + ", ";
  if (Error.Line)
    Text += (File + ":" + llvm::Twine(Error.Line) + ", ").str();
  if (!Text.empty())
    Text.replace(Text.size() - 2, 2, ": ");
  return {printableLine(Error.Kind, 60), Text + printableLine(Error.Text, 400)};
}

KernelNote cupel::toNote(const EmulationError &Error, StringRef File) {
  return {toReason(Error, File), printableLine(Error.Kernel, 120), Error.Block, Error.Thread,
          Error.Line};
}

std::string cupel::shapeText(llvm::ArrayRef<int64_t> Shape) {
  return "[" +
         llvm::join(llvm::map_range(Shape, [](int64_t N) { return std::to_string(N); }), ", ") +
         "]";
}

std::vector<Reason> cupel::checkOutputs(const ExpectReply &Expected, const CallReply &Call,
                                        StringRef Device) {
  std::vector<Reason> Reasons;
  if (!Call.InputsChanged.empty())
    Reasons.push_back(
        failureReason("inputs-changed", "", printableLine(llvm::join(Call.InputsChanged, ", "))));
  size_t Count = Expected.Outputs.size();
  if (Call.Outputs.size() != Count) {
    Reasons.push_back(failureReason("output-count", "",
                                    std::to_string(Call.Outputs.size()) + " instead of " +
                                        std::to_string(Count)));
    return Reasons;
  }
  for (size_t I = 0; I != Count; ++I)
    checkOutput(Expected.Outputs[I], Call.Outputs[I],
                Count == 1 ? "" : "output " + std::to_string(I) + ": ", Device, Reasons);
  return Reasons;
}
