//===- RunFiles.cpp - a fuzz target's inputs, each once, without libFuzzer --===//

#include "cupel/Support/File.h"
#include "llvm/Support/raw_ostream.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size);
extern "C" int LLVMFuzzerInitialize(int *Count, char ***Arguments);

int main(int Count, char **Arguments) {
  LLVMFuzzerInitialize(&Count, &Arguments);
  for (int I = 1; I < Count; ++I) {
    llvm::outs() << Arguments[I] << '\n';
    llvm::outs().flush();
    llvm::Expected<std::string> Text = cupel::readFile(Arguments[I]);
    if (!Text) {
      llvm::errs() << llvm::toString(Text.takeError()) << '\n';
      return 2;
    }
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>(Text->data()), Text->size());
  }
  llvm::outs() << Count - 1 << " inputs\n";
  return Count > 1 ? 0 : 2;
}
