//===- Occupancy.h - how many warps an SM can hold --------------------------===//
#ifndef CUPEL_WORKER_CUPTI_OCCUPANCY_H
#define CUPEL_WORKER_CUPTI_OCCUPANCY_H

#include "Activity.h"
#include <optional>

struct cudaDeviceProp;

namespace cupel::worker {

/// Warps that fit on an SM at once by registers, shared memory, blocks and threads, as a part of
/// the most it can hold, 0 to 1; by the occupancy calculator of CUDA's toolkit. Nothing for a
/// device that the calculator does not know.
std::optional<double> theoreticalOccupancy(const Activity &Kernel,
                                           const cudaDeviceProp &Properties);

} // namespace cupel::worker

#endif // CUPEL_WORKER_CUPTI_OCCUPANCY_H
