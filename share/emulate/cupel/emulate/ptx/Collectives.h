/// Barriers of the block, votes and reductions of the warp (PTX ISA 9.7.13), its shuffles (9.7.9),
/// and special registers (10).
#pragma once

#include "cupel/emulate/ptx/Registers.h"

namespace cupel::emu::ptx {

template <class I> CUPEL_DEVICE void bar_sync_(I Id) { namedBarrier(as<uint32_t>(Id), 0, true); }
template <class I, class N> CUPEL_DEVICE void bar_sync_(I Id, N Threads) {
  namedBarrier(as<uint32_t>(Id), as<uint32_t>(Threads), true);
}
template <class I, class N> CUPEL_DEVICE void bar_arrive_(I Id, N Threads) {
  namedBarrier(as<uint32_t>(Id), as<uint32_t>(Threads), false);
}
template <class M> CUPEL_DEVICE void bar_warp_sync_(M Mask) { ::__syncwarp(as<uint32_t>(Mask)); }
template <class... A> CUPEL_DEVICE void barrier_sync_(A... a) { bar_sync_(a...); }
template <class... A> CUPEL_DEVICE void barrier_arrive_(A... a) { bar_arrive_(a...); }
template <class T, class N> CUPEL_DEVICE void nanosleep_(N) { yieldThread(); }
CUPEL_DEVICE void trap_() { ::__trap(); }
CUPEL_DEVICE void griddepcontrol_wait_() {}
CUPEL_DEVICE void griddepcontrol_launch_dependents_() {}

CUPEL_DEVICE uint64_t fromLane(unsigned Mask, uint64_t Value, int Lane) {
  WarpArguments Arguments;
  Arguments.Value = Value;
  Arguments.Source = Lane;
  return warpCollective(WarpOp::Shuffle, Mask, Arguments).Value;
}
/// PTX ISA, shfl.sync: the lane to read from, and whether it is in the segment.
template <class D, class A, class J>
CUPEL_DEVICE bool shuffle(D &d, A a, J Choose, uint32_t c, uint32_t Mask, bool Up) {
  uint32_t Lane = laneId(), Segment = c >> 8 & 31, Clamp = c & 31;
  uint32_t Most = (Lane & Segment) | (Clamp & ~Segment), Least = Lane & Segment;
  int j = Choose(int(Lane), int(Least), int(Segment));
  bool Good = Up ? j >= int(Most) : j <= int(Most);
  put(d, uint32_t(fromLane(Mask, as<uint32_t>(a), Good ? j : int(Lane))));
  return Good;
}
#define CUPEL_PTX_SHUFFLE(NAME, LANE, UP)                                                          \
  template <class T, class D, class A, class B, class C, class M>                                  \
  CUPEL_DEVICE void shfl_##NAME##_(D &d, A a, B b, C c, M Mask) {                                  \
    shuffle(                                                                                       \
        d, a, [&](int Lane, int Least, int Segment) { return LANE; }, as<uint32_t>(c),             \
        as<uint32_t>(Mask), UP);                                                                   \
  }                                                                                                \
  template <class T, class D, class P, class A, class B, class C, class M>                         \
  CUPEL_DEVICE void shfl_##NAME##_(D &d, P &p, A a, B b, C c, M Mask) {                            \
    p = shuffle(                                                                                   \
        d, a, [&](int Lane, int Least, int Segment) { return LANE; }, as<uint32_t>(c),             \
        as<uint32_t>(Mask), UP);                                                                   \
  }
CUPEL_PTX_SHUFFLE(up, Lane - int(as<uint32_t>(b)), true)
CUPEL_PTX_SHUFFLE(down, Lane + int(as<uint32_t>(b)), false)
CUPEL_PTX_SHUFFLE(bfly, Lane ^ int(as<uint32_t>(b)), false)
CUPEL_PTX_SHUFFLE(idx, (Least | (int(as<uint32_t>(b)) & ~Segment & 31)), false)
#undef CUPEL_PTX_SHUFFLE

template <class T, class D, class P, class M> CUPEL_DEVICE void vote_ballot_(D &d, P p, M Mask) {
  put(d, uint32_t(::__ballot_sync(as<uint32_t>(Mask), p)));
}
template <class T, class D, class P, class M> CUPEL_DEVICE void vote_any_(D &d, P p, M Mask) {
  d = ::__any_sync(as<uint32_t>(Mask), p);
}
template <class T, class D, class P, class M> CUPEL_DEVICE void vote_all_(D &d, P p, M Mask) {
  d = ::__all_sync(as<uint32_t>(Mask), p);
}
template <class T, class D> CUPEL_DEVICE void activemask_(D &d) { put(d, activeLanes()); }
template <class T, class D, class A, class M> CUPEL_DEVICE void match_any_(D &d, A a, M Mask) {
  put(d, uint32_t(::__match_any_sync(as<uint32_t>(Mask), as<T>(a))));
}
#define CUPEL_PTX_REDUX(NAME)                                                                      \
  template <class T, class D, class A, class M>                                                    \
  CUPEL_DEVICE void redux_##NAME##_(D &d, A a, M Mask) {                                           \
    put(d, ::__reduce_##NAME##_sync(as<uint32_t>(Mask), as<T>(a)));                                \
  }
CUPEL_PTX_REDUX(add)
CUPEL_PTX_REDUX(min)
CUPEL_PTX_REDUX(max)
CUPEL_PTX_REDUX(and)
CUPEL_PTX_REDUX(or)
CUPEL_PTX_REDUX(xor)
#undef CUPEL_PTX_REDUX

CUPEL_DEVICE uint32_t special_laneid() { return laneId(); }
CUPEL_DEVICE uint32_t special_warpid() { return warpId(); }
CUPEL_DEVICE uint32_t special_nwarpid() { return (blockDim.x * blockDim.y * blockDim.z + 31) / 32; }
CUPEL_DEVICE uint32_t special_smid() { return blockIdx.x % 132; }
CUPEL_DEVICE uint32_t special_nsmid() { return 132; }
CUPEL_DEVICE uint32_t special_gridid() { return 1; }
CUPEL_DEVICE uint32_t special_clock() { return static_cast<uint32_t>(deviceClock()); }
CUPEL_DEVICE uint32_t special_clock_hi() { return static_cast<uint32_t>(deviceClock() >> 32); }
CUPEL_DEVICE uint64_t special_clock64() { return deviceClock(); }
CUPEL_DEVICE uint64_t special_globaltimer() { return deviceClock(); }
CUPEL_DEVICE uint32_t special_dynamic_smem_size() { return dynamicSharedSize(); }
#define CUPEL_PTX_INDEX(NAME, VARIABLE)                                                            \
  CUPEL_DEVICE uint32_t special_##NAME##_x() { return VARIABLE.x; }                                \
  CUPEL_DEVICE uint32_t special_##NAME##_y() { return VARIABLE.y; }                                \
  CUPEL_DEVICE uint32_t special_##NAME##_z() { return VARIABLE.z; }
CUPEL_PTX_INDEX(tid, threadIdx)
CUPEL_PTX_INDEX(ntid, blockDim)
CUPEL_PTX_INDEX(ctaid, blockIdx)
CUPEL_PTX_INDEX(nctaid, gridDim)
#undef CUPEL_PTX_INDEX
CUPEL_DEVICE uint32_t special_lanemask_eq() { return 1u << laneId(); }
CUPEL_DEVICE uint32_t special_lanemask_lt() { return (1u << laneId()) - 1; }
CUPEL_DEVICE uint32_t special_lanemask_le() {
  return special_lanemask_lt() | special_lanemask_eq();
}
CUPEL_DEVICE uint32_t special_lanemask_ge() { return ~special_lanemask_lt(); }
CUPEL_DEVICE uint32_t special_lanemask_gt() { return ~special_lanemask_le(); }

} // namespace cupel::emu::ptx
