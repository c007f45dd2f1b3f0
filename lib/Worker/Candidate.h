//===- Candidate.h - the process that runs the submission -------------------===//
#ifndef CUPEL_WORKER_CANDIDATE_H
#define CUPEL_WORKER_CANDIDATE_H

#include "Server.h"

namespace cupel::worker {

/// The candidate's commands of docs/protocol.md. It holds no secret: not the reference, nor what it
/// gives.
std::unique_ptr<Role> makeCandidate();

} // namespace cupel::worker

#endif // CUPEL_WORKER_CANDIDATE_H
