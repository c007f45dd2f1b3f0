//===- cupel.cpp - the command line tool ------------------------------------===//
//
// The reading path starts here and goes on in lib/Driver/Evaluate.cpp.
//
//===----------------------------------------------------------------------===//

#include "cupel/Driver/Commands.h"
#include "llvm/Support/InitLLVM.h"

int main(int Argc, char **Argv) {
  llvm::InitLLVM Init(Argc, Argv);
  return cupel::runCupel(llvm::ArrayRef<const char *>(Argv + 1, Argc == 0 ? 0 : Argc - 1));
}
