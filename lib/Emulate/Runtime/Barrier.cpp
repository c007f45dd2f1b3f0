// Barriers of a block and of the grid, and waits for events (mbarrier, pipelines).
//
// A barrier completes when all threads of the block that have not exited wait in it, as the
// programming guide says of compute capability 7.0 and later ("no barrier will succeed until
// reached by all non-exited threads in the block").

#include "Errors.h"
#include "State.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace cupel::emu {

static Thread &waitingThread(const char *What) {
  Thread *T = Here.Current;
  if (!T)
    failKernel("not-emulated", (std::string(What) + " outside of a kernel").c_str());
  if (T->Owner->Of->Where.Wait == Waits::Never)
    failKernel("not-emulated", (std::string(What) + " in a kernel taken for one without").c_str());
  return *T;
}

static void releaseBarrier(Block &B) {
  switch (B.VoteKind) {
  case Vote::None:
    B.VoteResult = 0;
    break;
  case Vote::Count:
    B.VoteResult = B.PredicateCount;
    break;
  case Vote::And:
    B.VoteResult = B.PredicateCount == B.Arrived;
    break;
  case Vote::Or:
    B.VoteResult = B.PredicateCount != 0;
    break;
  }
  B.Arrived = B.PredicateCount = 0;
  B.BarrierFirst = nullptr;
  B.Shared.blockBarrier();
  B.Runner->Idle = 0;
  Here.Progress = true;
  for (Warp &W : B.Warps)
    for (unsigned Rest = std::exchange(W.AtBarrier, 0); Rest; Rest &= Rest - 1)
      B.makeRunnable(B.Threads[(&W - B.Warps.data()) * WarpSize + std::countr_zero(Rest)]);
}

// Whether the thread comes to the barrier in which others wait. Warps that meet in different ones
// go on together on a GPU, since barriers count warps; the lanes of one warp do not.
static void checkMeeting(const Block &B, const Thread &T) {
  const auto Tell = [&](const char *Who, const Thread &Other, Severity S) {
    const PartedCalls Parted = describeParted(T, Other);
    reportError("barrier-divergence",
                std::string(Who) + " meet in different barriers: " + Parted.Here + " and " +
                    Parted.There,
                T.Frame[1], S);
  };
  // Any lane of the warp will do: those that wait were compared when they came, the warp's first
  // one with the block's.
  if (const unsigned Lanes = B.Warps[T.warp()].AtBarrier) {
    const Thread &Lane = B.Threads[T.warp() * WarpSize + std::countr_zero(Lanes)];
    if (!isSameCall(Lane, T))
      Tell("threads of a warp", Lane, Severity::Error);
  } else if (!isSameCall(*B.BarrierFirst, T)) {
    Tell("warps of a block", *B.BarrierFirst, Severity::Note);
  }
}

int blockBarrier(Vote Kind, int Predicate) {
  const void *Where = __builtin_return_address(0);
  Thread &T = waitingThread("a barrier");
  T.Frame = FRAME;
  Block &B = *T.Owner;
  if (Here.WritePending)
    B.Shared.settle();
  if (B.Arrived == 0) {
    B.BarrierFirst = &T;
    B.VoteKind = Kind;
  } else {
    checkMeeting(B, T);
  }
  B.PredicateCount += Predicate != 0;
  if (++B.Arrived == B.Alive) {
    releaseBarrier(B);
  } else {
    B.Warps[T.warp()].AtBarrier |= 1u << T.lane();
    switchOut(Thread::AtBarrier, Where, T.Frame);
  }
  return static_cast<int>(B.VoteResult);
}

void barrierThreadExits(Block &B) {
  if (B.Arrived && B.Arrived == B.Alive)
    releaseBarrier(B);
}

static void releaseNamed(Block &B, unsigned Id) {
  B.Named[Id] = {};
  B.Shared.blockBarrier();
  Here.Progress = true;
  for (unsigned I = 0; I < B.Of->Threads; ++I) {
    if (Id < NamedBarriers)
      B.Threads[I].ArrivedAt &= ~(1u << Id);
    if (B.Threads[I].Now == Thread::AtNamed && B.Threads[I].Named == Id)
      B.makeRunnable(B.Threads[I]);
  }
}

static void meet(Thread &T, unsigned Id, unsigned Threads, bool Wait, void **Frame) {
  Block &B = *T.Owner;
  auto &N = B.Named[Id];
  if (Here.WritePending)
    B.Shared.settle();
  if (N.Arrived && N.Threads != Threads)
    reportError("barrier-divergence", "threads name different counts for one named barrier",
                Frame[1]);
  N.Threads = Threads;
  // Hardware counts warps, in full: a warp's missing threads count as arrived.
  if (++N.Arrived >= std::min(N.Threads, B.Of->Threads)) {
    releaseNamed(B, Id);
  } else if (Wait) {
    T.Named = Id;
    switchOut(Thread::AtNamed, Frame[1], Frame);
  } else {
    T.ArrivedAt |= 1u << Id;
  }
}

void namedBarrier(unsigned Id, unsigned Threads, bool Wait) {
  Thread &T = waitingThread("a named barrier");
  if (Id >= NamedBarriers)
    failKernel("barrier-misuse", "a named barrier's number is above 15");
  if (Threads == 0)
    Threads = (T.Owner->Of->Threads + WarpSize - 1) / WarpSize * WarpSize;
  meet(T, Id, Threads, Wait, FRAME);
}

void tileBarrier(unsigned Threads) {
  Thread &T = waitingThread("a tile's barrier");
  const unsigned Tile = T.Linear / Threads, First = Tile * Threads;
  meet(T, NamedBarriers + Tile, std::min(Threads, T.Owner->Of->Threads - First), true, FRAME);
}

void namedThreadExits(Block &B, const Thread &T) {
  for (unsigned Id = 0; Id < std::size(B.Named); ++Id) {
    auto &N = B.Named[Id];
    if (Id < NamedBarriers && T.ArrivedAt >> Id & 1)
      ++N.Left;
    // Who arrived before it left is still expected, and has come.
    if (N.Arrived && N.Arrived >= std::min(N.Threads, B.Alive + N.Left) &&
        N.Threads >= B.Of->Threads)
      releaseNamed(B, Id);
  }
}

// Whether all threads that are alive have come, and some of each block: the others wait for ever
// for a block that has ended (programming guide, "Grid Synchronization").
static bool gridIsThere(const Host &H) {
  return H.GridArrived != 0 && H.GridArrived == H.ResidentAlive &&
         H.Resident.size() == H.Of->Blocks &&
         std::all_of(H.Resident.begin(), H.Resident.end(),
                     [](const Block *B) { return B->Alive != 0; });
}

void releaseGrid(Host &H) {
  if (!gridIsThere(H))
    return;
  H.GridArrived = 0;
  Here.Progress = true;
  for (Block *B : H.Resident) {
    B->Shared.blockBarrier();
    for (unsigned I = 0; I < H.Of->Threads; ++I)
      if (B->Threads[I].Now == Thread::AtGrid)
        B->makeRunnable(B->Threads[I]);
  }
}

void gridBarrier() {
  Thread &T = waitingThread("a barrier of the grid");
  Host &H = *T.Owner->Runner;
  if (!H.Of->Shape.Cooperative)
    failKernel("grid-sync", "a barrier of the grid needs a cooperative launch");
  if (Here.WritePending)
    T.Owner->Shared.settle();
  ++H.GridArrived;
  T.Now = Thread::AtGrid;
  if (gridIsThere(H)) {
    releaseGrid(H);
    return;
  }
  switchOut(Thread::AtGrid, __builtin_return_address(0), FRAME);
}

void waitUntil(const char *What, bool (*Ready)(void *), void *Argument) {
  const void *Where = __builtin_return_address(0);
  Thread &T = waitingThread(What);
  while (!Ready(Argument)) {
    T.EventName = What;
    T.Ready = Ready;
    T.ReadyArgument = Argument;
    ++T.Owner->EventWaiters;
    switchOut(Thread::AtEvent, Where, FRAME);
  }
  if (Here.WritePending)
    T.Owner->Shared.settle();
  T.Owner->Shared.blockBarrier();
}

void askWaiters(Block &B) {
  if (!B.EventWaiters)
    return;
  for (unsigned I = 0; I < B.Of->Threads; ++I) {
    Thread &T = B.Threads[I];
    if (T.Now == Thread::AtEvent && T.Ready(T.ReadyArgument)) {
      --B.EventWaiters;
      B.makeRunnable(T);
    }
  }
}

void signalBlock() {
  if (!Here.Current)
    return;
  Block &B = *Here.Current->Owner;
  if (Here.WritePending)
    B.Shared.settle();
  B.Shared.blockBarrier();
  Here.Progress = true;
  askWaiters(B);
}

} // namespace cupel::emu
