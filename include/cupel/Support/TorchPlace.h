//===- TorchPlace.h - why torch was not found -------------------------------===//
#ifndef CUPEL_SUPPORT_TORCHPLACE_H
#define CUPEL_SUPPORT_TORCHPLACE_H

#include <string>

namespace cupel {

/// What findToolchain says nothing of: that torch is where CUPEL_TORCH_HOME, CUPEL_PYTHON or the
/// build said it is, but this user cannot read it. A sentence for a person, empty when it is not
/// so.
std::string whyTorchIsUnreadable();

} // namespace cupel

#endif // CUPEL_SUPPORT_TORCHPLACE_H
