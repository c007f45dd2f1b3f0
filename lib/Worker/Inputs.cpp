//===- Inputs.cpp - the inputs and parameters of one call -------------------===//

#include "Inputs.h"
#include "Draw.h"
#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/from_blob.h>

using namespace cupel::worker;
using c10::ScalarType;

/// A warp's widest access is 512 bytes, and torch's allocator hands out multiples of that.
static constexpr int64_t Alignment = 512;
static constexpr int64_t Guard = 4096;
static constexpr uint64_t Shifts = 16;

at::Tensor cupel::worker::asBits(const at::Tensor &Tensor) {
  ScalarType Type = ScalarType::Byte;
  switch (Tensor.element_size()) {
  case 2:
    Type = ScalarType::Short;
    break;
  case 4:
    Type = ScalarType::Int;
    break;
  case 8:
    Type = ScalarType::Long;
    break;
  }
  return Tensor.contiguous().view(-1).view(Type);
}

bool cupel::worker::sameBits(const at::Tensor &A, const at::Tensor &B) {
  return at::equal(asBits(A), asBits(B));
}

c10::IValue cupel::worker::scalarValue(const ScalarPlan &Plan) {
  switch (Plan.Type) {
  case ScalarPlan::Kind::Float:
    return Plan.Value;
  case ScalarPlan::Kind::Int:
    return Plan.Whole;
  case ScalarPlan::Kind::Bool:
    return Plan.Value != 0;
  }
  return {};
}

Inputs::Inputs(const CasePlan &Plan, uint64_t Seed, Device &Device)
    : Plan(Plan), On(&Device), Seed(Seed) {
  requireMemory(Device, Plan.bytes(), "the case '" + Plan.Name + "'");
  uint64_t Number = 0;
  for (const InputPlan &Input : this->Plan.Inputs)
    if (Input.IsScalar)
      Items.push_back({Input.Tensor.Name, scalarValue(Input.Scalar), {}, 0});
    else
      Items.push_back(makeTensor(Input.Tensor, splitmix64(Seed + Number++)));
  for (const TensorPlan &Parameter : this->Plan.Parameters)
    Items.push_back(makeTensor(Parameter, splitmix64(Seed + Number++)));
}

Inputs::Item Inputs::makeTensor(const TensorPlan &Tensor, uint64_t TensorSeed) {
  int64_t Bytes = Tensor.bytes();
  // Another stream than the values', so that the address tells nothing of them.
  auto Shift = static_cast<int64_t>(splitmix64(~TensorSeed) % Shifts) * Alignment;
  Item Result;
  Result.Name = Tensor.Name;
  // Under emulation the tensor has a block of exactly its size, with red zones around it.
  int64_t Band = On->isEmulated() ? 0 : Guard;
  Result.Offset = On->isEmulated() ? 0 : Guard + Shift;
  Result.Block = at::empty({Result.Offset + Bytes + Band},
                           c10::TensorOptions(On->torch()).dtype(ScalarType::Byte));
  Result.Block.slice(0, 0, Result.Offset).fill_(0xFF);
  Result.Block.slice(0, Result.Offset + Bytes).fill_(0xFF);
  at::Tensor Values =
      at::for_blob(static_cast<char *>(Result.Block.mutable_data_ptr()) + Result.Offset,
                   Tensor.Shape)
          .deleter([Held = Result.Block](void *) {})
          .options(c10::TensorOptions(On->torch()).dtype(Tensor.DType))
          .target_device(On->torch())
          .make_tensor();
  Values.copy_(drawTensor(Tensor, TensorSeed, On->drawsOn()));
  Result.Value = std::move(Values);
  return Result;
}

void Inputs::redraw(uint64_t NewSeed) {
  Seed = NewSeed;
  uint64_t Number = 0;
  for (const TensorPlan *Tensor : Plan.tensors())
    find(Tensor->Name)
        ->Value.toTensor()
        .copy_(drawTensor(*Tensor, splitmix64(Seed + Number++), On->drawsOn()));
}

bool Inputs::guardsIntact(const Item &Item) const {
  int64_t End = Item.Offset + static_cast<int64_t>(Item.Value.toTensor().nbytes());
  auto Intact = [](const at::Tensor &Band) { return Band.eq(0xFF).all().item<bool>(); };
  return Intact(Item.Block.slice(0, 0, Item.Offset)) && Intact(Item.Block.slice(0, End));
}

std::vector<std::string> Inputs::changed() const {
  // Drawn again one by one: cheaper than copies of everything, and no second copy that the
  // submission could find and change too.
  std::vector<std::string> Names;
  uint64_t Number = 0;
  for (const TensorPlan *Tensor : Plan.tensors()) {
    at::Tensor Before =
        drawTensor(*Tensor, splitmix64(Seed + Number++), On->drawsOn()).to(On->torch());
    const Item *Item = find(Tensor->Name);
    const at::Tensor &Now = Item->Value.toTensor();
    // unsqueeze_() and the like leave the values alone.
    bool Reshaped = !Now.is_contiguous() || Now.sizes() != Before.sizes();
    if (Reshaped || !sameBits(Before, Now) || !guardsIntact(*Item))
      Names.push_back(Tensor->Name);
  }
  return Names;
}

const Inputs::Item *Inputs::find(const std::string &Name) const {
  for (const Item &Item : Items)
    if (Item.Name == Name)
      return &Item;
  return nullptr;
}

c10::IValue Inputs::argument(const std::string &Name) const {
  if (const Item *Item = find(Name))
    return Item->Value;
  throw WorkerError("request", "bad-request",
                    "the case has no input or parameter '" + Name + "' for the entry's argument");
}

const at::Tensor *Inputs::tensor(const std::string &Name) const {
  const Item *Item = find(Name);
  return Item && Item->Value.isTensor() ? &Item->Value.toTensor() : nullptr;
}

void Inputs::replace(const std::string &Name, c10::IValue Value) {
  for (Item &Item : Items)
    if (Item.Name == Name)
      Item.Value = std::move(Value);
}

std::optional<std::string> Inputs::overlapping(const at::Tensor &Tensor) const {
  if (!Tensor.has_storage() || Tensor.storage().nbytes() == 0)
    return std::nullopt;
  auto Begin = reinterpret_cast<uintptr_t>(Tensor.storage().data());
  uintptr_t End = Begin + Tensor.storage().nbytes();
  for (const Item &Item : Items) {
    if (!Item.Block.defined())
      continue;
    auto First = reinterpret_cast<uintptr_t>(Item.Block.const_data_ptr());
    if (Begin < First + Item.Block.nbytes() && First < End)
      return Item.Name;
  }
  return std::nullopt;
}

Inputs Inputs::cast(ScalarType Type) const {
  Inputs Result(Plan, *On);
  Result.Seed = Seed;
  for (const Item &From : Items) {
    Item To{From.Name, From.Value, {}, 0};
    if (From.Value.isTensor() && isReal(From.Value.toTensor().scalar_type()))
      To.Value = From.Value.toTensor().to(Type);
    Result.Items.push_back(std::move(To));
  }
  return Result;
}

std::function<void(bool)> cupel::worker::redrawBetween(Inputs &Inputs, uint64_t Seed) {
  constexpr int64_t Cheap = int64_t(256) << 20;
  bool Each = Inputs.plan().bytes() <= Cheap;
  return [&Inputs, Seed, Each, Count = uint64_t(0)](bool Last) mutable {
    if (Last)
      Inputs.redraw(Seed);
    else if (Each || Count == 0)
      Inputs.redraw(splitmix64(~Seed + Count));
    ++Count;
  };
}
