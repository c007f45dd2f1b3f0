//===- Launches.h - kernels of a submission and where they are started ------===//
#ifndef CUPEL_LIB_FRONTEND_LAUNCHES_H
#define CUPEL_LIB_FRONTEND_LAUNCHES_H

#include "cupel/Frontend/ParsedSubmission.h"

namespace cupel {

/// Fills Kernels and Launches from the host pass.
void listLaunches(ParsedSubmission &Submission);

/// Whether a function of the host holds code for the device: an extended lambda, or a local class
/// with device members.
bool holdsDeviceCode(const ParsedPass &Host);

} // namespace cupel

#endif // CUPEL_LIB_FRONTEND_LAUNCHES_H
