//===- Server.h - requests in, replies out ----------------------------------===//
#ifndef CUPEL_WORKER_SERVER_H
#define CUPEL_WORKER_SERVER_H

#include "Device.h"
#include <functional>
#include <map>
#include <memory>

namespace cupel::worker {

/// The commands of one side of the protocol. A role adds its own to `hello`.
class Role {
public:
  virtual ~Role() = default;
  using Handler = std::function<Json(const Json &Request)>;

  /// Runs \p Command; throws `unknown-command`, `bad-request` before `hello`, or what it throws.
  Json handle(const std::string &Command, const Json &Request);

  /// Whether the device's context is lost.
  bool isBroken() const { return On && On->isBroken(); }

protected:
  Device &device();
  std::map<std::string, Handler> Commands;

private:
  Json hello(const Json &Request);
  std::unique_ptr<Device> On;
};

/// {`stage`, `code`, `text`, ...}: the `error` of docs/protocol.md.
Json toJson(const WorkerError &E);

/// What `hello` answers for \p Device; \p Probe asks the driver for counters.
Json describeDevice(Device &Device, bool Probe);

/// Serves until `close` or the end of the pipe. Returns the process's exit status: 0, or 3 after an
/// error that lost the device.
int serve(Role &Role, int RequestFd, int ReplyFd);

} // namespace cupel::worker

#endif // CUPEL_WORKER_SERVER_H
