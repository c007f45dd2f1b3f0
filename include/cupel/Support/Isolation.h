//===- Isolation.h - what keeps a child from the rest of the machine --------===//
//
// Layers, each of which a kernel or a container may refuse. A child is started with those that can
// be had, and which they were is told with it: nothing is left out silently. docs/isolation.md says
// what each one stops.
//
//===----------------------------------------------------------------------===//
#ifndef CUPEL_SUPPORT_ISOLATION_H
#define CUPEL_SUPPORT_ISOLATION_H

#include "cupel/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace cupel {

enum class IsolationLayer : unsigned {
  Privileges,  ///< no_new_privs, no capability, none to be got back.
  Namespace,   ///< An own user namespace, which others need where we are not root.
  Files,       ///< An own root that shows what the child needs, read-only.
  Processes,   ///< An own process namespace with its own /proc.
  Network,     ///< No interface.
  Ipc,         ///< No System V or POSIX queue, semaphore or memory of others.
  HostName,    ///< One that says nothing.
  User,        ///< Another user than ours, when we are root.
  Landlock,    ///< Files once more, and signals and sockets that leave the child's descendants.
  SystemCalls, ///< A seccomp filter.
  Memory,      ///< A control group that limits memory and processes.
};
constexpr unsigned IsolationLayerCount = 11;

/// `privileges`, `namespace`, `files`, ...
llvm::StringRef toString(IsolationLayer Layer);

/// A set of layers, a bit each.
using IsolationLayers = uint32_t;
constexpr IsolationLayers layerBit(IsolationLayer Layer) { return 1u << unsigned(Layer); }
constexpr IsolationLayers AllIsolationLayers = (1u << IsolationLayerCount) - 1;

/// Reads `full`, `none`, or a list that begins with one of them and takes layers out or in:
/// `full,-network,-ipc`, `none,+system-calls`. Error: `usage`, which names the layers.
llvm::Expected<IsolationLayers> parseIsolation(llvm::StringRef Text);

struct IsolationOptions {
  IsolationLayers Layers = AllIsolationLayers;
  /// Files and folders, absolute, that the child may read and run, beside the program and those of
  /// the system (/usr, /lib, /opt, some of /etc). What is not there is left out.
  std::vector<std::string> Readable;
  /// Folders that the child may write to.
  std::vector<std::string> Writable;
  /// A folder that the child may write to and that nobody needs afterwards: where Files holds, a
  /// file system of its own that goes away with the child.
  std::string Scratch;
  uint64_t ScratchBytes = uint64_t(1) << 30;
  /// The child needs /dev/nvidia*, and CUDA to be able to name its threads: to write to its own
  /// entries under /proc, its memory among them.
  bool Gpu = false;
};

/// What became of one layer.
struct LayerState {
  IsolationLayer Layer;
  bool Held = false;
  bool Asked = true;
  std::string Why; ///< Why not, when it was asked for.
};

/// All layers, in their order; empty for a child that was started without isolation.
using IsolationReport = std::vector<LayerState>;

/// `not available: user (the program's files cannot be read by another user), ipc (...)`; empty
/// when everything that was asked for holds.
std::string describeMissing(const IsolationReport &Report);

/// Starts a program that does nothing to see which layers this machine gives. Takes some 20 ms.
llvm::Expected<IsolationReport> probeIsolation();

} // namespace cupel

#endif // CUPEL_SUPPORT_ISOLATION_H
