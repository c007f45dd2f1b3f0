//===- Registration.h - what a host object tells the CUDA runtime ------------===//
#ifndef CUPEL_LIB_SPLIT_REGISTRATION_H
#define CUPEL_LIB_SPLIT_REGISTRATION_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace llvm {
class Module;
}

namespace cupel {

/// Makes the device image of \p Module and the names of its kernels and variables external symbols
/// (HostObject.h), and returns the names' list. Error: code that registers something else, such as
/// textures.
llvm::Expected<llvm::json::Array> openRegistration(llvm::Module &Module);

} // namespace cupel

#endif // CUPEL_LIB_SPLIT_REGISTRATION_H
