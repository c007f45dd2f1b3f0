//===- cupel.cpp - the command line tool ------------------------------------===//
//
// The reading path starts here and goes on in lib/Driver/Evaluate.cpp.
//
//===----------------------------------------------------------------------===//

#include "cupel/Driver/Commands.h"
#include "llvm/Support/InitLLVM.h"
#include <csignal>

int main(int Argc, char **Argv) {
  // A reader that is gone is an error of write, told by the exit code, and not our death.
  std::signal(SIGPIPE, SIG_IGN);
  llvm::InitLLVM Init(Argc, Argv, /*InstallPipeSignalExitHandler=*/false);
  return cupel::runCupel(llvm::ArrayRef<const char *>(Argv + 1, Argc == 0 ? 0 : Argc - 1));
}
