// Collectives of a warp: the lanes of a mask meet, and the last one computes for all.
//
// The lanes that must come are those of the mask that have not exited ("all non-exited threads
// named in mask must execute the same intrinsic with the same mask, or the result is undefined").
// An instruction exchanges values among the lanes that are at it, so that lanes in another call, of
// another branch, are as good as missing; only __syncwarp may be called from several places.
//
// Lanes that have exited are not waited for (PTX ISA 9.7.9.6: shfl.sync waits for "all non-exited
// threads corresponding to membermask"), so a full mask behind `if (i >= n) return;` has results
// that count, unless one of those lanes is read. Whether they exited before the others came, as the
// guide wants it, or after, is a matter of time: a note tells of them.

#include "Errors.h"
#include "State.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace cupel::emu {

// What a lane reads of one that is not there: nothing that any code would take for a result.
static constexpr uint64_t MissingValue = 0x7ff7dead7fb7deadULL;

static uint64_t reduce(WarpOp Op, uint64_t A, uint64_t B) {
  const auto UA = static_cast<uint32_t>(A), UB = static_cast<uint32_t>(B);
  const auto SA = static_cast<int32_t>(UA), SB = static_cast<int32_t>(UB);
  const float FA = std::bit_cast<float>(UA), FB = std::bit_cast<float>(UB);
  switch (Op) {
  case WarpOp::AddU:
    return UA + UB;
  case WarpOp::MinU:
    return std::min(UA, UB);
  case WarpOp::MaxU:
    return std::max(UA, UB);
  case WarpOp::MinS:
    return static_cast<uint32_t>(std::min(SA, SB));
  case WarpOp::MaxS:
    return static_cast<uint32_t>(std::max(SA, SB));
  case WarpOp::And:
    return UA & UB;
  case WarpOp::Or:
    return UA | UB;
  case WarpOp::Xor:
    return UA ^ UB;
  case WarpOp::AddF:
    return std::bit_cast<uint32_t>(FA + FB);
  case WarpOp::MinF:
    return std::bit_cast<uint32_t>(FA < FB || FB != FB ? FA : FB);
  case WarpOp::MaxF:
    return std::bit_cast<uint32_t>(FA > FB || FB != FB ? FA : FB);
  default:
    __builtin_unreachable();
  }
}

static void shuffle(Thread *Lanes, unsigned Group) {
  for (unsigned Rest = Group; Rest; Rest &= Rest - 1) {
    Thread &T = Lanes[__builtin_ctz(Rest)];
    const unsigned From = T.In.Source;
    if (Group >> From & 1) {
      T.Out.Value = Lanes[From].In.Value;
      continue;
    }
    T.Out.Value = MissingValue;
    const unsigned Threads = T.Owner->Of->Threads;
    reportErrorOf(T.Linear, "shuffle-missing-lane",
                  "a shuffle reads lane " + std::to_string(From) +
                      (T.warp() * WarpSize + From >= Threads
                           ? ", which a block of " + std::to_string(Threads) + " threads has not"
                       : T.Mask >> From & 1 ? ", which has exited"
                                            : ", which is not in the mask"),
                  T.Where, Severity::Note);
  }
}

static void match(Thread *Lanes, unsigned Group, bool All) {
  const uint64_t First = Lanes[__builtin_ctz(Group)].In.Value;
  for (unsigned Rest = Group; Rest; Rest &= Rest - 1) {
    Thread &T = Lanes[__builtin_ctz(Rest)];
    unsigned Equal = 0;
    for (unsigned Other = Group; Other; Other &= Other - 1)
      if (Lanes[__builtin_ctz(Other)].In.Value == (All ? First : T.In.Value))
        Equal |= Other & -Other;
    T.Out.Flag = Equal == Group;
    T.Out.Value = All && Equal != Group ? 0 : Equal;
  }
}

static void compute(WarpOp Op, Thread *Lanes, unsigned Group) {
  if (Op == WarpOp::Shuffle)
    return shuffle(Lanes, Group);
  if (Op == WarpOp::MatchAny || Op == WarpOp::MatchAll)
    return match(Lanes, Group, Op == WarpOp::MatchAll);
  uint64_t Result = 0;
  unsigned True = 0;
  if (Op <= WarpOp::Uni) {
    for (unsigned Rest = Group; Rest; Rest &= Rest - 1)
      if (Lanes[__builtin_ctz(Rest)].In.Value)
        True |= Rest & -Rest;
    Result = Op == WarpOp::Ballot ? True
             : Op == WarpOp::All  ? True == Group
             : Op == WarpOp::Any  ? True != 0
             : Op == WarpOp::Uni  ? True == 0 || True == Group
                                  : 0;
  } else {
    Result = Lanes[__builtin_ctz(Group)].In.Value;
    for (unsigned Rest = Group & (Group - 1); Rest; Rest &= Rest - 1)
      Result = reduce(Op, Result, Lanes[__builtin_ctz(Rest)].In.Value);
  }
  for (unsigned Rest = Group; Rest; Rest &= Rest - 1)
    Lanes[__builtin_ctz(Rest)].Out.Value = Result;
}

// Tells of lanes that call from another place than `T`.
static void checkPlaces(Thread *Lanes, unsigned Group, Thread &T) {
  unsigned Elsewhere = 0;
  const Thread *There = nullptr;
  for (unsigned Rest = Group; Rest; Rest &= Rest - 1)
    if (const Thread &Other = Lanes[__builtin_ctz(Rest)]; !isSameCall(Other, T)) {
      ++Elsewhere;
      There = &Other;
    }
  if (!Elsewhere)
    return;
  const PartedCalls Parted = describeParted(T, *There);
  reportErrorOf(T.Linear, "shuffle-missing-lane",
                std::to_string(Elsewhere) +
                    (Elsewhere == 1 ? " lane of the mask is" : " lanes of the mask are") +
                    " in another collective: not in " + Parted.Here + ", but in " + Parted.There,
                T.Where);
}

// Tells once a launch of lanes that the mask names and that have exited.
static void tellExited(Block &B, Thread &T) {
  const unsigned In = std::min(WarpSize, B.Of->Threads - T.warp() * WarpSize);
  const unsigned There = In == WarpSize ? ~0u : (1u << In) - 1;
  const unsigned Exited = T.Mask & There & ~B.Warps[T.warp()].Alive;
  if (Exited && !B.Of->ExitedTold.exchange(true))
    reportErrorOf(T.Linear, "shuffle-missing-lane",
                  "the mask names " + std::to_string(std::popcount(Exited)) +
                      " lanes that have exited; all others of the mask are here",
                  T.Where, Severity::Note);
}

// Lets the group of `T` go if all of its lanes are there. `T` itself is not made runnable when it
// is running.
static bool tryComplete(Block &B, Thread &T, bool Running) {
  Warp &W = B.Warps[T.warp()];
  const unsigned Needed = T.Mask & W.Alive;
  if ((W.Waiting & Needed) != Needed)
    return false;
  Thread *Lanes = &B.Threads[T.warp() * WarpSize];
  for (unsigned Rest = Needed; Rest; Rest &= Rest - 1) {
    const Thread &Other = Lanes[__builtin_ctz(Rest)];
    if (Other.Mask != T.Mask || Other.Op != T.Op)
      return false;
  }
  compute(T.Op, Lanes, Needed);
  if (T.Op != WarpOp::Sync) {
    checkPlaces(Lanes, Needed, T);
    tellExited(B, T);
  }
  B.Shared.warpBarrier(T.warp());
  W.Waiting &= ~Needed;
  Here.Progress = true;
  for (unsigned Rest = Needed; Rest; Rest &= Rest - 1)
    if (Thread &Other = Lanes[__builtin_ctz(Rest)]; !Running || &Other != &T)
      B.makeRunnable(Other);
  return true;
}

static WarpResult meet(WarpOp Op, unsigned Mask, WarpArguments Arguments, void *Frame) {
  Thread *T = Here.Current;
  if (!T || T->Owner->Of->Where.Wait == Waits::Never)
    failKernel("not-emulated", "a warp's collective in a kernel taken for one without");
  T->Frame = static_cast<void **>(Frame);
  const void *Where = T->Frame[1];
  Block &B = *T->Owner;
  const unsigned Bit = 1u << T->lane();
  if (!(Mask & Bit)) {
    reportError("shuffle-missing-lane", "the calling lane is not in the mask of its own collective",
                Where);
    abandonKernel();
  }
  if (Here.WritePending)
    B.Shared.settle();
  T->Op = Op;
  T->Mask = Mask;
  T->In = Arguments;
  T->Out = {};
  T->Where = Where;
  B.Warps[T->warp()].Waiting |= Bit;
  if (!tryComplete(B, *T, true))
    switchOut(Thread::AtWarp, Where, T->Frame);
  return T->Out;
}

WarpResult warpCollective(WarpOp Op, unsigned Mask, WarpArguments Arguments) {
  return meet(Op, Mask, Arguments, __builtin_frame_address(0));
}

void gatherWarp(const void *Own, void *All, size_t Size) {
  void *Frame = __builtin_frame_address(0);
  const WarpArguments Shown{reinterpret_cast<uintptr_t>(Own), 0};
  meet(WarpOp::Sync, ~0u, Shown, Frame);
  Thread *T = Here.Current;
  const Thread *Lanes = &T->Owner->Threads[T->warp() * WarpSize];
  for (unsigned Lane = 0; Lane < WarpSize; ++Lane)
    if (T->Owner->Warps[T->warp()].Alive >> Lane & 1)
      std::memcpy(static_cast<char *>(All) + Lane * Size,
                  reinterpret_cast<const void *>(Lanes[Lane].In.Value), Size);
  // What was shown must stay until all have seen it; so must the address, for lanes that come
  // later.
  meet(WarpOp::Sync, ~0u, Shown, Frame);
}

void warpThreadExits(Block &B, Thread &T) {
  Warp &W = B.Warps[T.warp()];
  Thread *Lanes = &B.Threads[T.warp() * WarpSize];
  for (unsigned Rest = W.Waiting; Rest; Rest &= Rest - 1) {
    const unsigned Lane = __builtin_ctz(Rest);
    if (!(W.Waiting >> Lane & 1))
      continue;
    // None runs, and what is found is told of the thread that does.
    Thread *const Running = std::exchange(Here.Current, &Lanes[Lane]);
    tryComplete(B, Lanes[Lane], false);
    Here.Current = Running;
  }
}

// Active lanes are those that meet here before any of them goes on: a lane waits until all others
// of its warp have come, have exited or wait for something else.
unsigned activeLanes() {
  const void *Where = __builtin_return_address(0);
  Thread *T = Here.Current;
  if (!T || T->Owner->Of->Where.Wait == Waits::Never)
    return 1u << laneId();
  T->Owner->Warps[T->warp()].Converging |= 1u << T->lane();
  switchOut(Thread::AtConverge, Where, FRAME);
  return T->Mask;
}

void releaseConverged(Block &B, size_t WarpIndex) {
  Warp &W = B.Warps[WarpIndex];
  if (!W.Converging)
    return;
  Thread *Lanes = &B.Threads[WarpIndex * WarpSize];
  const Thread &First = Lanes[__builtin_ctz(W.Converging)];
  unsigned Group = 0;
  for (unsigned Rest = W.Converging; Rest; Rest &= Rest - 1)
    if (isSameCall(Lanes[__builtin_ctz(Rest)], First))
      Group |= Rest & -Rest;
  W.Converging &= ~Group;
  for (unsigned Rest = Group; Rest; Rest &= Rest - 1) {
    Thread &T = Lanes[__builtin_ctz(Rest)];
    T.Mask = Group;
    B.makeRunnable(T);
  }
}

} // namespace cupel::emu
