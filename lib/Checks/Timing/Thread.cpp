//===- Thread.cpp - timing-thread ------------------------------------------===//

#include "Thread.h"
#include "../HostUses.h"
#include "cupel/Checks/CheckContext.h"

namespace cupel {

ThreadCheck::ThreadCheck()
    : Check("timing-thread", Level::Reject,
            "Host thread that can work on after the call: std::thread, pthread_create") {}

void ThreadCheck::run(CheckContext &Context) const {
  reportNamedUses(Context, *this, Level::Reject,
                  {"std::thread::thread", "std::jthread::jthread", "std::async", "pthread_create",
                   "thrd_create", "std::packaged_task::packaged_task", "c10::ThreadPool::run",
                   "c10::TaskThreadPool::TaskThreadPool", "at::launch", "at::intraop_launch"},
                  "can work beside the call of the entry");
}

} // namespace cupel
