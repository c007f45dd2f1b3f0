//===- Occupancy.h - occupancy of kernels that were only emulated -----------===//
#ifndef CUPEL_WORKER_EMULATION_OCCUPANCY_H
#define CUPEL_WORKER_EMULATION_OCCUPANCY_H

#include "Protocol.h"

namespace cupel::worker {

/// The command `occupancy` of docs/protocol.md: for each kernel the warps that fit on an SM of the
/// device that is emulated (an H100) as a part of the most it can hold, or null; by the calculator
/// of CUDA's toolkit.
Json occupancies(const Json &Request);

} // namespace cupel::worker

#endif // CUPEL_WORKER_EMULATION_OCCUPANCY_H
