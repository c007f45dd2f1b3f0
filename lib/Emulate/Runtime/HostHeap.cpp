#include "HostHeap.h"

#include <cstring>
#include <map>
#include <mutex>

namespace cupel::emu {

namespace {

struct Heap {
  std::mutex Lock;
  std::map<uintptr_t, size_t> Sizes; ///< By address.
};

Heap &heap() {
  static auto *H = new Heap; // Outlives all that is freed at exit.
  return *H;
}

uint64_t markOf(uintptr_t Begin) { return Begin * 0x9e3779b97f4a7c15ULL ^ 0x6375706568656170ULL; }

} // namespace

void *rememberHost(void *At, size_t Size) {
  if (!At)
    return At;
  const auto Begin = reinterpret_cast<uintptr_t>(At);
  const uint64_t Mark = markOf(Begin);
  std::memcpy(static_cast<char *>(At) + Size, &Mark, sizeof(Mark));
  Heap &H = heap();
  const std::lock_guard<std::mutex> Guard(H.Lock);
  // What lay here was freed by others.
  H.Sizes.erase(H.Sizes.lower_bound(Begin), H.Sizes.lower_bound(Begin + Size + HostMarkBytes));
  H.Sizes[Begin] = Size;
  return At;
}

void forgetHost(const void *At) {
  Heap &H = heap();
  const std::lock_guard<std::mutex> Guard(H.Lock);
  H.Sizes.erase(reinterpret_cast<uintptr_t>(At));
}

std::string describeHostOverrun(uintptr_t Address, size_t Size) {
  Heap &H = heap();
  const std::lock_guard<std::mutex> Guard(H.Lock);
  const auto Behind = H.Sizes.upper_bound(Address);
  if (Behind == H.Sizes.begin())
    return {};
  const auto [Begin, Known] = *std::prev(Behind);
  // Only from within: what begins past the end may be another's.
  if (Address - Begin >= Known || Size <= Known - (Address - Begin))
    return {};
  uint64_t Mark;
  std::memcpy(&Mark, reinterpret_cast<const void *>(Begin + Known), sizeof(Mark));
  if (Mark != markOf(Begin))
    return {};
  return "across the end of an allocation of the host of " + std::to_string(Known) + " bytes";
}

} // namespace cupel::emu
