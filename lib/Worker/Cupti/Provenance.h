//===- Provenance.h - whose kernel it is ------------------------------------===//
#ifndef CUPEL_WORKER_CUPTI_PROVENANCE_H
#define CUPEL_WORKER_CUPTI_PROVENANCE_H

#include "Activity.h"

namespace cupel::worker {

/// `void scale<float>(float const*, int)` for a mangled name, else the name itself.
std::string demangled(const std::string &Name);

/// submission, torch, vendor, runtime or unknown; \p Library is the submission's file. The rules
/// are in docs/measuring.md.
std::string provenanceOf(const Activity &Seen, const std::string &Library);

} // namespace cupel::worker

#endif // CUPEL_WORKER_CUPTI_PROVENANCE_H
