// Launches: what a GPU would refuse is refused, the rest runs at once, its blocks over the cores.

#include "Device.h"
#include "Errors.h"
#include "Kernels.h"
#include "Report.h"
#include "State.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <new>
#include <numeric>
#include <thread>

namespace cupel::emu {

static std::atomic<uint64_t> TheSeed{[] {
  const char *Text = std::getenv("CUPEL_EMULATE_SEED");
  return Text ? std::strtoull(Text, nullptr, 10) : 1;
}()};

uint64_t nextRandom() { // splitmix64
  uint64_t X = TheSeed += 0x9e3779b97f4a7c15ULL;
  X = (X ^ X >> 30) * 0xbf58476d1ce4e5b9ULL;
  X = (X ^ X >> 27) * 0x94d049bb133111ebULL;
  return X ^ X >> 31;
}

// Why a GPU would not launch this; empty if it would. Limits: compute capability 9.0, programming
// guide, table of technical specifications.
static std::string refusal(const LaunchShape &S, unsigned Bound, const KernelAttributes &A,
                           Refusal &Kind) {
  const auto Text = [](const Extent &E) {
    return "(" + std::to_string(E.X) + "," + std::to_string(E.Y) + "," + std::to_string(E.Z) + ")";
  };
  Kind = Refusal::Configuration;
  const Extent &G = S.Grid, &B = S.Block;
  if (!G.X || !G.Y || !G.Z)
    return "the grid " + Text(G) + " is empty";
  if (!B.X || !B.Y || !B.Z)
    return "the block " + Text(B) + " is empty";
  if (uint64_t(B.X) * B.Y * B.Z > MaxThreads || B.X > 1024 || B.Y > 1024 || B.Z > 64)
    return "the block " + Text(B) + " is over the limit of 1,024 threads, (1024,1024,64)";
  if (G.X > 0x7fffffffu || G.Y > 65535 || G.Z > 65535)
    return "the grid " + Text(G) + " is over the limits (2147483647,65535,65535)";
  Kind = Refusal::Value;
  // Programming guide, launch bounds: "a kernel will fail to launch if it is executed with more
  // threads per block than its launch bound".
  if (Bound && B.X * B.Y * B.Z > Bound)
    return "the block " + Text(B) + " is over the kernel's __launch_bounds__ of " +
           std::to_string(Bound) + " threads";
  const size_t Limit = std::max<size_t>(48 << 10, A.MaxDynamicShared);
  if (S.SharedBytes > Limit)
    return std::to_string(S.SharedBytes) +
           " bytes of dynamic shared memory are over the limit of " + std::to_string(Limit) +
           (Limit < MaxSharedOptIn ? " (cudaFuncSetAttribute can raise it)" : "");
  if (S.Cooperative) {
    Kind = Refusal::TooManyBlocks;
    const uint64_t Fit =
        uint64_t(blocksPerMultiprocessor(B.X * B.Y * B.Z, S.SharedBytes)) * Multiprocessors;
    if (uint64_t(G.X) * G.Y * G.Z > Fit)
      return "the cooperative grid " + Text(G) + " has more blocks than fit on the device, " +
             std::to_string(Fit);
  }
  return {};
}

static unsigned hostThreads(const Launch &L) {
  // Blocks that wait for each other share one thread of the host, and few threads are not worth
  // one.
  if (L.Shape.Cooperative || L.Where.Wait == Waits::Anything || L.Blocks == 1 ||
      L.Blocks * L.Threads < 2048)
    return 1;
  static const unsigned Cores = std::max(1u, std::min(16u, std::thread::hardware_concurrency()));
  return std::min<uint64_t>(Cores, L.Blocks);
}

static Host &hostOf(unsigned I) {
  static auto *All = new std::vector<std::unique_ptr<Host>>(16);
  auto &H = (*All)[I];
  if (!H)
    H = std::make_unique<Host>();
  return *H;
}

static void runOn(unsigned I, Launch &L) {
  const View Outside = Here;
  Here = {};
  try {
    runBlocks(hostOf(I), L);
  } catch (const std::bad_alloc &) {
    reportLaunchError("not-emulated", L.Where.Kernel, L.Where.Line,
                      "the kernel's blocks need more memory than this process may have");
    L.Failed = true;
  }
  Here = Outside;
}

void runNow(const Site &Where, const KernelAttributes &A, const LaunchShape &Shape,
            const LaunchBody &Body) {
  static std::mutex OneAtATime;
  const std::lock_guard<std::mutex> Guard(OneAtATime);
  static uint64_t Launches = 0;
  Launch L;
  L.Number = ++Launches;
  L.Where = Where;
  L.Shape = Shape;
  if (Shape.Cooperative && L.Where.Wait == Waits::Never)
    L.Where.Wait = Waits::Barriers;
  L.Body = Body;
  L.Threads = Shape.Block.X * Shape.Block.Y * Shape.Block.Z;
  L.Blocks = uint64_t(Shape.Grid.X) * Shape.Grid.Y * Shape.Grid.Z;
  L.SharedLimit = std::max<size_t>(48 << 10, A.MaxDynamicShared) - Shape.SharedBytes;
  L.OrderStart = nextRandom() % L.Blocks;
  do
    L.OrderFactor = nextRandom() % L.Blocks + 1;
  while (std::gcd(L.OrderFactor, L.Blocks) != 1);

  std::vector<std::thread> Others;
  for (unsigned I = 1, Count = hostThreads(L); I < Count; ++I)
    try {
      Others.emplace_back([I, &L] { runOn(I, L); });
    } catch (const std::system_error &) {
      break; // Under a limit on threads those that there are do all.
    }
  runOn(0, L);
  for (std::thread &T : Others)
    T.join();
  if (L.Failed)
    setStickyError();
}

int launchKernel(const Site &Where, const void *Function, const LaunchShape &Shape,
                 LaunchBody Body) {
  if (Here.Current)
    failKernel("not-emulated", "a kernel launches a kernel");
  if (const int Sticky = stickyError())
    return Sticky;
  const KernelAttributes A = kernelAttributes(Function);
  Site Known = Where;
  if (!Where.Kernel) {
    const Site Registered = registeredSite(Function);
    Known.Kernel = Registered.Kernel;
    Known.Wait = Registered.Wait;
    Known.MaxThreads = Registered.MaxThreads;
  }
  Refusal Kind;
  if (const std::string Why = refusal(Shape, Known.MaxThreads, A, Kind); !Why.empty()) {
    reportLaunchError("launch-refused", Known.Kernel,
                      Known.Line ? Known.Line : lineOfPointerLaunch(), Why);
    return refuseLaunch(Kind);
  }
  const auto Run = [=] {
    recordLaunch(Known, Function, Shape);
    runNow(Known, A, Shape, Body);
  };
  if (!recordInCapture(Shape.Stream, Run))
    Run();
  return 0;
}

bool inKernel() { return Here.Current; }
unsigned threadLinear() { return Here.Current ? Here.Current->Linear : 0; }
unsigned laneId() { return threadLinear() % WarpSize; }
unsigned warpId() { return threadLinear() / WarpSize; }
unsigned dynamicSharedSize() {
  return Here.Current ? Here.Current->Owner->Shared.dynamicSize() : 0;
}
bool gridSyncAllowed() { return Here.Current && Here.Current->Owner->Of->Shape.Cooperative; }

// Nanoseconds, close to cycles of a GPU's clock; never the same twice in a thread.
uint64_t deviceClock() { return std::chrono::steady_clock::now().time_since_epoch().count(); }

} // namespace cupel::emu

extern "C" void cupelEmulateSeed(unsigned long Seed) { cupel::emu::TheSeed = Seed; }
