//===- ReferenceMemory.cpp - how much memory a reference needs --------------===//

#include "ReferenceMemory.h"
#include "MetaShapes.h"
#include <ATen/ops/empty.h>
#include <c10/core/Allocator.h>
#include <map>

using namespace cupel::worker;

namespace {

/// Gives out no memory, and counts it.
class CountingAllocator final : public c10::Allocator {
public:
  c10::DataPtr allocate(size_t Bytes) override {
    // As CUDA's caching allocator rounds.
    constexpr size_t Unit = 512;
    auto *Size = new size_t((Bytes + Unit - 1) / Unit * Unit);
    Live += *Size;
    Peak = std::max(Peak, Live);
    return {nullptr, Size, release, c10::Device(c10::DeviceType::Meta)};
  }
  c10::DeleterFnPtr raw_deleter() const override { return release; }
  void copy_data(void *, const void *, size_t) const override {}

  static inline size_t Live = 0, Peak = 0;

private:
  static void release(void *Context) {
    auto *Size = static_cast<size_t *>(Context);
    Live -= *Size;
    delete Size;
  }
};

/// From here on all of the process's meta tensors are counted; nothing else in it makes any.
void countMetaTensors() {
  static CountingAllocator Counting;
  c10::SetAllocator(c10::DeviceType::Meta, &Counting, /*priority=*/1);
  registerMetaShapes();
}

std::map<std::string, c10::IValue> metaArguments(const CasePlan &Plan) {
  std::map<std::string, c10::IValue> Values;
  for (const TensorPlan *Tensor : Plan.tensors())
    Values[Tensor->Name] =
        at::empty(Tensor->Shape, c10::TensorOptions(c10::DeviceType::Meta).dtype(Tensor->DType));
  for (const InputPlan &Input : Plan.Inputs)
    if (Input.IsScalar)
      Values[Input.Tensor.Name] = scalarValue(Input.Scalar);
  return Values;
}

/// Torch's reasons are paragraphs; what they say is short.
std::string whyNot(const std::string &Text) {
  if (Text.find("_local_scalar_dense") != std::string::npos ||
      Text.find("item()") != std::string::npos)
    return "the reference looks at values, and an estimate has none";
  for (const char *Sign : {": attempted to run this operator with Meta", "' with arguments from"})
    if (size_t End = Text.find(Sign); End != std::string::npos) {
      size_t Begin = Text.rfind("aten::", End);
      if (Begin != std::string::npos)
        return "torch has no rule for the shape of what " + Text.substr(Begin, End - Begin) +
               " gives";
    }
  if (Text.find("on the same device") != std::string::npos)
    return "a tensor that the reference makes lies on the CPU, and the inputs on a GPU; say "
           "device=x.device";
  return "without values the reference does not run: " + Text.substr(0, Text.find('\n'));
}

} // namespace

Json cupel::worker::estimateMemory(const Reference &Reference, const CasePlan &Plan) {
  countMetaTensors();
  CountingAllocator::Peak = CountingAllocator::Live;
  size_t Before = CountingAllocator::Live;
  std::map<std::string, c10::IValue> Values = metaArguments(Plan);
  Json Reply = {{"peak_bytes", nullptr}, {"tensor_bytes", CountingAllocator::Live - Before}};
  try {
    std::vector<at::Tensor> Outputs =
        Reference.run(Plan, [&](const std::string &Name) { return Values.at(Name); });
    for (const at::Tensor &Output : Outputs)
      Reply["outputs"].push_back(
          {{"dtype", dtypeName(Output.scalar_type())}, {"shape", Output.sizes().vec()}});
    Reply["peak_bytes"] = CountingAllocator::Peak - Before;
  } catch (const WorkerError &E) {
    Reply["reason"] = whyNot(E.what());
  }
  return Reply;
}
