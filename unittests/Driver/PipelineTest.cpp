//===- PipelineTest.cpp - what runs beside what --------------------------------===//

#include "cupel/Driver/Pipeline.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

using namespace cupel;

namespace {

TEST(Pipeline, EachOnceAndFinishedAfterItsPreparation) {
  for (unsigned Jobs : {1u, 2u, 7u, 100u}) {
    std::vector<std::atomic<int>> Prepared(20);
    std::vector<size_t> Finished;
    runPipeline(
        20, Jobs, [&](size_t I) { ++Prepared[I]; },
        [&](size_t I) {
          EXPECT_EQ(Prepared[I].load(), 1);
          Finished.push_back(I);
        });
    std::sort(Finished.begin(), Finished.end());
    ASSERT_EQ(Finished.size(), 20u);
    for (size_t I = 0; I != Finished.size(); ++I)
      EXPECT_EQ(Finished[I], I);
  }
}

TEST(Pipeline, NothingToDo) {
  runPipeline(0, 3, [](size_t) { FAIL(); }, [](size_t) { FAIL(); });
}

/// The first item is not finished before the second is prepared: that ends only when both go on at
/// the same time.
TEST(Pipeline, PreparesTheNextWhileOneIsFinished) {
  std::mutex Lock;
  std::condition_variable Changed;
  bool SecondPrepared = false;
  runPipeline(
      2, 1,
      [&](size_t I) {
        std::lock_guard<std::mutex> Guard(Lock);
        SecondPrepared |= I == 1;
        Changed.notify_all();
      },
      [&](size_t I) {
        std::unique_lock<std::mutex> Guard(Lock);
        EXPECT_TRUE(
            Changed.wait_for(Guard, std::chrono::seconds(60), [&] { return SecondPrepared; }))
            << "of item " << I;
      });
}

TEST(Pipeline, OneAtATimeOnTheGpuAndNotTooFarAhead) {
  std::atomic<int> OnGpu = 0, Waiting = 0, Most = 0;
  std::thread::id Caller = std::this_thread::get_id();
  runPipeline(
      50, 3,
      [&](size_t) {
        int Now = ++Waiting;
        for (int Old = Most; Old < Now && !Most.compare_exchange_weak(Old, Now);)
          ;
      },
      [&](size_t) {
        EXPECT_EQ(++OnGpu, 1);
        EXPECT_EQ(std::this_thread::get_id(), Caller);
        --OnGpu;
        --Waiting;
      });
  EXPECT_LE(Most.load(), 4);
}

} // namespace
