/// Inline PTX: the rewriter (lib/Emulate/Ptx.cpp) turns each instruction into a call of a function
/// here. PTX ISA 9.0; names are those of its chapter 9, words that say nothing on a CPU left out.
#pragma once

#include "cupel/emulate/ptx/Arithmetic.h"
#include "cupel/emulate/ptx/Collectives.h"
#include "cupel/emulate/ptx/Matrices.h"
#include "cupel/emulate/ptx/Memory.h"
#include "cupel/emulate/ptx/Moves.h"
