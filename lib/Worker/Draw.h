//===- Draw.h - the values of one tensor, from its `init` and a seed --------===//
#ifndef CUPEL_WORKER_DRAW_H
#define CUPEL_WORKER_DRAW_H

#include "Case.h"
#include <ATen/core/Tensor.h>

namespace cupel::worker {

/// One step of Vigna's splitmix64 generator (https://prng.di.unimi.it/splitmix64.c) from the state
/// \p State.
uint64_t splitmix64(uint64_t State);

/// A new tensor on \p Device with the values that docs/problem-format.md says `init` has. The same
/// arguments give the same bits in any process on the same device. Throws `bad-request` for a kind,
/// an argument or a transform that there is not.
at::Tensor drawTensor(const TensorPlan &Plan, uint64_t Seed, c10::Device Device);

} // namespace cupel::worker

#endif // CUPEL_WORKER_DRAW_H
