//===- Candidate.cpp - the process that runs the submission -----------------===//

#include "Candidate.h"
#include "Entry.h"
#include "Operators.h"
#include "Poison.h"
#include "Profile.h"
#include "Receive.h"
#include "Reference.h"
#include "Timing.h"
#include <chrono>

using namespace cupel::worker;

namespace {

/// What `call`, `time` and `profile` share: the case's values and the entry's arguments.
struct Prepared {
  Prepared(const Json &Request, Device &Device)
      : Seed(parseSeed(field<std::string>(Request, "seed"))),
        Values(parseCase(field<Json>(Request, "case")), Seed, Device),
        Receive(field<Json>(Request, "receive", Json::array())) {
    for (const auto &Name : field<std::vector<std::string>>(Request, "arguments"))
      Arguments.push_back(Values.argument(Name));
    std::vector<int64_t> Sizes;
    for (const Json &Buffer : Receive)
      Sizes.push_back(field<int64_t>(Buffer, "bytes"));
    poisonFreeMemory(Device, Sizes);
  }

  uint64_t Seed;
  Inputs Values;
  Json Receive;
  std::vector<c10::IValue> Arguments;
};

class Candidate : public Role {
public:
  Candidate() {
    Commands["load"] = [this](const Json &Request) { return load(Request); };
    Commands["call"] = [this](const Json &Request) { return call(Request); };
    Commands["time"] = [this](const Json &Request) { return time(Request); };
    Commands["profile"] = [this](const Json &Request) { return profile(Request); };
  }

private:
  /// What the emulation has to say of a call that threw \p E; null when it has nothing to say.
  static Json afterError(Json Errors, const WorkerError &E) {
    if (Errors.empty())
      return nullptr;
    bool Rejects = false;
    for (Json &Error : Errors) {
      // The submission has looked at the launch's error, and its check threw it: what was refused
      // says more.
      if (Error["kind"] == "launch-refused" && !E.CudaError.empty())
        Error["rejects"] = true;
      Rejects |= Error["rejects"].get<bool>();
    }
    Json Reply = {{"emulation_errors", std::move(Errors)}};
    if (!Rejects)
      Reply["thrown"] = toJson(E);
    return Reply;
  }

  Json load(const Json &Request) {
    device();
    LibrariesBefore = loadedLibraries();
    Loaded = std::make_unique<Entry>(field<std::string>(Request, "library"),
                                     field<std::string>(Request, "entry"));
    return Json::object();
  }

  const Entry &entry() const {
    if (!Loaded)
      throw WorkerError("request", "nothing-loaded", "'load' comes first");
    return *Loaded;
  }

  Json call(const Json &Request) {
    const Entry &Function = entry();
    Json Reply;
    {
      Prepared Case(Request, device());
      device().synchronize();
      device().beginCall(Case.Seed);
      auto Start = std::chrono::steady_clock::now();
      std::vector<at::Tensor> Outputs;
      try {
        Outputs = Function.call(Case.Arguments, device());
      } catch (WorkerError &E) {
        // Checks of the submission's own throw after an error of a kernel, which says more.
        Reply = afterError(device().errors(), E);
        if (Reply.is_null())
          throw;
      }
      std::chrono::duration<double, std::micro> Time = std::chrono::steady_clock::now() - Start;
      Reply["host_us"] = Time.count();
      if (device().isEmulated()) {
        if (!Reply.contains("emulation_errors"))
          Reply["emulation_errors"] = device().errors();
        Reply["emulation_kernels"] = device().kernels();
      }
      report(Reply, Case, Outputs);
    }
    device().emptyCache();
    return Reply;
  }

  Json time(const Json &Request) {
    const Entry &Function = entry();
    TimingPlan Plan = parseTiming(Request);
    Json Reply;
    {
      Prepared Case(Request, device());
      c10::IValue Result;
      TimingSamples Samples;
      Entry::asCall(device(), [&] {
        Samples = timeCalls(device(), Plan, {redrawBetween(Case.Values, Case.Seed), [&] {
                                               Result = Function.launch(Case.Arguments);
                                             }});
      });
      Reply = toJson(Samples);
      report(Reply, Case, tensorsOf(Result).value_or(std::vector<at::Tensor>()));
    }
    device().emptyCache();
    return Reply;
  }

  Json profile(const Json &Request) {
    const Entry &Function = entry();
    auto Level = field<std::string>(Request, "level");
    if (Level != "basic" && Level != "full")
      throw WorkerError("request", "bad-request",
                        "'" + Level + "' is no level; it is 'basic' or 'full'");
    bool KernelReplay = field<std::string>(Request, "replay", "call") == "kernel";
    Prepared Case(Request, device());
    Json Reply;
    Entry::asCall(device(), [&] {
      Reply = profileCalls(device(), {Function.library(), Level, KernelReplay, LibrariesBefore},
                           [&] { Function.launch(Case.Arguments); });
    });
    return Reply;
  }

  /// `outputs` and `inputs_changed`; copies the outputs into the receive buffers.
  void report(Json &Reply, const Prepared &Case, const std::vector<at::Tensor> &Outputs) {
    Reply["outputs"] = Json::array();
    for (size_t I = 0; I < Outputs.size(); ++I) {
      const at::Tensor &Output = Outputs[I];
      bool OnDevice = Output.device().type() == device().torch().type();
      Json Record = {{"dtype", dtypeName(Output.scalar_type())},
                     {"shape", Output.sizes().vec()},
                     {"device", c10::DeviceTypeName(Output.device().type(), /*lower_case=*/true)},
                     {"contiguous", Output.is_contiguous()},
                     {"overlaps", nullptr},
                     {"copied", false}};
      if (auto Name = Case.Values.overlapping(Output))
        Record["overlaps"] = *Name;
      // Another size than expected is wrong whatever it holds; there is no room for it.
      if (OnDevice && I < Case.Receive.size() &&
          Output.nbytes() <= field<size_t>(Case.Receive[I], "bytes")) {
        sendOutput(device(), Case.Receive[I], Output);
        Record["copied"] = true;
      }
      Reply["outputs"].push_back(Record);
    }
    Reply["inputs_changed"] = Case.Values.changed();
  }

  std::unique_ptr<Entry> Loaded;
  std::vector<std::string> LibrariesBefore; ///< Files loaded before the submission's library.
};

} // namespace

std::unique_ptr<Role> cupel::worker::makeCandidate() { return std::make_unique<Candidate>(); }
