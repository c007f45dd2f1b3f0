//===- WorkerError.h - the worker's exception -------------------------------===//
//
// Exceptions live in the worker only. Every one ends in Server.cpp as a record
// {stage, code, text} of docs/protocol.md.
//
//===----------------------------------------------------------------------===//
#ifndef CUPEL_WORKER_WORKERERROR_H
#define CUPEL_WORKER_WORKERERROR_H

#include <stdexcept>
#include <string>
#include <utility>

namespace cupel::worker {

class WorkerError : public std::runtime_error {
public:
  WorkerError(std::string Stage, std::string Code, const std::string &Text)
      : std::runtime_error(Text), Stage(std::move(Stage)), Code(std::move(Code)) {}

  std::string Stage, Code;
  std::string CudaError;    ///< The runtime's name of it, for `cuda-error`.
  int Line = 0, Column = 0; ///< In the reference's source, from 1; 0: unknown.
};

} // namespace cupel::worker

#endif // CUPEL_WORKER_WORKERERROR_H
