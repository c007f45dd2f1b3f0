//===- Guarded.cpp - work on untrusted input that may crash or recurse ------===//

#include "cupel/Frontend/Guarded.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/thread.h"
#include <atomic>
#include <condition_variable>
#include <csignal>
#include <memory>
#include <mutex>
#include <string.h>
#include <thread>
#include <vector>
#ifdef __SANITIZE_ADDRESS__
#include <pthread.h>
#include <sanitizer/asan_interface.h>
#endif

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

// A jump out of a handler on the alternate stack leaves the frames that it skips poisoned, and
// AddressSanitizer would take the next use of that memory, as in the end of the thread, for an
// overflow (https://github.com/google/sanitizers/issues/189).
static void forgetSkippedFrames() {
#ifdef __SANITIZE_ADDRESS__
  pthread_attr_t Attributes;
  void *Lowest = nullptr;
  size_t Size = 0;
  if (pthread_getattr_np(pthread_self(), &Attributes) != 0)
    return;
  if (pthread_attr_getstack(&Attributes, &Lowest, &Size) == 0)
    __asan_unpoison_memory_region(Lowest, Size);
  pthread_attr_destroy(&Attributes);
#endif
}

static constexpr int LimitExit = 70;

std::optional<std::string> cupel::runGuarded(llvm::function_ref<void()> Work) {
  installHandlers();
  llvm::CrashRecoveryContext Context;
  bool Finished = false;
  llvm::thread Thread(std::optional<unsigned>(GuardedStackBytes), [&] {
    SignalStack Stack;
    Finished = Context.RunSafely(Work);
    if (!Finished)
      forgetSkippedFrames();
  });
  Thread.join();
  if (Finished)
    return std::nullopt;
  if (Context.RetCode == LimitExit)
    return "went over its time limit";
  if (Context.RetCode > 128)
    return std::string("crashed: ") + strsignal(Context.RetCode - 128);
  return "stopped with code " + std::to_string(Context.RetCode);
}

static std::atomic<bool> Abandoned = false;

bool cupel::runOrAbandon(std::function<void()> Work, double Seconds,
                         llvm::function_ref<bool()> IsOnHold) {
  struct Progress {
    std::mutex Lock;
    std::condition_variable Changed;
    bool IsDone = false;
  };
  auto Shared = std::make_shared<Progress>();
  std::thread Worker([Shared, Work = std::move(Work)]() mutable {
    Work();
    Work = nullptr; // What it owns ends before its end is told.
    std::lock_guard Guard(Shared->Lock);
    Shared->IsDone = true;
    Shared->Changed.notify_one();
  });
  std::unique_lock Guard(Shared->Lock);
  constexpr double Slice = 0.25;
  for (double Left = Seconds; Left > 0; Left -= IsOnHold() ? 0 : Slice)
    if (Shared->Changed.wait_for(Guard, std::chrono::duration<double>(Slice),
                                 [&] { return Shared->IsDone; })) {
      Guard.unlock();
      Worker.join();
      return true;
    }
  Abandoned = true;
  Worker.detach();
  return false;
}

bool cupel::hasAbandonedWork() { return Abandoned; }

void cupel::leaveGuarded() {
  if (llvm::CrashRecoveryContext *Context = llvm::CrashRecoveryContext::GetCurrent())
    Context->HandleExit(LimitExit);
}
