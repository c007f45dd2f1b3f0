// RUN: not %cupel lint --checks=timing-host-sleep %s | FileCheck %s --implicit-check-not='[timing-host-sleep]'
// REQUIRES: cupel, torch, cuda-headers

#include <chrono>
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
