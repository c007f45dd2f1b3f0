//===- CompileCommand.h - Clang's arguments for one pass --------------------===//
#ifndef CUPEL_LIB_FRONTEND_COMPILECOMMAND_H
#define CUPEL_LIB_FRONTEND_COMPILECOMMAND_H

#include "cupel/Frontend/ParsedSubmission.h"
#include "cupel/Support/Toolchain.h"
#include <string>
#include <vector>

namespace cupel {

/// Clang gives up after so many errors.
constexpr unsigned ErrorLimit = 50;

/// Which headers stand behind `#include <torch/extension.h>`.
enum class HeaderSet {
  CudaOnly, ///< Torch is not there.
  Slim,     ///< share/cupel/parse: all of ATen and stand-ins for pybind11.
  Full,     ///< Torch's own.
};
llvm::StringRef toString(HeaderSet Set);

/// What decides the meaning of the headers, and so the precompiled header.
struct PassSetup {
  PassKind Pass = PassKind::Host;
  HeaderSet Headers = HeaderSet::Full;
  std::string Architecture;
};

/// The cc1 arguments of \p Setup without input and output. Clang's driver works them out (it
/// knows where the C++ library is); the answer is kept for the process, since that takes 30 ms.
/// Fails when the CUDA headers or Clang's own are missing.
llvm::Expected<std::vector<std::string>> cc1Arguments(const Toolchain &Tools,
                                                      const PassSetup &Setup);

/// The header that is precompiled for \p Set.
std::string prefixHeader(const Toolchain &Tools, HeaderSet Set);

} // namespace cupel

#endif // CUPEL_LIB_FRONTEND_COMPILECOMMAND_H
