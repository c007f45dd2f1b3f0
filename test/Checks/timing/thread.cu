// RUN: not %cupel lint --checks=timing-thread %s | FileCheck %s --implicit-check-not='[timing-thread]'
// REQUIRES: cupel, torch, cuda-headers

#include <future>
#include <mutex>
#include <pthread.h>
#include <thread>
#include <torch/extension.h>

namespace own {
struct thread {
  int x = 0;
};
int async(int x) { return x; }
} // namespace own
static std::once_flag once;
static std::mutex lock;

__global__ void kernel(float *y) { y[threadIdx.x] = 1; }

torch::Tensor forward(torch::Tensor x) {
  // CHECK: thread.cu:[[#@LINE+1]]:15: reject: 'std::thread::thread' can work beside the call of the entry [timing-thread]
  std::thread worker([] {});
  // CHECK: :[[#@LINE+1]]:17: reject: 'std::async' can work beside{{.*}}[timing-thread]
  auto future = std::async([] { return 1; });
  pthread_t id;
  // CHECK: :[[#@LINE+1]]:3: reject: 'pthread_create' can work beside{{.*}}[timing-thread]
  pthread_create(&id, nullptr, nullptr, nullptr);
  own::thread t;                                 // accepted: an own class
  own::async(1);                                 // accepted: an own function
  int threads = 256;                             // accepted: a number of CUDA threads
  std::call_once(once, [] {});                   // accepted: done once
  std::lock_guard<std::mutex> guard(lock);       // accepted: a lock
  std::this_thread::get_id();                    // accepted: the thread's id
  std::thread::hardware_concurrency();           // accepted: a number
  std::thread *none = nullptr;                   // accepted: a pointer
  using Type = decltype(std::thread([] {}));     // accepted: not evaluated
  dim3 block(threads);                           // accepted: a block of CUDA threads
  kernel<<<1, block>>>(x.data_ptr<float>());     // accepted: a launch
  return torch::empty_like(x);
}
