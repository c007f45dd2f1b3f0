// RUN: not %cupel lint --checks=process-file %s | FileCheck %s --implicit-check-not='[process-file]'
// REQUIRES: cupel, torch, cuda-headers

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <torch/extension.h>

namespace own {
int fopen(int x) { return x; }
struct Valve {
  void open() {}
  void remove(int) {}
};
} // namespace own

torch::Tensor forward(torch::Tensor x) {
  // CHECK: file.cu:[[#@LINE+2]]:13: reject: 'fopen' opens a file: '/proc/self/cmdline' [process-file]
  // CHECK: :[[#@LINE+1]]:13: note: this file describes the process or the machine
  FILE *f = fopen("/proc/self/cmdline", "r");
  // CHECK: :[[#@LINE+1]]:17: reject: 'std::basic_ofstream::basic_ofstream' opens a file: 'out.bin'{{.*}}[process-file]
  std::ofstream out("out.bin");
  // CHECK: :[[#@LINE+1]]:3: reject: 'std::filesystem::exists' opens a file{{.*}}[process-file]
  std::filesystem::exists("a");
  own::fopen(1);                         // accepted: an own function
  own::Valve valve;                      // accepted: an own class
  valve.open();                          // accepted: a method
  valve.remove(1);                       // accepted: a method
  std::ostringstream text;               // accepted: text in memory
  std::stringstream both("a");           // accepted: text in memory
  text << "rows";                        // accepted: text in memory
  std::cout << text.str();               // accepted: standard output
  printf("%d\n", 1);                     // accepted: standard output
  const char *path = "/proc/self/maps";  // accepted: text by itself
  using Type = decltype(fopen("", ""));  // accepted: not evaluated
  return torch::empty_like(x);
}
