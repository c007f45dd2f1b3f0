// RUN: not %cupel lint --checks=process-descriptor %s | FileCheck %s --implicit-check-not='[process-descriptor]'
// REQUIRES: cupel, torch, cuda-headers

#include <cstdio>
#include <iostream>
#include <sstream>
#include <torch/extension.h>
#include <unistd.h>

namespace own {
int write(int x) { return x; }
struct Channel {
  void close() {}
  void dup() {}
};
} // namespace own

torch::Tensor forward(torch::Tensor x) {
  for (int fd = 3; fd < 8; ++fd)
    // CHECK: descriptor.cu:[[#@LINE+1]]:5: reject: 'write' handles a descriptor that this file did not open [process-descriptor]
    write(fd, "{}", 2);
  // CHECK: :[[#@LINE+1]]:3: reject: 'dup2' handles a descriptor{{.*}}[process-descriptor]
  dup2(1, 9);
  own::write(1);                       // accepted: an own function
  own::Channel channel;                // accepted: an own class
  channel.close();                     // accepted: a method
  channel.dup();                       // accepted: a method
  printf("rows %d\n", 3);              // accepted: standard output
  fprintf(stderr, "bad shape\n");      // accepted: standard error
  std::cerr << "note\n";               // accepted: a stream
  std::ostringstream text;             // accepted: text in memory
  text.write("ab", 2);                 // accepted: a stream's method
  fflush(stdout);                      // accepted: a flush
  puts("done");                        // accepted: standard output
  return torch::empty_like(x);
}
