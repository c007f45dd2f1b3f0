//===- StreamJoins.h - whether launches on side streams are waited for ------===//
#ifndef CUPEL_LIB_CHECKS_TIMING_STREAMJOINS_H
#define CUPEL_LIB_CHECKS_TIMING_STREAMJOINS_H

#include "cupel/Checks/CheckContext.h"

namespace cupel {

/// A kernel launch that nothing on any way onward in its function waits for.
struct UnjoinedLaunch {
  const clang::Expr *Launch = nullptr;
  const clang::Expr *Maker = nullptr; ///< The call that made the stream; null: cudaStreamPerThread.
};

/// The launches whose stream is known and is only used where it can be followed. A stream or event
/// that goes elsewhere may be waited for there, and nothing is said of it.
std::vector<UnjoinedLaunch> findUnjoinedLaunches(CheckContext &Context);

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_TIMING_STREAMJOINS_H
