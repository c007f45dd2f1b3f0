//===- DynamicLibrary.cpp - process-dynamic-library ------------------------===//

#include "DynamicLibrary.h"
#include "../HostUses.h"
#include "cupel/Checks/CheckContext.h"
#include "clang/AST/Expr.h"

namespace cupel {

DynamicLibraryCheck::DynamicLibraryCheck()
    : Check("process-dynamic-library", Level::Reject,
            "Library or module that is loaded at run time: dlopen, dlsym, cuModuleLoad") {}

void DynamicLibraryCheck::run(CheckContext &Context) const {
  reportNamedUses(Context, *this, Level::Reject,
                  {"dlopen", "dlmopen", "dlsym", "dlvsym", "dladdr", "dladdr1", "dl_iterate_phdr",
                   "dlinfo", "cuModuleLoad", "cuModuleLoadData", "cuModuleLoadDataEx",
                   "cuModuleLoadFatBinary", "cuLibraryLoadData", "cuLibraryLoadFromFile",
                   "cudaLibraryLoadData", "cudaLibraryLoadFromFile"},
                  "reaches code that is not in this file");
  forEachHostUse(Context, [&](const FunctionUse &Use, llvm::StringRef Name) {
    if (!Name.starts_with("cudaGetDriverEntryPoint") && Name != "cuGetProcAddress")
      return;
    // The tensor map encoders have no other door: they live in the driver library.
    std::optional<std::string> Symbol = stringArgument(Use, 0);
    if (Symbol && llvm::StringRef(*Symbol).starts_with("cuTensorMap"))
      return;
    Context.report(*this, Symbol ? Level::Warn : Level::Reject, Use,
                   "'" + Name + "' looks up a driver function" +
                       (Symbol ? " '" + *Symbol + "'" : " by a name that is not a literal"));
  });
}

} // namespace cupel
