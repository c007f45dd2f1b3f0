//===- Judge.h - the process that knows what is right -----------------------===//
#ifndef CUPEL_WORKER_JUDGE_H
#define CUPEL_WORKER_JUDGE_H

#include "Server.h"

namespace cupel::worker {

/// The judge's commands of docs/protocol.md.
std::unique_ptr<Role> makeJudge();

} // namespace cupel::worker

#endif // CUPEL_WORKER_JUDGE_H
