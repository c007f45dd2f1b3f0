//===- FallbackChecks.cpp - the checks of module fallback -----------------===//

#include "../Modules.h"
#include "AtenCall.h"
#include "Dispatcher.h"
#include "NoKernel.h"
#include "Python.h"
#include "TensorCopy.h"
#include "TensorFill.h"
#include "TensorMethod.h"
#include "TensorOperator.h"
#include "TorchModule.h"
#include "VendorCall.h"

namespace cupel {

void registerFallbackChecks(CheckRegistry &Registry) {
  Registry.add<AtenCallCheck>();
  Registry.add<DispatcherCheck>();
  Registry.add<NoKernelCheck>();
  Registry.add<PythonCheck>();
  Registry.add<TensorCopyCheck>();
  Registry.add<TensorFillCheck>();
  Registry.add<TensorMethodCheck>();
  Registry.add<TensorOperatorCheck>();
  Registry.add<TorchModuleCheck>();
  Registry.add<VendorCallCheck>();
}

} // namespace cupel
