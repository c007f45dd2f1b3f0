//===- ProfileRecord.cpp - what the raw time samples say -------------------===//

#include "cupel/Profile/ProfileRecord.h"
#include "cupel/Profile/RecordJson.h"
#include "llvm/ADT/STLExtras.h"

using namespace cupel;
using llvm::StringRef;
namespace json = llvm::json;

StringRef cupel::toString(MeasuredState State) {
  return State == MeasuredState::Measured ? "measured" : "not_measured";
}

std::optional<MeasuredState> cupel::parseMeasuredState(StringRef Text) {
  for (MeasuredState State : {MeasuredState::Measured, MeasuredState::NotMeasured})
    if (Text == toString(State))
      return State;
  return std::nullopt;
}

namespace {

BlockedSamples blocked(const TimingSeries &Series) { return {Series.SamplesUs, Series.BlockSizes}; }

bool isMeasured(const TimingSeries &Series) {
  return !Series.NotMeasured && !Series.SamplesUs.empty();
}

/// Why \p Series has no figure; a series without samples must not pass for a measured one.
Reason whyNot(const TimingSeries &Series) {
  return Series.NotMeasured.value_or(Reason{"no-samples", "no time sample was taken"});
}

std::optional<double> medianOf(const std::vector<double> &Samples) {
  return Samples.empty() ? std::nullopt : std::optional(median(Samples));
}

/// The \p Q quantile of what the host waited for beyond each call's time.
std::optional<double> restQuantile(const TimingSeries &Series, double Q) {
  if (Series.SamplesUs.empty() || Series.HostUs.size() != Series.SamplesUs.size())
    return std::nullopt;
  std::vector<double> Rests;
  for (auto [Time, Host] : llvm::zip(Series.SamplesUs, Series.HostUs))
    Rests.push_back(Host - Time);
  return quantile(Rests, Q);
}

BaselineTiming summarizeBaseline(const TimingSeries &Baseline, const TimingSeries *Candidate) {
  BaselineTiming Result;
  Result.Name = Baseline.Name;
  Result.Samples = static_cast<unsigned>(Baseline.SamplesUs.size());
  if (!isMeasured(Baseline)) {
    Result.Why = whyNot(Baseline);
    return Result;
  }
  Result.State = MeasuredState::Measured;
  Result.TimeUs = median(Baseline.SamplesUs);
  Result.Noise = relativeNoise(Baseline.SamplesUs);
  Result.WarmUs = medianOf(Baseline.WarmUs);
  Result.HostRestUs = restQuantile(Baseline, 0.95);
  if (!Candidate || !isMeasured(*Candidate))
    return Result;
  if (double Ours = median(Candidate->SamplesUs); Ours > 0)
    Result.Speedup = *Result.TimeUs / Ours;
  Result.SpeedupCi95 = ratioInterval(blocked(Baseline), blocked(*Candidate));
  return Result;
}

json::Value intervalToJson(const std::optional<Interval> &I) {
  return I ? json::Value(json::Array{I->Low, I->High}) : json::Value(nullptr);
}

json::Value baselineToJson(const BaselineTiming &B) {
  return json::Object{{"name", B.Name},
                      {"state", toString(B.State)},
                      {"reason", recordjson::write(B.Why)},
                      {"time_us", recordjson::write(B.TimeUs)},
                      {"speedup", recordjson::write(B.Speedup)},
                      {"speedup_ci95", intervalToJson(B.SpeedupCi95)},
                      {"samples", static_cast<int64_t>(B.Samples)},
                      {"noise", recordjson::write(B.Noise)},
                      {"warm_us", recordjson::write(B.WarmUs)},
                      {"host_rest_us", recordjson::write(B.HostRestUs)}};
}

bool readState(const json::Object &Object, MeasuredState &State, json::Path P) {
  std::optional<StringRef> Text = Object.getString("state");
  std::optional<MeasuredState> Known = Text ? parseMeasuredState(*Text) : std::nullopt;
  if (!Known) {
    P.field("state").report("expected \"measured\" or \"not_measured\"");
    return false;
  }
  State = *Known;
  return true;
}

bool readInterval(const json::Object &Object, std::optional<Interval> &I, json::Path P) {
  const json::Value *Value = Object.get("speedup_ci95");
  if (!Value || Value->kind() == json::Value::Null)
    return true;
  std::vector<double> Ends;
  if (!json::fromJSON(*Value, Ends, P.field("speedup_ci95")))
    return false;
  if (Ends.size() != 2) {
    P.field("speedup_ci95").report("expected two numbers");
    return false;
  }
  I = Interval{Ends[0], Ends[1]};
  return true;
}

bool readBaseline(const json::Value &Value, BaselineTiming &B, json::Path P) {
  json::ObjectMapper Map(Value, P);
  const json::Object *Object = Value.getAsObject();
  return Map && Map.map("name", B.Name) && readState(*Object, B.State, P) &&
         recordjson::read(*Object, "reason", B.Why, P) &&
         recordjson::read(*Object, "time_us", B.TimeUs, P) &&
         recordjson::read(*Object, "speedup", B.Speedup, P) &&
         readInterval(*Object, B.SpeedupCi95, P) && Map.mapOptional("samples", B.Samples) &&
         recordjson::read(*Object, "noise", B.Noise, P) &&
         recordjson::read(*Object, "warm_us", B.WarmUs, P) &&
         recordjson::read(*Object, "host_rest_us", B.HostRestUs, P);
}

bool readTiming(const json::Value &Value, TimingRecord &T, json::Path P) {
  json::ObjectMapper Map(Value, P);
  const json::Object *Object = Value.getAsObject();
  return Map && readState(*Object, T.State, P) && recordjson::read(*Object, "reason", T.Why, P) &&
         recordjson::read(*Object, "candidate_us", T.CandidateUs, P) &&
         recordjson::read(*Object, "host_us", T.HostUs, P) &&
         recordjson::read(*Object, "host_rest_us", T.HostRestUs, P) &&
         Map.map("samples", T.Samples) && recordjson::read(*Object, "noise", T.Noise, P) &&
         recordjson::read(*Object, "stopped_by", T.StoppedBy, P) &&
         recordjson::read(*Object, "warm_us", T.WarmUs, P) && Map.mapOptional("clocks", T.Clocks) &&
         recordjson::readList(*Object, "baselines", T.Baselines, P, readBaseline);
}

} // namespace

TimingRecord cupel::summarizeTiming(llvm::ArrayRef<TimingSeries> Series,
                                    const std::optional<Reason> &NotMeasured) {
  TimingRecord Record;
  const TimingSeries *Candidate =
      llvm::find_if(Series, [](const TimingSeries &S) { return S.Name == "candidate"; });
  if (Candidate == Series.end())
    Candidate = nullptr;
  if (!NotMeasured && Candidate && isMeasured(*Candidate)) {
    Record.State = MeasuredState::Measured;
    Record.CandidateUs = median(Candidate->SamplesUs);
    Record.HostUs = medianOf(Candidate->HostUs);
    Record.HostRestUs = restQuantile(*Candidate, 0.05);
    Record.WarmUs = medianOf(Candidate->WarmUs);
    Record.Samples = static_cast<unsigned>(Candidate->SamplesUs.size());
    Record.Noise = relativeNoise(Candidate->SamplesUs);
    Record.StoppedBy = Candidate->StoppedBy;
  } else if (NotMeasured) {
    Record.Why = NotMeasured;
  } else {
    Record.Why = whyNot(Candidate ? *Candidate : TimingSeries());
  }
  for (const TimingSeries &One : Series)
    if (&One != Candidate)
      Record.Baselines.push_back(
          summarizeBaseline(One, Record.State == MeasuredState::Measured ? Candidate : nullptr));
  return Record;
}

json::Value cupel::toJson(const TimingRecord &T) {
  json::Array Baselines;
  for (const BaselineTiming &B : T.Baselines)
    Baselines.push_back(baselineToJson(B));
  return json::Object{{"state", toString(T.State)},
                      {"reason", recordjson::write(T.Why)},
                      {"candidate_us", recordjson::write(T.CandidateUs)},
                      {"host_us", recordjson::write(T.HostUs)},
                      {"host_rest_us", recordjson::write(T.HostRestUs)},
                      {"samples", static_cast<int64_t>(T.Samples)},
                      {"noise", recordjson::write(T.Noise)},
                      {"stopped_by", recordjson::writeOrNull(T.StoppedBy)},
                      {"warm_us", recordjson::write(T.WarmUs)},
                      {"clocks", T.Clocks ? toJson(*T.Clocks) : json::Value(nullptr)},
                      {"baselines", std::move(Baselines)}};
}

llvm::Expected<TimingRecord> cupel::timingRecordFromJson(const json::Value &Value) {
  return recordjson::parse<TimingRecord>(Value, "timing", readTiming);
}

json::Value cupel::toJson(const ProfileRecord &Record) {
  return json::Object{{"timing", toJson(Record.Timing)}};
}

llvm::Expected<ProfileRecord> cupel::profileRecordFromJson(const json::Value &Value) {
  const json::Object *Object = Value.getAsObject();
  const json::Value *Timing = Object ? Object->get("timing") : nullptr;
  if (!Timing)
    return makeError("record-invalid", "profile record: missing key \"timing\"");
  llvm::Expected<TimingRecord> Record = timingRecordFromJson(*Timing);
  if (!Record)
    return Record.takeError();
  return ProfileRecord{std::move(*Record)};
}
