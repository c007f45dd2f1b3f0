//===- Receive.h - how outputs get from the candidate to the judge ----------===//
//
// The judge owns the memory, and hands out a handle that reaches one output's buffer and nothing
// else: a CUDA allocation of its own (an IPC handle opens the whole allocation, so never part of
// another one); on the CPU and where the driver has no IPC a part of the memory that cupel gave
// both processes as a descriptor, or else a shared memory object with a name.
//
//===----------------------------------------------------------------------===//
#ifndef CUPEL_WORKER_RECEIVE_H
#define CUPEL_WORKER_RECEIVE_H

#include "Device.h"
#include <ATen/core/Tensor.h>

namespace cupel::worker {

/// The descriptor of the memory that judge and candidate share; before anything else is called.
void setExchangeMemory(int Fd);

/// The judge's end.
class ReceiveBuffer {
public:
  static std::unique_ptr<ReceiveBuffer> make(Device &Device, int64_t Bytes);
  virtual ~ReceiveBuffer() = default;

  /// {kind, handle, bytes} of the protocol.
  virtual Json describe() const = 0;
  /// Fills the buffer with 0xFF.
  virtual void poison() = 0;
  /// A copy of what lies in the buffer, on the run's device. Not a view: the candidate could go on
  /// writing while it is compared.
  virtual at::Tensor contents(c10::IntArrayRef Shape, c10::ScalarType Type) = 0;
};

/// The candidate's end: copies \p Output into the buffer that \p Receive describes. Throws
/// `receive-failed`.
void sendOutput(Device &Device, const Json &Receive, const at::Tensor &Output);

} // namespace cupel::worker

#endif // CUPEL_WORKER_RECEIVE_H
