/// Asynchronous copies: the primitives, cuda::pipeline, cuda::barrier, cuda::memcpy_async. A copy
/// has no effect before it is waited for.
#pragma once

#include "cupel/emulate/Groups.h"

#include <cstddef>
#include <cuda/__barrier/aligned_size.h>
#include <cuda/atomic>
#include <new>

CUPEL_DEVICE void __pipeline_memcpy_async(void *to, const void *from, size_t size,
                                          size_t zfill = 0) {
  cupel::emu::checkAligned(to, size);
  cupel::emu::checkAligned(from, size);
  cupel::emu::copyAsync(to, from, size - zfill, zfill);
}
CUPEL_DEVICE void __pipeline_commit() { cupel::emu::commitCopies(); }
CUPEL_DEVICE void __pipeline_wait_prior(size_t n) {
  cupel::emu::waitCopies(static_cast<unsigned>(n));
}

namespace nvcuda::experimental {
class pipeline {
public:
  CUPEL_DEVICE size_t commit() { return cupel::emu::commitCopies(), count_++; }
  template <unsigned N> CUPEL_DEVICE void wait_prior() { cupel::emu::waitCopies(N); }
  CUPEL_DEVICE void commit_and_wait() { commit(), cupel::emu::waitCopies(0); }

private:
  size_t count_ = 0;
};
} // namespace nvcuda::experimental

namespace cuda {

template <thread_scope Scope, unsigned char Stages = 1> struct pipeline_shared_state {
  unsigned char unused;
};

/// Every thread is producer and consumer: each stage is a group of its own copies. Consumers that
/// are in a block together still need the wait of all, which is a barrier of the group.
template <thread_scope Scope> class pipeline {
public:
  CUPEL_DEVICE explicit pipeline(bool shared) : shared_(shared) {}
  CUPEL_DEVICE void producer_acquire() {}
  CUPEL_DEVICE void producer_commit() {
    cupel::emu::commitCopies();
    ++pending_;
  }
  CUPEL_DEVICE void consumer_wait() {
    pending_ -= pending_ > 0;
    cupel::emu::waitCopies(pending_);
    meet();
  }
  CUPEL_DEVICE void consumer_release() { meet(); }
  CUPEL_DEVICE bool quit() { return true; }
  template <unsigned N> CUPEL_DEVICE void wait_prior() {
    cupel::emu::waitCopies(N);
    pending_ = pending_ < N ? pending_ : N;
    meet();
  }

private:
  CUPEL_DEVICE void meet() {
    if (shared_)
      __syncthreads();
  }
  unsigned pending_ = 0;
  bool shared_;
};

CUPEL_DEVICE pipeline<thread_scope_thread> make_pipeline() {
  return pipeline<thread_scope_thread>(false);
}
template <class Group, thread_scope Scope, unsigned char Stages>
CUPEL_DEVICE pipeline<Scope> make_pipeline(const Group &, pipeline_shared_state<Scope, Stages> *) {
  return pipeline<Scope>(true);
}
template <unsigned N, thread_scope Scope>
CUPEL_DEVICE void pipeline_consumer_wait_prior(pipeline<Scope> &p) {
  p.template wait_prior<N>();
}

/// Phases of arrivals in shared memory, counted as the library's barrier does.
template <thread_scope Scope, class Completion = void> class barrier {
public:
  using arrival_token = unsigned;
  CUPEL_DEVICE barrier() {}
  CUPEL_DEVICE barrier(ptrdiff_t expected) : expected_(expected), left_(expected), phase_(0) {}
  CUPEL_DEVICE friend void init(barrier *b, ptrdiff_t expected) {
    new (b) barrier(expected);
    cupel::emu::signalBlock();
  }
  CUPEL_DEVICE arrival_token arrive(ptrdiff_t count = 1) {
    const unsigned phase = atomicAdd(&phase_, 0u);
    cupel::emu::waitAllCopies();
    if (atomicSub(&left_, static_cast<int>(count)) == count)
      complete();
    return phase;
  }
  CUPEL_DEVICE void wait(arrival_token phase) const {
    Wait w{this, phase};
    cupel::emu::waitUntil("a cuda::barrier", &Wait::over, &w);
  }
  CUPEL_DEVICE void arrive_and_wait() { wait(arrive()); }
  CUPEL_DEVICE void arrive_and_drop() {
    atomicSub(&expected_, 1);
    arrive();
  }

private:
  struct Wait {
    const barrier *self;
    unsigned phase;
    __attribute__((no_sanitize("address"))) static bool over(void *w) {
      const Wait &own = *static_cast<Wait *>(w);
      return *const_cast<const volatile unsigned *>(&own.self->phase_) != own.phase;
    }
  };
  CUPEL_DEVICE void complete() {
    atomicExch(&left_, atomicAdd(&expected_, 0));
    atomicAdd(&phase_, 1u);
    cupel::emu::signalBlock();
  }
  int expected_, left_;
  unsigned phase_;
};

template <class T, class Size, class Sync>
CUPEL_DEVICE void memcpy_async(T *to, const T *from, Size size, Sync &) {
  cupel::emu::copyAsync(to, from, size, 0);
}
template <class Group, class T, class Size, class Sync>
CUPEL_DEVICE void memcpy_async(const Group &g, T *to, const T *from, Size size, Sync &) {
  auto *target = reinterpret_cast<char *>(to);
  auto *source = reinterpret_cast<const char *>(from);
  const size_t bytes = size, piece = bytes % 16 == 0 ? 16 : bytes % 4 == 0 ? 4 : 1;
  for (size_t at = g.thread_rank() * piece; at < bytes; at += g.size() * piece)
    cupel::emu::copyAsync(target + at, source + at, piece, 0);
}

} // namespace cuda
