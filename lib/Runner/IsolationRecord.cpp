//===- IsolationRecord.cpp - the layers of isolation in the record ----------===//

#include "cupel/Runner/IsolationRecord.h"
#include "cupel/Profile/RecordJson.h"
#include "llvm/ADT/STLExtras.h"

using namespace cupel;
using llvm::StringRef;
namespace json = llvm::json;

static StringRef stateOf(const LayerState &State) {
  return State.Held ? "on" : State.Asked ? "not_available" : "off";
}

json::Value cupel::toJson(const IsolationReport &Report) {
  if (Report.empty())
    return nullptr;
  json::Array Layers;
  for (const LayerState &State : Report)
    Layers.push_back(json::Object{{"layer", toString(State.Layer)},
                                  {"state", stateOf(State)},
                                  {"reason", recordjson::writeOrNull(State.Why)}});
  return Layers;
}

static bool readLayer(const json::Value &Value, LayerState &Out, json::Path P) {
  json::ObjectMapper Map(Value, P);
  std::string Layer, State;
  if (!Map || !Map.map("layer", Layer) || !Map.map("state", State))
    return false;
  for (unsigned I = 0; I != IsolationLayerCount; ++I)
    if (Layer == toString(IsolationLayer(I))) {
      Out.Layer = IsolationLayer(I);
      Out.Held = State == "on";
      Out.Asked = State != "off";
      return recordjson::read(*Value.getAsObject(), "reason", Out.Why, P);
    }
  P.field("layer").report("no such layer");
  return false;
}

bool cupel::readIsolation(const json::Object &Object, StringRef Key, IsolationReport &Out,
                          json::Path P) {
  return recordjson::readList(Object, Key, Out, P, readLayer);
}

void cupel::keepWeakest(IsolationReport &Sum, const IsolationReport &Next) {
  if (Sum.empty()) {
    Sum = Next;
    return;
  }
  for (auto [Known, New] : llvm::zip(Sum, Next))
    if (Known.Held && !New.Held)
      Known = New;
}
