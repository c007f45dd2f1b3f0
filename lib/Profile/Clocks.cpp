//===- Clocks.cpp - at which clocks the times were taken --------------------===//

#include "cupel/Profile/Clocks.h"
#include "cupel/Profile/RecordJson.h"
#include "cupel/Profile/Statistics.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace cupel;
using llvm::StringRef;
namespace json = llvm::json;

namespace {

/// A bit of nvmlClocksEventReasons (NVML reference manual).
struct EventReason {
  uint64_t Bit;
  StringRef Name;
  bool Throttles;
};

constexpr uint64_t GpuIdle = 0x1;
constexpr EventReason EventReasons[] = {
    {0x2, "applications-clocks-setting", false},
    {0x4, "sw-power-cap", true},
    {0x8, "hw-slowdown", true},
    {0x10, "sync-boost", false},
    {0x20, "sw-thermal-slowdown", true},
    {0x40, "hw-thermal-slowdown", true},
    {0x80, "hw-power-brake-slowdown", true},
    {0x100, "display-clock-setting", false},
};

json::Value limitToJson(const ClockLimit &Limit) {
  return json::Object{{"name", Limit.Name}, {"share", Limit.Share}, {"throttles", Limit.Throttles}};
}

bool readLimit(const json::Value &Value, ClockLimit &Out, json::Path P) {
  json::ObjectMapper Map(Value, P);
  return Map && Map.map("name", Out.Name) && Map.map("share", Out.Share) &&
         Map.map("throttles", Out.Throttles);
}

} // namespace

bool ClockRecord::throttled() const {
  return llvm::any_of(Limits, [](const ClockLimit &Limit) { return Limit.Throttles; });
}

ClockRecord cupel::summarizeClocks(const ClockReadings &Readings) {
  ClockRecord Record;
  if (Readings.NotMeasured) {
    Record.Why = Readings.NotMeasured;
    return Record;
  }
  std::vector<double> Mhz;
  unsigned Seen[std::size(EventReasons)] = {};
  for (auto [Clock, Celsius, Bits] :
       llvm::zip_equal(Readings.SmMhz, Readings.TemperatureC, Readings.EventReasons)) {
    const auto Events = static_cast<uint64_t>(Bits);
    if (Events & GpuIdle)
      continue;
    Mhz.push_back(Clock);
    Record.TemperatureCMax = std::max(Record.TemperatureCMax, Celsius);
    for (size_t I = 0; I != std::size(EventReasons); ++I)
      Seen[I] += (Events & EventReasons[I].Bit) != 0;
  }
  if (Mhz.empty()) {
    Record.Why = Readings.SmMhz.empty()
                     ? Reason{"no-samples", "the timing was over before a clock was read"}
                     : Reason{"gpu-idle", "the driver called the GPU idle in every reading"};
    return Record;
  }
  Record.Readings = static_cast<unsigned>(Mhz.size());
  Record.SmMhzMin = *llvm::min_element(Mhz);
  Record.SmMhzMax = *llvm::max_element(Mhz);
  Record.SmMhzMedian = median(Mhz);
  for (size_t I = 0; I != std::size(EventReasons); ++I)
    if (Seen[I] != 0)
      Record.Limits.push_back({EventReasons[I].Name.str(),
                               Seen[I] / static_cast<double>(Mhz.size()),
                               EventReasons[I].Throttles});
  llvm::stable_sort(Record.Limits, [](const auto &A, const auto &B) { return A.Share > B.Share; });
  return Record;
}

json::Value cupel::toJson(const ClockReadings &Readings) {
  return json::Object{{"sm_mhz", Readings.SmMhz},
                      {"temperature_c", Readings.TemperatureC},
                      {"event_reasons", Readings.EventReasons},
                      {"reason", recordjson::write(Readings.NotMeasured)}};
}

bool cupel::fromJSON(const json::Value &Value, ClockReadings &Out, json::Path P) {
  json::ObjectMapper Map(Value, P);
  if (!Map || !Map.mapOptional("sm_mhz", Out.SmMhz) ||
      !Map.mapOptional("temperature_c", Out.TemperatureC) ||
      !Map.mapOptional("event_reasons", Out.EventReasons) ||
      !recordjson::read(*Value.getAsObject(), "reason", Out.NotMeasured, P))
    return false;
  if (Out.TemperatureC.size() == Out.SmMhz.size() && Out.EventReasons.size() == Out.SmMhz.size() &&
      llvm::all_of(Out.EventReasons, [](double Bits) { return Bits >= 0 && Bits < 0x1p52; }))
    return true;
  P.field("event_reasons").report("expected as many clocks, temperatures and reasons");
  return false;
}

json::Value cupel::toJson(const ClockRecord &Record) {
  json::Array Limits;
  for (const ClockLimit &Limit : Record.Limits)
    Limits.push_back(limitToJson(Limit));
  auto Figure = [&](double Value) {
    return Record.Why ? json::Value(nullptr) : json::Value(Value);
  };
  return json::Object{{"state", Record.Why ? "not_measured" : "measured"},
                      {"reason", recordjson::write(Record.Why)},
                      {"readings", static_cast<int64_t>(Record.Readings)},
                      {"sm_mhz_min", Figure(Record.SmMhzMin)},
                      {"sm_mhz_median", Figure(Record.SmMhzMedian)},
                      {"sm_mhz_max", Figure(Record.SmMhzMax)},
                      {"temperature_c_max", Figure(Record.TemperatureCMax)},
                      {"throttled", Record.throttled()},
                      {"limits", std::move(Limits)}};
}

bool cupel::fromJSON(const json::Value &Value, ClockRecord &Out, json::Path P) {
  json::ObjectMapper Map(Value, P);
  if (!Map)
    return false;
  const json::Object &Object = *Value.getAsObject();
  auto Number = [&](StringRef Key, double &Figure) {
    return recordjson::read(Object, Key, Figure, P);
  };
  return recordjson::read(Object, "reason", Out.Why, P) &&
         Map.mapOptional("readings", Out.Readings) && Number("sm_mhz_min", Out.SmMhzMin) &&
         Number("sm_mhz_median", Out.SmMhzMedian) && Number("sm_mhz_max", Out.SmMhzMax) &&
         Number("temperature_c_max", Out.TemperatureCMax) &&
         recordjson::readList(Object, "limits", Out.Limits, P, readLimit);
}
