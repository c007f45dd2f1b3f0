//===- Judge.cpp - the process that knows what is right ---------------------===//

#include "Judge.h"
#include "Baseline.h"
#include "Emulation/Occupancy.h"
#include "Expectation.h"
#include "Nvml/ClockWatch.h"
#include "Peaks.h"
#include "Receive.h"
#include "ReferenceCheck.h"
#include "ReferenceMeasure.h"
#include "ReferenceMemory.h"
#include "Timing.h"

using namespace cupel::worker;

namespace {

class Judge : public Role {
public:
  Judge() {
    Commands["open_problem"] = [this](const Json &Request) { return openProblem(Request); };
    Commands["expect"] = [this](const Json &Request) { return expect(Request); };
    Commands["compare"] = [this](const Json &Request) { return compare(Request); };
    Commands["time"] = [this](const Json &Request) { return time(Request); };
    Commands["check_reference"] = [this](const Json &Request) { return check(Request); };
    Commands["estimate_memory"] = [this](const Json &Request) {
      return estimateMemory(problem(), parseCase(field<Json>(Request, "case")));
    };
    Commands["measure_reference"] = [this](const Json &Request) { return measure(Request); };
    Commands["occupancy"] = [](const Json &Request) { return occupancies(Request); };
    Commands["clocks"] = [this](const Json &Request) {
      auto Action = field<std::string>(Request, "action");
      if (Action == "start")
        return Clocks.start(device());
      if (Action == "stop")
        return Clocks.stop();
      throw WorkerError("request", "bad-request",
                        "'" + Action + "' is no action; it is 'start' or 'stop'");
    };
    Commands["peaks"] = [this](const Json &) { return measurePeaks(device()); };
    Commands["release"] = [this](const Json &) { return release(); };
  }

private:
  Json openProblem(const Json &Request) {
    device();
    auto Limits = field<Json>(Request, "tolerance", Json::object());
    auto Number = [&](const char *Name) -> std::optional<double> {
      if (!Limits.contains(Name) || Limits[Name].is_null())
        return std::nullopt;
      return field<double>(Limits, Name);
    };
    Allowed = {Number("relative"), Number("absolute")};
    Problem.reset(); // What cannot be opened must not leave the one before in its place.
    Problem = std::make_unique<Reference>(
        field<std::string>(Request, "language"), field<std::string>(Request, "source"),
        field<std::vector<std::string>>(Request, "parameters", {}));
    return {{"outputs", Problem->outputCount()}};
  }

  const Reference &problem() const {
    if (!Problem)
      throw WorkerError("request", "bad-request", "'open_problem' comes first");
    return *Problem;
  }

  Json expect(const Json &Request) {
    release();
    const Reference &Ref = problem();
    {
      Inputs Arguments(parseCase(field<Json>(Request, "case")),
                       parseSeed(field<std::string>(Request, "seed")), device());
      Right = expectationOf(Ref, Arguments, device());
    }
    Json Reply = {{"outputs", Json::array()}, {"receive", Json::array()}};
    for (const Expected &Output : Right.Outputs) {
      auto Bytes = static_cast<int64_t>(Output.Own.nbytes());
      Buffers.push_back(ReceiveBuffer::make(device(), Bytes));
      Reply["outputs"].push_back({{"dtype", dtypeName(Output.Own.scalar_type())},
                                  {"shape", Output.Own.sizes().vec()},
                                  {"bytes", Bytes},
                                  {"all_equal", Output.Constant}});
      Reply["receive"].push_back(Buffers.back()->describe());
    }
    addPrecision(Reply, Right);
    device().emptyCache(); // The candidate needs room on the same device.
    return Reply;
  }

  //===--------------------------------------------------------------------===//
  // compare
  //===--------------------------------------------------------------------===//

  static Json failure(const std::string &Code, const std::string &Text) {
    return {{"state", "failed"}, {"reasons", Json::array({reason(Code, Text)})}};
  }

  /// What is wrong with output \p I before its values are looked at, or null.
  Json describedWrongly(size_t I, const Json &Got) {
    const at::Tensor &Own = Right.Outputs[I].Own;
    auto Say = [&](const char *Code, const std::string &Is, const std::string &Wanted) {
      return failure(Code, "output " + std::to_string(I) + " is " + Is + ", expected " + Wanted);
    };
    auto Shape = field<std::vector<int64_t>>(Got, "shape");
    if (c10::IntArrayRef(Shape) != Own.sizes())
      return Say("wrong-shape", Json(Shape).dump(), Json(Own.sizes().vec()).dump());
    auto Type = field<std::string>(Got, "dtype");
    if (Type != dtypeName(Own.scalar_type()))
      return Say("wrong-dtype", Type, dtypeName(Own.scalar_type()));
    auto Where = field<std::string>(Got, "device");
    std::string Wanted = device().isCuda() ? "cuda" : "cpu";
    if (Where != Wanted)
      return Say("wrong-device", "on the device " + Where, Wanted);
    if (!field<bool>(Got, "copied", true))
      return failure("not-received", "output " + std::to_string(I) + " was not handed over");
    return nullptr;
  }

  Json compareOutput(size_t I, const Json &Got) {
    Json Reply = describedWrongly(I, Got);
    if (Reply.is_null()) {
      const Expected &Output = Right.Outputs[I];
      Reply = toJson(compareValues(
          Output, Buffers[I]->contents(Output.Own.sizes(), Output.Own.scalar_type()), Allowed));
    }
    Reply["output"] = I;
    return Reply;
  }

  /// The first output that is wrong, else the one nearest to being so.
  Json worstOutput(const Json &Got) {
    Json Worst;
    double WorstRatio = -1;
    for (size_t I = 0; I < Right.Outputs.size(); ++I) {
      Json Reply = compareOutput(I, Got[I]);
      if (Reply["state"] == "failed")
        return Reply;
      double Allowed = Reply["allowed_error"], Error = Reply["max_error"];
      double Ratio = Allowed > 0 ? Error / Allowed : 0;
      if (Ratio <= WorstRatio)
        continue;
      WorstRatio = Ratio;
      Worst = Reply;
    }
    return Worst;
  }

  Json compare(const Json &Request) {
    if (Right.Outputs.empty())
      throw WorkerError("compare", "nothing-expected", "'expect' comes first");
    auto Got = field<Json>(Request, "outputs");
    Json Reply = Got.size() != Right.Outputs.size()
                     ? failure("output-count", std::to_string(Got.size()) + " outputs, expected " +
                                                   std::to_string(Right.Outputs.size()))
                     : worstOutput(Got);
    // So that the next call cannot pass with what this one left.
    for (const auto &Buffer : Buffers)
      Buffer->poison();
    device().emptyCache();
    return Reply;
  }

  //===--------------------------------------------------------------------===//
  // The others
  //===--------------------------------------------------------------------===//

  Json time(const Json &Request) {
    std::string Kind = field<std::string>(Request, "baseline");
    constexpr std::string_view Suffix = "-tf32";
    const bool Tf32 = Kind.ends_with(Suffix);
    if (Tf32)
      Kind.resize(Kind.size() - Suffix.size());
    uint64_t Seed = parseSeed(field<std::string>(Request, "seed"));
    const Reference &Ref = problem();
    TimingSamples Samples;
    {
      Tf32Allowed Settings(Tf32);
      Inputs Arguments(parseCase(field<Json>(Request, "case")), Seed, device());
      std::unique_ptr<Baseline> Timed = makeBaseline(
          Kind, field<std::string>(Request, "package", ""), Ref, Arguments, device(), Models);
      Samples = timeCalls(device(), parseTiming(Request),
                          {redrawBetween(Arguments, Seed), [&] { Timed->call(); }});
    }
    device().emptyCache();
    return toJson(Samples);
  }

  Json check(const Json &Request) {
    release();
    return checkReference(problem(), parseCase(field<Json>(Request, "case")),
                          parseSeed(field<std::string>(Request, "seed")), Allowed, device());
  }

  Json measure(const Json &Request) {
    release();
    Json Reply = measureReference(problem(), parseCase(field<Json>(Request, "case")),
                                  parseSeed(field<std::string>(Request, "seed")),
                                  parseTiming(Request), device());
    device().emptyCache();
    return Reply;
  }

  Json release() {
    Right = {};
    Buffers.clear();
    device().emptyCache();
    return Json::object();
  }

  std::unique_ptr<Reference> Problem;
  Tolerance Allowed;
  Expectation Right;
  CompiledModels Models;
  ClockWatch Clocks;
  std::vector<std::unique_ptr<ReceiveBuffer>> Buffers; ///< One for each output of Right.
};

} // namespace

std::unique_ptr<Role> cupel::worker::makeJudge() { return std::make_unique<Judge>(); }
