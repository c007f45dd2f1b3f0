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

/// Phases of arrivals in shared memory, counted as the library's barrier does.
template <thread_scope Scope, class Completion = void> class barrier {
public:
  using arrival_token = unsigned;
  CUPEL_DEVICE barrier() {}
  CUPEL_DEVICE barrier(ptrdiff_t expected) : expected_(expected), left_(expected), phase_(0) {}
  CUPEL_DEVICE friend void init(barrier *b, ptrdiff_t expected) {
    new (b) barrier(expected);
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
  /// All that ask whether they need to wait may as well wait.
  CUPEL_DEVICE bool try_wait(arrival_token phase) const { return wait(phase), true; }
  CUPEL_DEVICE void wait_parity(bool parity) const {
    Wait w{this, parity};
    cupel::emu::waitUntil("a cuda::barrier", &Wait::parityOver, &w);
  }
  CUPEL_DEVICE bool try_wait_parity(bool parity) const { return wait_parity(parity), true; }
  CUPEL_DEVICE void arrive_and_wait() { wait(arrive()); }
  CUPEL_DEVICE void arrive_and_drop() {
    atomicSub(&expected_, 1);
    arrive();
  }

private:
  struct Wait {
    const barrier *self;
    unsigned phase;
    __attribute__((no_sanitize("address"))) unsigned now() const {
      return *const_cast<const volatile unsigned *>(&self->phase_);
    }
    __attribute__((no_sanitize("address"))) static bool over(void *w) {
      const Wait &own = *static_cast<Wait *>(w);
      return own.now() != own.phase;
    }
    __attribute__((no_sanitize("address"))) static bool parityOver(void *w) {
      const Wait &own = *static_cast<Wait *>(w);
      return (own.now() & 1) != own.phase;
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

enum class pipeline_role { producer, consumer };

namespace cupel_emulated {
struct stage {
  barrier<thread_scope_block> produced, consumed;
};
} // namespace cupel_emulated

template <thread_scope Scope, unsigned char Stages = 1> struct pipeline_shared_state {
  int producers, consumers;
  cupel_emulated::stage stages[Stages];
};

/// Stages that threads of a block fill and others, or the same ones, use. Copies have their effect
/// when they are committed: whoever reads them has to wait for a barrier behind that.
template <thread_scope Scope> class pipeline {
public:
  CUPEL_DEVICE pipeline(cupel_emulated::stage *stages, unsigned count)
      : stages_(stages), count_(count) {}
  CUPEL_DEVICE void producer_acquire() {
    if (head_ >= count_)
      stages_[head_ % count_].consumed.wait(head_ / count_ - 1);
  }
  CUPEL_DEVICE void producer_commit() { stages_[head_++ % count_].produced.arrive(); }
  CUPEL_DEVICE void consumer_wait() { stages_[tail_ % count_].produced.wait(tail_ / count_); }
  CUPEL_DEVICE void consumer_release() { stages_[tail_++ % count_].consumed.arrive(); }
  CUPEL_DEVICE bool quit() { return true; }

private:
  cupel_emulated::stage *stages_;
  unsigned count_, head_ = 0, tail_ = 0;
};

/// Of one thread, who is producer and consumer: each stage is a group of its own copies.
template <> class pipeline<thread_scope_thread> {
public:
  CUPEL_DEVICE void producer_acquire() {}
  CUPEL_DEVICE void producer_commit() {
    cupel::emu::commitCopies();
    ++pending_;
  }
  CUPEL_DEVICE void consumer_wait() {
    pending_ -= pending_ > 0;
    cupel::emu::waitCopies(pending_);
  }
  CUPEL_DEVICE void consumer_release() {}
  CUPEL_DEVICE bool quit() { return true; }
  template <unsigned N> CUPEL_DEVICE void wait_prior() {
    cupel::emu::waitCopies(N);
    pending_ = pending_ < N ? pending_ : N;
  }

private:
  unsigned pending_ = 0;
};

CUPEL_DEVICE pipeline<thread_scope_thread> make_pipeline() { return {}; }
template <class Group, thread_scope Scope, unsigned char Stages>
CUPEL_DEVICE pipeline<Scope> make_pipeline(const Group &g, pipeline_shared_state<Scope, Stages> *s,
                                           bool produces, bool consumes) {
  if (g.thread_rank() == 0)
    s->producers = s->consumers = 0;
  g.sync();
  if (produces)
    atomicAdd(&s->producers, 1);
  if (consumes)
    atomicAdd(&s->consumers, 1);
  g.sync();
  if (g.thread_rank() == 0)
    for (cupel_emulated::stage &each : s->stages) {
      init(&each.produced, s->producers);
      init(&each.consumed, s->consumers);
    }
  g.sync();
  return {s->stages, Stages};
}
template <class Group, thread_scope Scope, unsigned char Stages>
CUPEL_DEVICE pipeline<Scope> make_pipeline(const Group &g,
                                           pipeline_shared_state<Scope, Stages> *s) {
  return make_pipeline(g, s, true, true);
}
template <class Group, thread_scope Scope, unsigned char Stages>
CUPEL_DEVICE pipeline<Scope> make_pipeline(const Group &g, pipeline_shared_state<Scope, Stages> *s,
                                           pipeline_role role) {
  return make_pipeline(g, s, role == pipeline_role::producer, role == pipeline_role::consumer);
}
template <class Group, thread_scope Scope, unsigned char Stages>
CUPEL_DEVICE pipeline<Scope> make_pipeline(const Group &g, pipeline_shared_state<Scope, Stages> *s,
                                           size_t producers) {
  const bool produces = g.thread_rank() < producers;
  return make_pipeline(g, s, produces, !produces);
}
template <unsigned N>
CUPEL_DEVICE void pipeline_consumer_wait_prior(pipeline<thread_scope_thread> &p) {
  p.template wait_prior<N>();
}
/// An arrival waits for the thread's copies in any case.
template <thread_scope Scope>
CUPEL_DEVICE void pipeline_producer_commit(pipeline<thread_scope_thread> &p, barrier<Scope> &) {
  p.producer_commit();
}

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
