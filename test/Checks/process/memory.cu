// RUN: not %cupel lint --checks=process-memory %s | FileCheck %s --implicit-check-not='[process-memory]'
// REQUIRES: cupel, torch, cuda-headers

#include <cstring>
#include <memory>
#include <sys/mman.h>
#include <torch/extension.h>
#include <vector>

namespace own {
int mprotect(int x) { return x; }
struct Map {
  void mmap() {}
};
} // namespace own

torch::Tensor forward(torch::Tensor x) {
  void *page = nullptr;
  // CHECK: memory.cu:[[#@LINE+1]]:3: reject: 'mprotect' changes or reads memory behind the allocator [process-memory]
  mprotect(page, 4096, PROT_READ | PROT_WRITE);
  // CHECK: :[[#@LINE+1]]:3: reject: 'mmap' changes or reads{{.*}}[process-memory]
  mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  own::mprotect(1);                            // accepted: an own function
  own::Map map;                                // accepted: an own class
  map.mmap();                                  // accepted: a method
  std::vector<float> table(256);               // accepted: a container
  std::memset(table.data(), 0, 4);             // accepted: memset
  std::memcpy(table.data(), table.data(), 4);  // accepted: memcpy
  auto owned = std::make_unique<float[]>(8);   // accepted: an allocation
  void *raw = malloc(16);                      // accepted: malloc
  free(raw);                                   // accepted: free
  const char *text = "mprotect";               // accepted: text
  using Type = decltype(mprotect(page, 0, 0)); // accepted: not evaluated
  return torch::empty_like(x);
}
