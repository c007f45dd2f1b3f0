/// cub::BlockRunLengthDecode.
#pragma once

#include "cupel/emulate/cub/Common.h"

namespace cub {

template <class T, int X, int Runs, int N, class Offset = uint32_t, int Y = 1, int Z = 1>
class BlockRunLengthDecode {
  static constexpr int Threads = X * Y * Z, All = Threads * Runs;

public:
  struct TempStorage {
    emulated::Room<T, All> values;
    emulated::Room<Offset, All> offsets;
  };

  template <class Length, class Total>
  CUPEL_DEVICE BlockRunLengthDecode(TempStorage &s, T (&values)[Runs], Length (&lengths)[Runs],
                                    Total &total)
      : storage(s) {
    keep(values, lengths);
    Offset before[Runs], sum = 0;
    for (int run = 0; run < All; ++run) {
      if (run / Runs == emulated::rank())
        before[run % Runs] = sum;
      sum += storage.offsets[run];
    }
    total = static_cast<Total>(sum);
    __syncthreads();
    keep(values, before);
  }
  template <class Start>
  CUPEL_DEVICE BlockRunLengthDecode(TempStorage &s, T (&values)[Runs], Start (&offsets)[Runs])
      : storage(s) {
    keep(values, offsets);
  }

  /// Items from the one of number `from` on, each with its place in its run.
  template <class Relative>
  CUPEL_DEVICE void RunLengthDecode(T (&items)[N], Relative (&places)[N], Offset from = 0) {
    for (int i = 0; i < N; ++i) {
      const Offset at = from + static_cast<Offset>(emulated::rank() * N + i);
      int run = 0; // The last one that begins at or before the item.
      for (int step = All; step > 0; step /= 2)
        while (run + step < All && storage.offsets[run + step] <= at)
          run += step;
      items[i] = storage.values[run];
      places[i] = static_cast<Relative>(at - storage.offsets[run]);
    }
  }
  CUPEL_DEVICE void RunLengthDecode(T (&items)[N], Offset from = 0) {
    Offset places[N];
    RunLengthDecode(items, places, from);
  }

private:
  template <class Number> CUPEL_DEVICE void keep(T (&values)[Runs], Number (&offsets)[Runs]) {
    for (int i = 0; i < Runs; ++i) {
      storage.values[emulated::rank() * Runs + i] = values[i];
      storage.offsets[emulated::rank() * Runs + i] = static_cast<Offset>(offsets[i]);
    }
    __syncthreads();
  }
  TempStorage &storage;
};

} // namespace cub
