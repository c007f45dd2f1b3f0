//===- Occupancy.h - how many warps an SM can hold --------------------------===//
#ifndef CUPEL_WORKER_CUPTI_OCCUPANCY_H
#define CUPEL_WORKER_CUPTI_OCCUPANCY_H

#include "Activity.h"
#include <optional>
#include <string>
#include <vector>

struct cudaDeviceProp;

namespace cupel::worker {

struct Occupancy {
  double Share = 0; ///< Of the warps that an SM can hold, 0 to 1.
  /// What keeps it from holding more: `warps`, `registers`, `shared_memory`, `blocks`, `barriers`;
  /// several when they stop at the same number of blocks.
  std::vector<std::string> Limits;
};

/// Warps that fit on an SM at once by registers, shared memory, blocks and threads, as a part of
/// the most it can hold; by the occupancy calculator of CUDA's toolkit. Nothing for a
/// device that the calculator does not know.
std::optional<Occupancy> theoreticalOccupancy(const Activity &Kernel,
                                              const cudaDeviceProp &Properties);

} // namespace cupel::worker

#endif // CUPEL_WORKER_CUPTI_OCCUPANCY_H
