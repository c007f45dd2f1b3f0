//===- ExchangeMemory.cpp - memory that outputs cross in --------------------===//

#include "ExchangeMemory.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace cupel;

llvm::Expected<std::shared_ptr<ExchangeMemory>> ExchangeMemory::create() {
  int Fd = ::memfd_create("cupel-outputs", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (Fd < 0 || ::fcntl(Fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL) != 0)
    return makeError("process-start",
                     llvm::Twine("no memory for outputs can be made: ") + std::strerror(errno));
  return std::shared_ptr<ExchangeMemory>(new ExchangeMemory(Fd));
}

ExchangeMemory::~ExchangeMemory() { ::close(Fd); }

void ExchangeMemory::passTo(ProcessOptions &Process) const {
  Process.Descriptors.push_back({Fd, InChild});
  Process.Arguments.insert(Process.Arguments.end(), {"--memory-fd", std::to_string(InChild)});
}
