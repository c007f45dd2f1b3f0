//===- Inputs.h - the inputs and parameters of one call ---------------------===//
//
// Each tensor lies in a block of its own between two guard bands of 0xFF bytes (NaN in every real
// dtype), at an offset that depends on the seed: addresses change from call to call, and a kernel
// that reads or writes beyond its input is seen.
//
//===----------------------------------------------------------------------===//
#ifndef CUPEL_WORKER_INPUTS_H
#define CUPEL_WORKER_INPUTS_H

#include "Case.h"
#include "Device.h"
#include <ATen/core/ivalue.h>
#include <functional>

namespace cupel::worker {

class Inputs {
public:
  /// Draws everything anew. Throws `out-of-memory`.
  Inputs(const CasePlan &Plan, uint64_t Seed, Device &Device);

  /// Overwrites the values in place with those of \p Seed.
  void redraw(uint64_t Seed);

  /// Names of the tensors whose bits, or whose guard bands, are not those that the seed gives.
  std::vector<std::string> changed() const;

  /// The argument called \p Name. Throws `bad-request` when there is none.
  c10::IValue argument(const std::string &Name) const;
  /// The tensor called \p Name, or null.
  const at::Tensor *tensor(const std::string &Name) const;
  /// Replaces the values of \p Name, a tensor or a scalar, for the tests of a reference.
  void replace(const std::string &Name, c10::IValue Value);

  /// Name of the input whose memory \p Tensor lies in or shares, or nothing.
  std::optional<std::string> overlapping(const at::Tensor &Tensor) const;

  /// The same inputs and parameters with every real tensor in \p Type.
  Inputs cast(c10::ScalarType Type) const;

  const CasePlan &plan() const { return Plan; }

private:
  struct Item {
    std::string Name;
    c10::IValue Value;
    at::Tensor Block;   ///< With the guard bands; undefined for scalars.
    int64_t Offset = 0; ///< Of the data in the block.
  };
  Inputs(const CasePlan &Plan, Device &Device) : Plan(Plan), On(&Device) {}
  Item makeTensor(const TensorPlan &Tensor, uint64_t TensorSeed);
  bool guardsIntact(const Item &Item) const;
  const Item *find(const std::string &Name) const;

  CasePlan Plan;
  Device *On;
  uint64_t Seed = 0;
  std::vector<Item> Items; ///< Inputs, then parameters.
};

/// For timed calls: new values in place before each, those of \p Seed before the last, so that a
/// result kept from an earlier call is a wrong one. Tensors that take longer to fill than most
/// kernels run get two sets of values only: one for all but the last call. \p Inputs must live on.
std::function<void(bool Last)> redrawBetween(Inputs &Inputs, uint64_t Seed);

/// The number as the reference takes it.
c10::IValue scalarValue(const ScalarPlan &Plan);

/// Whether two tensors of the same shape and dtype have the same bits.
bool sameBits(const at::Tensor &A, const at::Tensor &B);

/// \p Tensor, contiguous, seen as integers of the same width, flat.
at::Tensor asBits(const at::Tensor &Tensor);

} // namespace cupel::worker

#endif // CUPEL_WORKER_INPUTS_H
