/// CUB's collectives of blocks and warps with CUB's interface, but plain algorithms: what they keep
/// in TempStorage lies in shared memory, so that its use again without a barrier is found as a
/// race.
#pragma once

#include "cupel/emulate/cub/Adjacent.h"
#include "cupel/emulate/cub/Reduce.h"
#include "cupel/emulate/cub/Runs.h"
#include "cupel/emulate/cub/Scan.h"
#include "cupel/emulate/cub/Sort.h"
#include "cupel/emulate/cub/Transfer.h"
#include "cupel/emulate/cub/Warp.h"
