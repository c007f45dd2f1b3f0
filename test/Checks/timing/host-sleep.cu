// RUN: not %cupel lint --checks=timing-host-sleep %s | FileCheck %s --implicit-check-not='[timing-host-sleep]'
// REQUIRES: cupel, torch, cuda-headers

#include <atomic>
#include <chrono>
#include <ctime>
#include <thread>
#include <torch/extension.h>
#include <unistd.h>

namespace own {
void sleep(int) {}
struct Queue {
  void poll() {}
  void select(int) {}
  int pause = 0;
};
} // namespace own

__global__ void wait(volatile int *flag, float *y) {
  while (*flag == 0)
    __nanosleep(64);                       // accepted: device code
  y[0] = 1;
}

static volatile int arrived;
static std::atomic<bool> ready;
static double seconds() { return std::clock() / double(CLOCKS_PER_SEC); }

torch::Tensor spins(torch::Tensor x) {
  auto start = std::chrono::steady_clock::now();
  // CHECK: host-sleep.cu:[[#@LINE+1]]:3: reject: this loop does nothing until a clock says so [timing-host-sleep]
  while (std::chrono::steady_clock::now() - start < std::chrono::milliseconds(5))
    ;
  double end = seconds() + 1, now;
  // CHECK: :[[#@LINE+1]]:3: reject: this loop does nothing until a clock says so [timing-host-sleep]
  do {
    now = seconds();
  } while (now < end);
  // CHECK: :[[#@LINE+1]]:3: reject: this loop does nothing until a flag changes [timing-host-sleep]
  while (!arrived) {
  }
  // CHECK: :[[#@LINE+1]]:3: reject: this loop does nothing until a flag changes [timing-host-sleep]
  while (!ready.load(std::memory_order_acquire))
    ;
  // CHECK: :[[#@LINE+1]]:3: reject: this loop does nothing but count [timing-host-sleep]
  for (volatile long i = 0; i < 100000000; ++i) {
  }
  return x;
}

static int flags[8];
torch::Tensor loops(torch::Tensor x) {
  int n = x.numel(), blocks = 1, sum = 0;
  while (blocks < n)
    blocks *= 2;                           // accepted: bounded arithmetic
  for (int i = 0; i < 8; ++i)
    flags[i] = i;                          // accepted: a loop over data
  volatile int *shared = flags;
  for (int i = 0; i < 8; ++i)
    sum += shared[i];                      // accepted: a sum of volatile data
  auto start = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - start < std::chrono::milliseconds(5))
    wait<<<1, 1>>>(nullptr, nullptr);      // accepted: here it is launches that take the time
  bool expected = false;
  while (!ready.compare_exchange_weak(expected, true))
    expected = false;                      // accepted: a lock
  for (int i = 0; i < n; ++i)
    ;                                      // accepted: compilers remove it
  return x;
}

torch::Tensor forward(torch::Tensor x) {
  // CHECK: host-sleep.cu:[[#@LINE+1]]:3: reject: 'usleep' makes the host wait [timing-host-sleep]
  usleep(10);
  // CHECK: :[[#@LINE+1]]:3: reject: 'std::this_thread::sleep_for' makes the host wait{{.*}}[timing-host-sleep]
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  own::sleep(1);                           // accepted: an own function
  own::Queue queue;                        // accepted: an own class
  queue.poll();                            // accepted: a method
  queue.select(1);                         // accepted: a method
  queue.pause = 1;                         // accepted: a field
  x.select(0, 0);                          // accepted: a view
  std::chrono::milliseconds limit(1);      // accepted: a duration
  const char *text = "usleep";             // accepted: text
  using Type = decltype(usleep(1));        // accepted: not evaluated
  wait<<<1, 1>>>(nullptr, nullptr);        // accepted: a launch
  return torch::empty_like(x);
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("forward", &forward);
  m.def("spins", &spins);
  m.def("loops", &loops);
}
