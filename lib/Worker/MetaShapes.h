//===- MetaShapes.h - shapes that torch's C++ part does not know ------------===//
#ifndef CUPEL_WORKER_METASHAPES_H
#define CUPEL_WORKER_METASHAPES_H

namespace cupel::worker {

/// Registers kernels of the meta device for operators whose rules torch has in Python only:
/// convolutions, normalizations, pooling. What they allocate is what CUDA's kernels do. Once is
/// enough; more calls do nothing.
void registerMetaShapes();

} // namespace cupel::worker

#endif // CUPEL_WORKER_METASHAPES_H
