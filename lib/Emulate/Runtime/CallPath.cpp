// Whether two threads wait in one call of the source. The whole way there counts, from the kernel
// on: Clang inlines a function or not, by its size, and neither may change what is told.

#include "Errors.h"
#include "State.h"

#include <map>
#include <mutex>
#include <unordered_map>

namespace cupel::emu {

namespace {

bool haveSameReturns(const Thread &A, const Thread &B) {
  void **FrameA = A.Frame, **FrameB = B.Frame;
  for (; FrameA && FrameB; FrameA = A.callerOf(FrameA), FrameB = B.callerOf(FrameB))
    if (FrameA[1] != FrameB[1])
      return false;
  return FrameA == FrameB;
}

CallChain chainOf(const Thread &T) {
  CallChain All;
  for (void **Frame = T.Frame; Frame; Frame = T.callerOf(Frame)) {
    const CallChain &Part = findChain(Frame[1]);
    if (Frame == T.Frame && Part.empty())
      break; // Not known where it is.
    All.insert(All.end(), Part.begin(), Part.end());
  }
  return All;
}

/// A number for each way, 0 for one that is not known.
unsigned numberOf(const Thread &T) {
  static std::mutex Lock;
  static std::unordered_map<uint64_t, unsigned> ByReturns;
  static std::map<CallChain, unsigned> ByChain{{{}, 0}};
  uint64_t Hash = 0;
  for (void **Frame = T.Frame; Frame; Frame = T.callerOf(Frame))
    Hash = (Hash ^ reinterpret_cast<uintptr_t>(Frame[1])) * 0x9e3779b97f4a7c15ULL;
  const std::lock_guard<std::mutex> Guard(Lock);
  const auto [At, New] = ByReturns.try_emplace(Hash);
  if (New)
    At->second = ByChain.try_emplace(chainOf(T), ByChain.size()).first->second;
  return At->second;
}

} // namespace

bool isSameCall(const Thread &A, const Thread &B) {
  if (haveSameReturns(A, B))
    return true;
  const unsigned NumberA = numberOf(A), NumberB = numberOf(B);
  return NumberA == NumberB || NumberA == 0 || NumberB == 0;
}

PartedCalls describeParted(const Thread &Here, const Thread &There) {
  const CallChain Own = chainOf(Here), Other = chainOf(There);
  size_t Equal = 0; // From the kernel on.
  while (Equal < Own.size() && Equal < Other.size() &&
         Own[Own.size() - 1 - Equal] == Other[Other.size() - 1 - Equal])
    ++Equal;
  const auto CalledFrom = [&](const CallChain &Chain) -> std::string {
    if (Chain.size() < Equal + 2 || !Chain[Chain.size() - 1 - Equal].Own)
      return "";
    return " (called from line " + std::to_string(Chain[Chain.size() - 1 - Equal].Line) + ")";
  };
  const SourcePlace Place = placeOfWaiting(There);
  return {"this one" + CalledFrom(Own),
          (Place.Line ? "one in line " + std::to_string(Place.Line) : "another one") +
              CalledFrom(Other)};
}

} // namespace cupel::emu
