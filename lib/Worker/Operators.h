//===- Operators.h - what a call asks of torch --------------------------------===//
#ifndef CUPEL_WORKER_OPERATORS_H
#define CUPEL_WORKER_OPERATORS_H

#include "Protocol.h"
#include <functional>

namespace cupel::worker {

/// The operators of torch that are dispatched, on any thread, while \p Call runs: [{`name`:
/// `aten::relu`, `calls`}], in order of their names. Those that others call are counted too. An
/// operator that is called past the dispatcher (`at::native::relu`) is not seen; its kernel is.
Json operatorsDuring(const std::function<void()> &Call);

/// Files of the shared libraries in this process.
std::vector<std::string> loadedLibraries();

} // namespace cupel::worker

#endif // CUPEL_WORKER_OPERATORS_H
