//===- Toolchain.h - where nvcc, CUDA, torch, Python and our own files are --===//
#ifndef CUPEL_SUPPORT_TOOLCHAIN_H
#define CUPEL_SUPPORT_TOOLCHAIN_H

#include "cupel/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace cupel {

/// Everything outside cupel that a phase may need. What is not found is empty, and the phase that
/// needs it says so with the command that would install it; `cupel doctor` prints the whole.
struct Toolchain {
  std::string CudaHome;      ///< Folder with include/cuda_runtime.h.
  std::string Nvcc;          ///< Path of nvcc.
  std::string CudaVersion;   ///< `13.0`.
  std::string HostCompiler;  ///< g++ or clang++ for host code and links.
  std::string Clang;         ///< clang++ 22, which compiles for the emulation.
  std::string Python;        ///< The interpreter that has torch, else any.
  std::string PythonInclude; ///< Folder with Python.h.
  std::string TorchHome;     ///< Folder of the torch package: include/, lib/.
  std::string TorchVersion;  ///< `2.11.0`, from torch/version.py or version.h.
  bool TorchCxx11Abi = true;
  std::string ClangResourceDir; ///< lib/clang/22 beside the executable, else LLVM's own.
  std::string ShareDir;         ///< share/cupel beside the executable, or the source tree.
  std::string ProblemDir;       ///< ShareDir/problems.
  std::string Worker;           ///< cupel-worker beside the executable.
  std::string EmulateLibrary;   ///< lib/libcupel-emulate.so of the worker.

  std::vector<std::string> torchIncludeDirs() const;
  /// A file or folder of cupel's own by its path in the source's share/, such as `python/x.py`:
  /// installed, the same path is in ShareDir.
  std::string ownFile(llvm::StringRef Path) const;
};

/// Looks once, cheaply (no process is started unless it must be), and caches per process.
/// Order: CUPEL_CUDA_HOME, CUPEL_TORCH_HOME, CUPEL_PYTHON, CUPEL_WORKER, CUPEL_PROBLEMS; what the
/// build recorded; PATH and usual folders; `python3 -c "import torch"` last.
const Toolchain &findToolchain();

/// Path of the running executable, and its prefix (`bin/..`).
std::string executablePath();
std::string installPrefix();

} // namespace cupel

#endif // CUPEL_SUPPORT_TOOLCHAIN_H
