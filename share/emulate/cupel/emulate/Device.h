/// All that device code has without an include of its own, and launches.
#pragma once

#include "cupel/emulate/Words.h"

#include "cupel/emulate/Atomics.h"
#include "cupel/emulate/Intrinsics.h"
#include "cupel/emulate/Launch.h"
#include "cupel/emulate/Loads.h"
#include "cupel/emulate/Math.h"
#include "cupel/emulate/Shared.h"
#include "cupel/emulate/Simd.h"
#include "cupel/emulate/Templates.h"
#include "cupel/emulate/Thread.h"
#include "cupel/emulate/Warp.h"
