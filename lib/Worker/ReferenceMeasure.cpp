//===- ReferenceMeasure.cpp - what a reference costs at some size -----------===//

#include "ReferenceMeasure.h"
#include <ATen/ops/aminmax.h>
#include <cmath>

using namespace cupel::worker;

/// One pass and no temporaries, so that the largest outputs can be looked at too; NaN goes through
/// minimum and maximum.
static Json describeOutput(const at::Tensor &Output) {
  Json Result = {{"dtype", dtypeName(Output.scalar_type())},
                 {"shape", Output.sizes().vec()},
                 {"finite", true},
                 {"all_equal", true}};
  if (Output.numel() == 0)
    return Result;
  auto [Least, Most] = at::aminmax(Output);
  auto Low = Least.item<double>(), High = Most.item<double>();
  Result["finite"] = std::isfinite(Low) && std::isfinite(High);
  Result["all_equal"] = Low == High;
  return Result;
}

Json cupel::worker::measureReference(const Reference &Reference, const CasePlan &Plan,
                                     uint64_t Seed, const TimingPlan &Timing, Device &Device) {
  Inputs Arguments(Plan, Seed, Device);
  std::vector<at::Tensor> Outputs;
  auto Redraw = redrawBetween(Arguments, Seed);
  // Neither the outputs of the call before nor what drawing took counts for the peak.
  auto Prepare = [&](bool Last) {
    Outputs.clear();
    Redraw(Last);
    Device.resetPeakBytes();
  };
  Json Reply =
      toJson(timeCalls(Device, Timing, {Prepare, [&] { Outputs = Reference.run(Arguments); }}));
  if (std::optional<int64_t> Peak = Device.peakBytes())
    Reply["peak_bytes"] = *Peak;
  else
    Reply["peak_bytes"] = nullptr;
  Reply["outputs"] = Json::array();
  for (const at::Tensor &Output : Outputs)
    Reply["outputs"].push_back(describeOutput(Output));
  return Reply;
}
