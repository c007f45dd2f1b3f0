//===- GlobalState.cpp - work-global-state ---------------------------------===//

#include "GlobalState.h"
#include "../HostUses.h"
#include "cupel/Checks/CheckContext.h"

namespace cupel {

GlobalStateCheck::GlobalStateCheck()
    : Check("work-global-state", Level::Reject,
            "The precision or another setting of the whole process is changed") {}

void GlobalStateCheck::run(CheckContext &Context) const {
  // A handle that the submission makes is its own; torch's is the reference's as well.
  bool HasTorchHandle = false;
  forEachHostUse(Context, [&](const FunctionUse &, llvm::StringRef Name) {
    HasTorchHandle |= Name == "at::cuda::getCurrentCUDABlasHandle";
  });
  forEachHostUse(Context, [&](const FunctionUse &Use, llvm::StringRef Name) {
    const bool IsSetter = Name.starts_with("at::Context::set") || Name == "at::set_num_threads" ||
                          Name == "c10::set_default_dtype" || Name == "at::manual_seed" ||
                          Name == "torch::manual_seed" ||
                          (Name == "cublasSetMathMode" && HasTorchHandle) ||
                          Name == "c10::cuda::set_device" || Name == "cudaDeviceReset";
    if (IsSetter && Name != "c10::cuda::set_device")
      Context.report(*this, Level::Reject, Use,
                     "'" + Name + "' also changes the reference in the same process");
  });
}

} // namespace cupel
