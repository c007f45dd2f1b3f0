// What the names of variables of the device mean in code of the host. On a GPU's host they are
// variables of their own, which no kernel reaches and which never have the device's values. Here
// each is an address in a part of the arena where nothing may be touched; the runtime's functions
// that take symbols find the variable itself by it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace cupel::emu {

struct HostName {
  uintptr_t Variable = 0; ///< Its own address.
  size_t Size = 0;
  /// It is const, so that the host's has the same values. The guide lets nobody read it, but
  /// NVIDIA's compiler does.
  bool Readable = false;
  const void *Named = nullptr; ///< A return address where code of the host named it last.
};

/// The variable by whose name code of the host got `Address`.
std::optional<HostName> findHostName(uintptr_t Address);
/// Tells that the memory that is named is touched: `What` is "reads 4 bytes".
void reportHostName(const HostName &Name, const std::string &What, const void *Return);
/// The address in the variable of the device that `Symbol` names; itself where it is no name.
void *variableOf(const void *Symbol);

} // namespace cupel::emu
