//===- Pipeline.cpp - the work before the GPU beside the work on it ----------===//

#include "cupel/Driver/Pipeline.h"
#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

using namespace cupel;

namespace {

/// What the threads share. An item is taken, prepared, ready, finished.
class Pipeline {
public:
  Pipeline(size_t Count, size_t Ahead) : Count(Count), Ahead(Ahead) {}

  /// The next item to prepare, when there is one and not too many wait.
  std::optional<size_t> take() {
    std::unique_lock<std::mutex> Guard(Lock);
    Changed.wait(Guard, [&] { return Taken == Count || Taken - Finished < Ahead; });
    return Taken == Count ? std::nullopt : std::optional(Taken++);
  }
  void ready(size_t Item) {
    std::lock_guard<std::mutex> Guard(Lock);
    Ready.push_back(Item);
    Changed.notify_all();
  }
  /// The item that has been ready longest.
  size_t nextReady() {
    std::unique_lock<std::mutex> Guard(Lock);
    Changed.wait(Guard, [&] { return !Ready.empty(); });
    size_t Item = Ready.front();
    Ready.pop_front();
    return Item;
  }
  void finished() {
    std::lock_guard<std::mutex> Guard(Lock);
    ++Finished;
    Changed.notify_all();
  }

private:
  const size_t Count, Ahead;
  std::mutex Lock;
  std::condition_variable Changed;
  size_t Taken = 0, Finished = 0;
  std::deque<size_t> Ready;
};

} // namespace

void cupel::runPipeline(size_t Count, unsigned Jobs, llvm::function_ref<void(size_t)> Prepare,
                        llvm::function_ref<void(size_t)> Finish) {
  const size_t Threads = std::clamp<size_t>(Jobs, 1, std::max<size_t>(Count, 1));
  // One more than are being prepared, so that the GPU finds one ready when it is done with another.
  Pipeline Shared(Count, Threads + 1);
  std::vector<std::thread> Preparers;
  for (size_t I = 0; I != Threads; ++I)
    Preparers.emplace_back([&] {
      while (std::optional<size_t> Item = Shared.take()) {
        Prepare(*Item);
        Shared.ready(*Item);
      }
    });
  for (size_t Done = 0; Done != Count; ++Done) {
    Finish(Shared.nextReady());
    Shared.finished();
  }
  for (std::thread &Thread : Preparers)
    Thread.join();
}
