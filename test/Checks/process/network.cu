// RUN: not %cupel lint --checks=process-network %s | FileCheck %s --implicit-check-not='[process-network]'
// REQUIRES: cupel, torch, cuda-headers

#include <functional>
#include <sys/socket.h>
#include <torch/extension.h>

namespace own {
int connect(int a, int b) { return a + b; }
struct Graph {
  int bind(int x) { return x; }
  int listen() { return 0; }
  int accept = 1;
};
int socket = 4;
} // namespace own

torch::Tensor forward(torch::Tensor x) {
  // CHECK: network.cu:[[#@LINE+1]]:11: reject: 'socket' uses the network [process-network]
  int s = socket(AF_INET, SOCK_STREAM, 0);
  // CHECK: :[[#@LINE+1]]:3: reject: 'connect' uses the network{{.*}}[process-network]
  connect(s, nullptr, 0);
  own::connect(1, 2);                            // accepted: an own function
  own::Graph graph;                              // accepted: an own class
  graph.bind(1);                                 // accepted: a method
  graph.listen();                                // accepted: a method
  graph.accept = 2;                              // accepted: a field
  own::socket = 5;                               // accepted: a variable
  auto f = std::bind(own::connect, 1, 2);        // accepted: the standard library's bind
  int pair = 3;                                  // accepted: a name that is part of socketpair
  const char *text = "connect";                  // accepted: text
  using Type = decltype(socket(0, 0, 0));        // accepted: not evaluated
  return torch::empty_like(x);                   // accepted: torch
}
