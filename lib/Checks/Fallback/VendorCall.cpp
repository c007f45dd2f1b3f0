//===- VendorCall.cpp - fallback-vendor-call ------------------------------===//

#include "VendorCall.h"
#include "cupel/Checks/CheckContext.h"
#include "llvm/Support/Regex.h"

namespace cupel {

VendorCallCheck::VendorCallCheck()
    : Check("fallback-vendor-call", Level::Reject,
            "Library call that computes: cuBLAS, cuDNN, thrust, cub::Device*, CUTLASS device") {}

/// Handles, descriptors, plans and sizes: they prepare a computation and are none.
static bool isPreparation(llvm::StringRef Library, llvm::StringRef Name) {
  static const llvm::Regex Preparing(
      "^(cublas|cublasLt|cublasXt|cudnn|cusparse|cusparseLt|cusolver(Dn|Sp|Rf)?|cufft|curand|nccl|"
      "cutensor)(Create|Destroy|Set|Get|Init|Logger|MatmulAlgoGet|MatmulDescSet|MatmulPreference|"
      "MatrixLayout|Plan|MakePlan|Estimate|Matmul(Desc|Pref))");
  static const llvm::Regex Sizing("([bB]ufferSize|[wW]orkspaceSize|GetSize|ErrorString|Version)");
  if (Library == "nvrtc")
    return false;
  return Preparing.match(Name) || Sizing.match(Name);
}

void VendorCallCheck::run(CheckContext &Context) const {
  const Symbols &Names = Context.symbols();
  for (const auto &Unit : Context.program().units())
    for (const auto &Use : Unit->Uses) {
      // On the GPU these are algorithms of one thread, part of the own kernel.
      if (isDeviceOnly(Unit->function()))
        continue;
      llvm::StringRef Library = Names.vendorLibrary(Use->Callee);
      if (Library.empty())
        continue;
      llvm::StringRef Name = Names.qualifiedName(Use->Callee);
      bool Prepares = isPreparation(Library, Name);
      if (Prepares && Use->How != FunctionUse::Kind::Call)
        continue;
      llvm::StringRef What = Prepares ? "prepares a call of" : "leaves the work to";
      Context
          .report(*this, Prepares ? Level::Note : Level::Reject, *Use,
                  "'" + Name + "' " + What + " the library " + Library)
          .Library = Library.str();
    }
}

} // namespace cupel
