// Fibers of the threads of a block, and the order in which they run.

#include "Errors.h"
#include "H100.h"
#include "State.h"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>

__thread unsigned cupelEmulatedIndex[12];

namespace cupel::emu {

using namespace boost::context::detail;

thread_local constinit View Here;
std::atomic<uint64_t> AccessCount, ThreadCount;

// Accesses after which a thread that may spin lets the others run. Then some more are looked at: a
// thread that waits for memory reads the same few addresses all the time.
static constexpr int64_t SpinBudget = 200, Samples = 32, NoBudget = int64_t(1) << 60;
// So many turns of each thread that can run, at least, in which all do that and nothing changes,
// are taken for a deadlock.
static constexpr uint64_t IdleTurns = 100, LeastIdle = 2000;
// Where blocks have not begun, so few turns are enough to begin more of them.
static constexpr uint64_t IdleTurnsBeforeMore = 4, FirstBlocks = 64;

static void setIndex(unsigned At, Extent E) {
  cupelEmulatedIndex[At] = E.X;
  cupelEmulatedIndex[At + 1] = E.Y;
  cupelEmulatedIndex[At + 2] = E.Z;
}

// Top of a fiber's stack. Equal distances of all tops would let them share few sets of the caches.
static char *stackTop(Block &B, unsigned I) {
  return B.Stacks + (I + 1) * StackSize - (I % 61) * 192 - 64;
}

static void threadMain(transfer_t From) {
  auto *T = static_cast<Thread *>(From.data);
  T->Owner->Runner->Scheduler = From.fctx;
  T->Base = FRAME;
  for (;;) {
    const LaunchBody &Body = T->Owner->Of->Body;
    Body.Run(Body.Arguments.get());
    finishCopies(*T);
    switchOut(Thread::Done, nullptr, nullptr);
  }
}

// All threads of a block that never waits, one after another.
static void loopMain(transfer_t From) {
  auto *T = static_cast<Thread *>(From.data);
  T->Owner->Runner->Scheduler = From.fctx;
  T->Base = FRAME;
  for (;;) {
    const Launch &L = *T->Owner->Of;
    const Extent Size = L.Shape.Block;
    T->Linear = 0;
    for (T->Index.Z = 0; T->Index.Z < Size.Z; ++T->Index.Z)
      for (T->Index.Y = 0; T->Index.Y < Size.Y; ++T->Index.Y)
        for (T->Index.X = 0; T->Index.X < Size.X; ++T->Index.X, ++T->Linear) {
          setIndex(0, T->Index);
          L.Body.Run(L.Body.Arguments.get());
        }
    finishCopies(*T);
    switchOut(Thread::Done, nullptr, nullptr);
  }
}

static void resume(Host &H, Thread &T) {
  Block &B = *T.Owner;
  setIndex(0, T.Index);
  if (H.Resident.size() > 1)
    setIndex(3, B.Index);
  const int64_t Budget = H.Of->Where.Wait == Waits::Anything ? SpinBudget : NoBudget;
  // One fiber runs all threads of a block that never waits, so its number is no thread's.
  const size_t Stack = &T - B.Threads.data();
  Here = {&T, reinterpret_cast<uintptr_t>(B.Stacks + Stack * StackSize),
          reinterpret_cast<uintptr_t>(B.Shared.base()), Budget};
  const transfer_t Back = jump_fcontext(T.Context, &T);
  T.Context = Back.fctx;
  const uint64_t Used = Budget - Here.Budget;
  AccessCount.fetch_add(Used, std::memory_order_relaxed);
  H.Idle = Here.Progress ? 0 : H.Idle + 1;
  Here.Current = nullptr;
}

void switchOut(Thread::State Next, const void *Where, void **Frame) {
  Thread &T = *Here.Current;
  Block &B = *T.Owner;
  if (Here.WritePending)
    B.Shared.settle();
  T.Now = Next;
  T.Where = Where;
  T.Frame = Frame;
  if (B.Of->Where.Wait == Waits::Never)
    B.Warps[0].Runnable = 0;
  else if (Next == Thread::Runnable)
    B.Warps[T.warp()].Yielded |= 1u << T.lane();
  else
    B.Warps[T.warp()].Runnable &= ~(1u << T.lane());
  Host &H = *B.Runner;
  const transfer_t Back = jump_fcontext(H.Scheduler, nullptr);
  T.Owner->Runner->Scheduler = Back.fctx;
}

void abandonKernel() {
  Here.Current->Owner->Of->Failed = true;
  Here.WritePending = false;
  switchOut(Thread::Done, nullptr, nullptr);
  __builtin_unreachable();
}

void budgetOver(uintptr_t Address, const void *Return) {
  View &V = Here;
  const unsigned Known = std::min<unsigned>(V.SampledCount, std::size(V.Sampled));
  if (std::find(V.Sampled, V.Sampled + Known, Address) == V.Sampled + Known) {
    if (Known < std::size(V.Sampled)) {
      V.Sampled[Known] = Address;
      ++V.SampledCount;
    } else {
      V.Progress = true; // It walks through memory.
    }
  }
  if (V.Budget < -Samples) {
    const uintptr_t Observed = V.Observed;
    switchOut(Thread::Runnable, Return, FRAME);
    Here.Observed = Observed;
  }
}

void yieldThread() {
  if (!Here.Current || Here.Current->Owner->Of->Where.Wait == Waits::Never)
    return;
  switchOut(Thread::Runnable, __builtin_return_address(0), FRAME);
}

void Block::makeRunnable(Thread &T) {
  T.Now = Thread::Runnable;
  Warps[T.warp()].Runnable |= 1u << T.lane();
}

Block::~Block() {
  if (Stacks)
    munmap(Stacks, StackCount * StackSize);
}

static void makeStacks(Block &B, unsigned Count) {
  if (B.StackCount >= Count)
    return;
  if (B.Stacks)
    munmap(B.Stacks, B.StackCount * StackSize);
  void *At = mmap(nullptr, Count * StackSize, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (At == MAP_FAILED)
    throw std::bad_alloc();
  B.Stacks = static_cast<char *>(At);
  B.StackCount = Count;
  // A page below each stack, so that one that overflows is seen. Many resident blocks would need
  // more mappings than Linux allows a process (65,530).
  if (B.Runner->Pool.size() <= 8)
    for (unsigned I = 0; I < Count; ++I)
      mprotect(B.Stacks + I * StackSize, 4096, PROT_NONE);
  for (Thread &T : B.Threads)
    T.Context = nullptr;
}

void Block::discardFibers() {
  for (Thread &T : Threads) {
    T.Context = nullptr;
    T.Now = Thread::Done;
    dropCopies(T);
  }
}

void Block::start(Host &H, Launch &L, uint64_t Number) {
  const bool New = LaunchNumber != L.Number;
  Runner = &H;
  Of = &L;
  LaunchNumber = L.Number;
  const Extent &G = L.Shape.Grid;
  Index = {static_cast<unsigned>(Number % G.X), static_cast<unsigned>(Number / G.X % G.Y),
           static_cast<unsigned>(Number / G.X / G.Y)};
  const bool Loop = L.Where.Wait == Waits::Never;
  const unsigned Fibers = Loop ? 1 : L.Threads;
  if (New) {
    // A fiber keeps its main function, so those of the other kind are not used again.
    discardFibers();
    if (Threads.size() < Fibers)
      Threads.resize(Fibers);
    makeStacks(*this, Fibers);
    Warps.assign((L.Threads + WarpSize - 1) / WarpSize, {});
  }
  Extent At{0, 0, 0};
  for (unsigned I = 0; I < Fibers; ++I) {
    Thread &T = Threads[I];
    if (!T.Context)
      T.Context =
          make_fcontext(stackTop(*this, I), StackSize - 16384, Loop ? loopMain : threadMain);
    T.Owner = this;
    T.Linear = I;
    T.ArrivedAt = 0;
    T.Index = At;
    T.Now = Thread::Runnable;
    if (++At.X == L.Shape.Block.X) {
      At.X = 0;
      if (++At.Y == L.Shape.Block.Y)
        At.Y = 0, ++At.Z;
    }
  }
  for (size_t I = 0; I < Warps.size(); ++I) {
    const unsigned In = std::min<unsigned>(WarpSize, L.Threads - I * WarpSize);
    const unsigned All = In == WarpSize ? ~0u : (1u << In) - 1;
    Warps[I] = {All, Loop ? (I == 0 ? 1u : 0u) : All, 0, 0};
  }
  Alive = Fibers;
  Arrived = PredicateCount = AtGrid = EventWaiters = 0;
  std::fill(std::begin(Named), std::end(Named), NamedBarrier{});
  H.ResidentAlive += Alive;
  setIndex(3, Index);
  Shared.startBlock(L.Shape.SharedBytes, L.Number);
  ThreadCount.fetch_add(L.Threads, std::memory_order_relaxed);
}

void threadExits(Thread &T) {
  Block &B = *T.Owner;
  --B.Alive;
  --B.Runner->ResidentAlive;
  if (B.Of->Where.Wait == Waits::Never)
    return;
  B.Warps[T.warp()].Alive &= ~(1u << T.lane());
  warpThreadExits(B, T);
  barrierThreadExits(B);
  namedThreadExits(B, T);
  releaseGrid(*B.Runner);
  askWaiters(B);
}

// Lets each thread that can run do so once; returns how many there were.
static uint64_t runPass(Host &H, Block &B) {
  uint64_t Ran = 0;
  for (size_t I = 0; I < B.Warps.size(); ++I) {
    // Until the warp waits for another: its collectives follow each other closely.
    while (const unsigned Ready = B.Warps[I].Runnable & ~B.Warps[I].Yielded) {
      for (unsigned Rest = Ready; Rest; Rest &= Rest - 1) {
        Thread &T = B.Threads[I * WarpSize + __builtin_ctz(Rest)];
        resume(H, T);
        ++Ran;
        if (H.Of->Failed)
          return Ran;
        if (T.Now == Thread::Done) {
          H.Idle = 0;
          threadExits(T);
        }
      }
      if (!(B.Warps[I].Runnable & ~B.Warps[I].Yielded))
        releaseConverged(B, I);
    }
  }
  for (Warp &W : B.Warps)
    W.Yielded = 0;
  return Ran;
}

// No thread of the resident blocks can ever go on.
static void reportStuck(Host &H) {
  for (Block *B : H.Resident) {
    if (!B->Alive)
      continue;
    std::string Text;
    Thread *Shown = nullptr;
    const struct {
      Thread::State State;
      const char *What;
    } Kinds[] = {{Thread::Runnable, "for memory that none of them will ever change"},
                 {Thread::AtWarp, "in a warp's shuffle, vote or barrier"},
                 {Thread::AtBarrier, "in __syncthreads"},
                 {Thread::AtNamed, "in a named barrier"},
                 {Thread::AtEvent, "for an asynchronous barrier"},
                 {Thread::AtGrid, "for the grid"}};
    for (const auto &Kind : Kinds) {
      const auto End = B->Threads.begin() + H.Of->Threads;
      const auto Waits = [&](const Thread &T) { return T.Now == Kind.State; };
      const auto First = std::find_if(B->Threads.begin(), End, Waits);
      if (First == End)
        continue;
      if (!Shown)
        Shown = &*First;
      const auto Count = std::count_if(First, End, Waits);
      const SourcePlace Place = placeOfWaiting(*First);
      Text += (Text.empty() ? "" : "; ") + std::to_string(Count) +
              (Count == 1 ? " thread waits " : " threads wait ") + Kind.What +
              (Place.Line ? " (line " + std::to_string(Place.Line) + ")" : "");
    }
    Here.Current = Shown;
    reportErrorOf(Shown->Linear, Shown->Now == Thread::AtWarp ? "shuffle-missing-lane" : "deadlock",
                  "no thread can go on: " + Text, Shown->Where);
    Here.Current = nullptr;
    return;
  }
}

static Block &takeBlock(Host &H, size_t I) {
  while (H.Pool.size() <= I)
    H.Pool.push_back(std::make_unique<Block>());
  return *H.Pool[I];
}

// As many blocks as an H100 holds at once, registers left aside: what waits for others in its
// grid may count on them.
static uint64_t blocksAtOnce(const Launch &L) {
  const uint64_t ByThreads =
      ThreadsPerMultiprocessor / ((L.Threads + WarpSize - 1) / WarpSize * WarpSize);
  const uint64_t ByShared = SharedPerMultiprocessor / (L.Shape.SharedBytes + ReservedShared);
  return Multiprocessors *
         std::max<uint64_t>(1, std::min({ByThreads, ByShared, uint64_t(BlocksPerMultiprocessor)}));
}

void runBlocks(Host &H, Launch &L) {
  H.Of = &L;
  H.Resident.clear();
  H.ResidentAlive = H.GridArrived = H.Idle = 0;
  setIndex(6, L.Shape.Block);
  setIndex(9, L.Shape.Grid);
  // Where threads may wait for other blocks many are alive at once, for a grid's barrier all.
  const bool MayWait = L.Where.Wait == Waits::Anything;
  uint64_t Together = 0;
  std::vector<Block *> Free;
  const auto RunTogether = [&](uint64_t Count) {
    for (; Together < Count; ++Together)
      Free.push_back(&takeBlock(H, Together));
  };
  RunTogether(L.Shape.Cooperative ? L.Blocks : MayWait ? std::min(L.Blocks, FirstBlocks) : 1);
  for (;;) {
    while (!Free.empty()) {
      const uint64_t I = L.NextBlock.fetch_add(1, std::memory_order_relaxed);
      if (I >= L.Blocks)
        break;
      H.Resident.push_back(Free.back());
      Free.pop_back();
      H.Resident.back()->start(H, L, L.inOrder(I));
    }
    if (H.Resident.empty())
      break;
    uint64_t Ran = 0;
    for (Block *B : H.Resident) {
      Ran += runPass(H, *B);
      if (L.Failed)
        break;
    }
    const auto IdleFor = [&](uint64_t Turns) {
      return MayWait && H.Idle > std::max(LeastIdle, Turns * Ran);
    };
    if (!L.Failed && Ran && IdleFor(IdleTurnsBeforeMore) && Together < blocksAtOnce(L) &&
        L.NextBlock.load(std::memory_order_relaxed) < L.Blocks) {
      RunTogether(std::min(2 * Together, blocksAtOnce(L)));
      H.Idle = 0;
      continue;
    }
    if (!L.Failed && (!Ran || IdleFor(IdleTurns))) {
      reportStuck(H);
      L.Failed = true;
    }
    if (L.Failed) {
      for (Block *B : H.Resident)
        B->discardFibers();
      return;
    }
    std::erase_if(H.Resident, [&](Block *B) {
      if (B->Alive == 0)
        Free.push_back(B);
      return B->Alive == 0;
    });
  }
}

} // namespace cupel::emu
