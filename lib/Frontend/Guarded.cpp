//===- Guarded.cpp - work on untrusted input that may crash or recurse ------===//

#include "cupel/Frontend/Guarded.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/Signals.h"
#include <csignal>
#include <mutex>
#include <string.h>
#include <vector>

using namespace cupel;

// LLVM's crash handlers run on the stack that overflowed unless they are asked for the alternate
// one, so an overflow would end the process in spite of them.
static void installHandlers() {
  static std::once_flag Once;
  std::call_once(Once, [] {
    llvm::CrashRecoveryContext::Enable();
    for (int Signal : {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGTRAP}) {
      struct sigaction Action;
      if (sigaction(Signal, nullptr, &Action) != 0 || Action.sa_handler == SIG_DFL)
        continue;
      Action.sa_flags |= SA_ONSTACK;
      sigaction(Signal, &Action, nullptr);
    }
  });
}

namespace {
/// An alternate signal stack for the running thread.
class SignalStack {
public:
  SignalStack() : Memory(64 << 10) {
    stack_t Stack = {};
    Stack.ss_sp = Memory.data();
    Stack.ss_size = Memory.size();
    sigaltstack(&Stack, &Old);
  }
  ~SignalStack() { sigaltstack(&Old, nullptr); }

private:
  std::vector<char> Memory;
  stack_t Old = {};
};
} // namespace

static constexpr int LimitExit = 70;

std::optional<std::string> cupel::runGuarded(llvm::function_ref<void()> Work) {
  installHandlers();
  llvm::CrashRecoveryContext Context;
  bool Finished = Context.RunSafelyOnThread(
      [&] {
        SignalStack Stack;
        Work();
      },
      GuardedStackBytes);
  if (Finished)
    return std::nullopt;
  if (Context.RetCode == LimitExit)
    return "over a limit";
  if (Context.RetCode > 128)
    return std::string("crashed: ") + strsignal(Context.RetCode - 128);
  return "stopped with code " + std::to_string(Context.RetCode);
}

void cupel::leaveGuarded() {
  if (llvm::CrashRecoveryContext *Context = llvm::CrashRecoveryContext::GetCurrent())
    Context->HandleExit(LimitExit);
}
