//===- NvccFlags.cpp - what every call of nvcc is given -----------------------===//

#include "NvccFlags.h"

using namespace cupel;
using llvm::StringRef;

// torch 2.11: COMMON_NVCC_FLAGS and _write_ninja_file_to_build_library.
void cupel::addTorchFlags(std::vector<std::string> &Command, const BuildRequest &Request) {
  Command.push_back("-std=c++17");
  for (const char *Macro : HalfMacros)
    Command.push_back(std::string("-D") + Macro);
  for (const char *Flag : {"--expt-relaxed-constexpr", "-DTORCH_EXTENSION_NAME=cupel_submission",
                           "-DTORCH_API_INCLUDE_EXTENSION_H"})
    Command.push_back(Flag);
  Command.push_back(std::string("-D_GLIBCXX_USE_CXX11_ABI=") +
                    (Request.Tools.TorchCxx11Abi ? "1" : "0"));
}

// nvcc's default for device code is -O3 anyway.
void cupel::addOwnFlags(std::vector<std::string> &Command, const BuildRequest &Request) {
  for (const char *Flag : {"-O3", "--expt-extended-lambda", "-lineinfo", "-Xptxas", "-v",
                           "-Xcompiler", "-fPIC,-fvisibility=hidden"})
    Command.push_back(Flag);
  for (const std::string &Architecture : Request.Architectures) {
    StringRef Number = StringRef(Architecture).drop_front(3);
    Command.push_back(("-gencode=arch=compute_" + Number + ",code=" + Architecture).str());
  }
  if (Request.Architectures.size() > 1)
    Command.push_back("--threads=0");
  if (!Request.Tools.HostCompiler.empty())
    Command.insert(Command.end(), {"-ccbin", Request.Tools.HostCompiler});
}
