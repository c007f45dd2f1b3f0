#include "HostNames.h"
#include "DeviceMemory.h"
#include "Errors.h"
#include "Globals.h"
#include "cupel/emulate/Runtime.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>

namespace cupel::emu {

namespace {

struct Names {
  std::mutex Lock;
  std::map<const void *, uintptr_t> ByVariable;
  std::map<uintptr_t, HostName> ByAddress;
};

Names &names() {
  static auto *N = new Names; // Code of the host runs until the end.
  return *N;
}

/// The name around `Address` and where it begins.
std::optional<std::pair<uintptr_t, HostName>> lookUp(uintptr_t Address) {
  if (!Arena::Base || !Arena::isName(Address))
    return std::nullopt;
  Names &N = names();
  const std::lock_guard<std::mutex> Guard(N.Lock);
  const auto Behind = N.ByAddress.upper_bound(Address);
  if (Behind == N.ByAddress.begin())
    return std::nullopt;
  return *std::prev(Behind);
}

} // namespace

void *hostName(const volatile void *Variable, size_t Size, bool Readable) {
  auto *const Own = const_cast<void *>(Variable);
  Names &N = names();
  const std::lock_guard<std::mutex> Guard(N.Lock);
  uintptr_t &At = N.ByVariable[Own];
  if (!At) {
    // The declaration that is named may have no size.
    Size = std::max(Size, sizeOfGlobal(reinterpret_cast<uintptr_t>(Own)));
    At = reserveName(Size);
    if (!At)
      return Own;
    if (Readable)
      std::memcpy(reinterpret_cast<void *>(At), Own, Size);
    N.ByAddress[At] = {reinterpret_cast<uintptr_t>(Own), Size, Readable};
  }
  N.ByAddress[At].Named = __builtin_return_address(0);
  return reinterpret_cast<void *>(At);
}

std::optional<HostName> findHostName(uintptr_t Address) {
  const auto Found = lookUp(Address);
  return Found ? std::optional(Found->second) : std::nullopt;
}

void reportHostName(const HostName &Name, const std::string &What, const void *Return) {
  reportError("host-memory",
              What + " of the host's own '" + nameOfGlobal(Name.Variable) + "', named" +
                  placeText(Name.Named) +
                  ", not of the device's variable: cudaGetSymbolAddress has its address, "
                  "cudaMemcpyFromSymbol its value",
              Return);
}

void *variableOf(const void *Symbol) {
  const auto At = reinterpret_cast<uintptr_t>(Symbol);
  const auto Found = lookUp(At);
  return Found ? reinterpret_cast<void *>(Found->second.Variable + (At - Found->first))
               : const_cast<void *>(Symbol);
}

} // namespace cupel::emu
