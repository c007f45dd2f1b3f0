//===- DeviceImage.h - the names in what ptxas made ---------------------------===//
#ifndef CUPEL_LIB_BUILD_DEVICEIMAGE_H
#define CUPEL_LIB_BUILD_DEVICEIMAGE_H

#include "cupel/Support/Error.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace cupel {

/// A kernel or a variable of a cubin, or one that host code registers.
struct DeviceSymbol {
  bool IsKernel = false;
  std::string Name;   ///< Mangled.
  uint64_t Bytes = 0; ///< Of a variable.
};

/// \p Mangled as people write it, which all compilers agree on.
std::string plainName(llvm::StringRef Mangled);

/// The kernels and variables that \p Cubin, an ELF file of ptxas, defines.
llvm::Expected<std::vector<DeviceSymbol>> readDeviceSymbols(llvm::StringRef Cubin);

/// For each of \p Registered its name in the image, which differs from Clang's for what has
/// internal linkage: `static`, unnamed namespaces. Error `not-split` when one has none or several,
/// or a variable another size.
llvm::Expected<std::vector<std::string>> matchDeviceSymbols(llvm::ArrayRef<DeviceSymbol> Registered,
                                                            llvm::ArrayRef<DeviceSymbol> InImage);

/// Assembler that defines what the host object leaves open: `cupel_image`, the bytes of the file
/// \p Image, and `cupel_name_<index>`.
std::string imageAssembler(llvm::StringRef Image, llvm::ArrayRef<std::string> Names);

} // namespace cupel

#endif // CUPEL_LIB_BUILD_DEVICEIMAGE_H
