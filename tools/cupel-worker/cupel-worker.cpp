//===- cupel-worker.cpp - judge or candidate, over two pipes ----------------===//

#include "Candidate.h"
#include "Judge.h"
#include "Receive.h"
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <unistd.h>

using namespace cupel::worker;

static int usage() {
  std::fputs("usage: cupel-worker judge|candidate --request-fd N --reply-fd N [--memory-fd N]\n"
             "       cupel-worker info\n"
             "       cupel-worker --version\n"
             "cupel starts it; docs/protocol.md says what it answers.\n",
             stderr);
  return 2;
}

/// Describes the GPU, or the CPU and why there is no GPU.
static void info() {
  std::unique_ptr<Device> On;
  std::string Why;
  try {
    On = Device::open("cuda");
  } catch (const std::exception &E) {
    Why = E.what();
    On = Device::open("cpu");
  }
  Json Reply = describeDevice(*On, /*Probe=*/true);
  if (!Why.empty())
    Reply["cuda_reason"] = Why;
  Reply["ok"] = true;
  std::puts(Reply.dump(2, ' ', false, Json::error_handler_t::replace).c_str());
}

/// Ends the process past the destructors of CUDA, CUPTI and the submission, which could hang or
/// crash now that all is said.
[[noreturn]] static void leave(int Status) {
  std::fflush(nullptr);
  _exit(Status);
}

/// The value of option \p Name, a descriptor, or -1.
static int descriptor(int Count, char **Arguments, const char *Name) {
  for (int I = 2; I + 1 < Count; I += 2)
    if (std::strcmp(Arguments[I], Name) == 0) {
      const char *Text = Arguments[I + 1];
      int Value = -1;
      auto [End, Error] = std::from_chars(Text, Text + std::strlen(Text), Value);
      return Error == std::errc() && *End == '\0' ? Value : -1;
    }
  return -1;
}

int main(int Count, char **Arguments) {
  std::string What = Count > 1 ? Arguments[1] : "";
  if (What == "info" && Count == 2) {
    info();
    leave(0);
  }
  if (What == "--version" && Count == 2) {
    std::puts("cupel-worker " CUPEL_VERSION);
    return 0;
  }
  int RequestFd = descriptor(Count, Arguments, "--request-fd");
  int ReplyFd = descriptor(Count, Arguments, "--reply-fd");
  int MemoryFd = descriptor(Count, Arguments, "--memory-fd");
  if ((What != "judge" && What != "candidate") || RequestFd < 0 || ReplyFd < 0 ||
      Count != (MemoryFd < 0 ? 6 : 8))
    return usage();
  setExchangeMemory(MemoryFd);
  std::signal(SIGPIPE, SIG_IGN); // A write that fails tells as much, and ends in order.
  int Status;
  {
    std::unique_ptr<Role> Role = What == "judge" ? makeJudge() : makeCandidate();
    Status = serve(*Role, RequestFd, ReplyFd);
  }
  leave(Status);
}
