//===- ExchangeMemory.h - memory that outputs cross in ----------------------===//
#ifndef CUPEL_LIB_RUNNER_EXCHANGEMEMORY_H
#define CUPEL_LIB_RUNNER_EXCHANGEMEMORY_H

#include "cupel/Support/Error.h"
#include "cupel/Support/Process.h"
#include <memory>

namespace cupel {

/// Memory of no name that judge and candidate get as a descriptor: nothing of it is left when all
/// are gone, however they end, and it needs no file system that both see. The judge makes it as
/// large as it has to be; nobody can make it smaller, which would crash whoever reads it.
class ExchangeMemory {
public:
  /// Number of the descriptor in both processes.
  static constexpr int InChild = 5;

  /// Error: `process-start`.
  static llvm::Expected<std::shared_ptr<ExchangeMemory>> create();
  ~ExchangeMemory();
  ExchangeMemory(const ExchangeMemory &) = delete;

  /// Adds descriptor and argument to how a worker is started.
  void passTo(ProcessOptions &Process) const;

private:
  explicit ExchangeMemory(int Fd) : Fd(Fd) {}
  int Fd;
};

} // namespace cupel

#endif // CUPEL_LIB_RUNNER_EXCHANGEMEMORY_H
