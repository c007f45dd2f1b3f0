//===- Protocol.cpp - one JSON object a line, over two pipes ----------------===//

#include "Protocol.h"
#include <cerrno>
#include <charconv>
#include <cmath>
#include <unistd.h>

using namespace cupel::worker;

/// A reference's source is the longest thing in a request; problems have a few kilobytes.
static constexpr size_t MaxLine = size_t(64) << 20;

std::optional<std::string> Channel::readLine() {
  for (;;) {
    if (size_t End = Buffer.find('\n'); End != std::string::npos) {
      std::string Line = Buffer.substr(0, End);
      Buffer.erase(0, End + 1);
      return Line;
    }
    if (Buffer.size() > MaxLine)
      throw WorkerError("request", "bad-request", "the request is longer than 64 MiB");
    char Chunk[65536];
    ssize_t Count = ::read(RequestFd, Chunk, sizeof Chunk);
    if (Count < 0 && errno == EINTR)
      continue;
    if (Count <= 0)
      return std::nullopt;
    Buffer.append(Chunk, static_cast<size_t>(Count));
  }
}

bool Channel::write(const Json &Reply) {
  // Exceptions' texts come from the submission and need not be UTF-8.
  std::string Line = Reply.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  for (size_t Done = 0; Done < Line.size();) {
    ssize_t Count = ::write(ReplyFd, Line.data() + Done, Line.size() - Done);
    if (Count < 0 && errno == EINTR)
      continue;
    if (Count <= 0)
      return false;
    Done += static_cast<size_t>(Count);
  }
  return true;
}

Json cupel::worker::number(double Value) {
  if (std::isnan(Value))
    return "nan";
  if (std::isinf(Value))
    return Value > 0 ? "inf" : "-inf";
  return Value;
}

uint64_t cupel::worker::parseSeed(const std::string &Text) {
  std::string_view Digits = Text;
  if (Digits.starts_with("0x"))
    Digits.remove_prefix(2);
  uint64_t Seed = 0;
  auto [End, Error] = std::from_chars(Digits.data(), Digits.data() + Digits.size(), Seed, 16);
  if (Error != std::errc() || End != Digits.data() + Digits.size())
    throw WorkerError("request", "bad-request",
                      "'" + Text + "' is no seed: 1 to 16 hexadecimal digits are expected");
  return Seed;
}

Json cupel::worker::reason(const std::string &Code, const std::string &Text) {
  return {{"code", Code}, {"text", Text}};
}
