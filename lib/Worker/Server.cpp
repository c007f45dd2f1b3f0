//===- Server.cpp - requests in, replies out --------------------------------===//

#include "Server.h"
#include "Nvml/ClockWatch.h"
#include "Profile.h"
#include <c10/util/Exception.h>
#include <new>

using namespace cupel::worker;

/// docs/protocol.md: the status after an error that lost the device.
static constexpr int LostDevice = 3;

Device &Role::device() {
  if (!On)
    throw WorkerError("request", "bad-request", "'hello' comes first");
  return *On;
}

Json Role::hello(const Json &Request) {
  const auto Name = field<std::string>(Request, "device");
  if (const auto Level = field<std::string>(Request, "counters", ""); !Level.empty())
    prepareProfile(Level);
  On = Device::open(Name);
  return describeDevice(*On, field<bool>(Request, "probe", false));
}

Json cupel::worker::describeDevice(Device &Device, bool Probe) {
  Json Reply = Device.info();
  Reply["features"] = profilingFeatures(Device, Probe);
  if (Probe)
    addClockFeature(Device, Reply["features"]);
  return Reply;
}

Json Role::handle(const std::string &Command, const Json &Request) {
  if (Command == "hello")
    return hello(Request);
  auto It = Commands.find(Command);
  if (It == Commands.end())
    throw WorkerError("request", "unknown-command", "there is no command '" + Command + "'");
  return It->second(Request);
}

Json cupel::worker::toJson(const WorkerError &E) {
  Json Record = {{"stage", E.Stage}, {"code", E.Code}, {"text", E.what()}};
  if (!E.CudaError.empty())
    Record["cuda_error"] = E.CudaError;
  if (E.Line != 0) {
    Record["line"] = E.Line;
    Record["column"] = E.Column;
  }
  return Record;
}

static Json errorRecord(const std::string &Stage, const std::string &Code,
                        const std::string &Text) {
  return {{"ok", false}, {"error", {{"stage", Stage}, {"code", Code}, {"text", Text}}}};
}

/// Every exception ends here. One that nobody gave a stage is the worker's own: the stage `call` is
/// for what the submission did.
static Json answer(Role &Role, const std::string &Command, const Json &Request) {
  static constexpr char Worker[] = "worker";
  try {
    Json Reply = Role.handle(Command, Request);
    Reply["ok"] = true;
    return Reply;
  } catch (const WorkerError &E) {
    return {{"ok", false}, {"error", toJson(E)}};
  } catch (const c10::OutOfMemoryError &E) {
    return errorRecord(Worker, "out-of-memory", E.what_without_backtrace());
  } catch (const std::bad_alloc &) {
    return errorRecord(Worker, "out-of-memory", "the host's memory does not suffice");
  } catch (const c10::Error &E) {
    std::string Text = E.what_without_backtrace();
    // torch's allocator of host memory has no exception type of its own.
    bool Memory = Text.find("DefaultCPUAllocator: ") != std::string::npos;
    bool Cuda = Text.find("CUDA error") != std::string::npos;
    return errorRecord(Worker, Memory ? "out-of-memory" : Cuda ? "cuda-error" : "internal", Text);
  } catch (const Json::exception &E) {
    return errorRecord("request", "bad-request", E.what());
  } catch (const std::exception &E) {
    return errorRecord(Worker, "internal", E.what());
  } catch (...) {
    return errorRecord(Worker, "internal", "an exception that is no std::exception");
  }
}

namespace {

struct Turn {
  Json Reply;
  bool Close = false;
};

/// One line of the request pipe, answered.
Turn takeTurn(Role &Role, const std::string &Line) {
  Json Request = Json::parse(Line, nullptr, /*allow_exceptions=*/false);
  Turn Result;
  if (!Request.is_object()) {
    Result.Reply = errorRecord("request", "bad-request", "the request is no JSON object");
    return Result;
  }
  std::string Command;
  if (auto It = Request.find("command"); It != Request.end() && It->is_string())
    Command = *It;
  Result.Close = Command == "close";
  Result.Reply = Result.Close ? Json{{"ok", true}} : answer(Role, Command, Request);
  for (const char *Name : {"id", "nonce"})
    if (auto It = Request.find(Name); It != Request.end())
      Result.Reply[Name] = *It;
  return Result;
}

} // namespace

int cupel::worker::serve(Role &Role, int RequestFd, int ReplyFd) {
  Channel Pipe(RequestFd, ReplyFd);
  while (std::optional<std::string> Line = Pipe.readLine()) {
    Turn Turn = takeTurn(Role, *Line);
    bool Lost = !Turn.Reply.value("ok", false) && Role.isBroken();
    if (!Pipe.write(Turn.Reply) || Turn.Close)
      return 0;
    if (Lost)
      return LostDevice;
  }
  return 0;
}
