//===- Poison.h - memory that tells when nobody has written it --------------===//
#ifndef CUPEL_WORKER_POISON_H
#define CUPEL_WORKER_POISON_H

#include "Device.h"
#include <vector>

namespace cupel::worker {

/// Fills memory that the allocator will hand out next with 0xFF bytes, NaN in every real dtype and
/// -1 in every integer: for each of \p Sizes the blocks that the next tensors of that size get, and
/// some of common sizes for workspaces. A kernel that leaves out part of its output then does not
/// find there what an earlier call or the judge computed.
void poisonFreeMemory(Device &Device, const std::vector<int64_t> &Sizes);

} // namespace cupel::worker

#endif // CUPEL_WORKER_POISON_H
