//===- Protocol.h - one JSON object a line, over two pipes ------------------===//
#ifndef CUPEL_WORKER_PROTOCOL_H
#define CUPEL_WORKER_PROTOCOL_H

#include "WorkerError.h"
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace cupel::worker {

using Json = nlohmann::json;

/// Reads requests from one descriptor and writes replies to the other.
class Channel {
public:
  Channel(int RequestFd, int ReplyFd) : RequestFd(RequestFd), ReplyFd(ReplyFd) {}

  /// The next line, or nothing at the end of the pipe. Throws `bad-request` for a line longer than
  /// any request is.
  std::optional<std::string> readLine();

  /// Writes \p Reply and a line end, all of it. Returns false when nobody reads any more.
  bool write(const Json &Reply);

private:
  int RequestFd, ReplyFd;
  std::string Buffer;
};

/// \p Value, or the strings `"nan"`, `"inf"`, `"-inf"`, which JSON has no numbers for.
Json number(double Value);

/// The seed in \p Text, hexadecimal with or without `0x`. Throws `bad-request`.
uint64_t parseSeed(const std::string &Text);

/// Field \p Name of \p Object as a T. Throws `bad-request`, which names the field.
template <typename T> T field(const Json &Object, const char *Name) {
  auto It = Object.find(Name);
  if (It == Object.end())
    throw WorkerError("request", "bad-request", std::string("the field '") + Name + "' is missing");
  try {
    return It->get<T>();
  } catch (const Json::exception &E) {
    throw WorkerError("request", "bad-request",
                      std::string("the field '") + Name + "' is of the wrong type: " + E.what());
  }
}

/// The same, with \p Default for a field that is missing or null.
template <typename T> T field(const Json &Object, const char *Name, T Default) {
  auto It = Object.find(Name);
  return It == Object.end() || It->is_null() ? Default : field<T>(Object, Name);
}

/// {"code", "text"}.
Json reason(const std::string &Code, const std::string &Text);

} // namespace cupel::worker

#endif // CUPEL_WORKER_PROTOCOL_H
