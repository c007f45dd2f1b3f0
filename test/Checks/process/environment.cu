// RUN: %cupel lint --checks=process-environment %s | FileCheck %s --implicit-check-not='[process-environment]'
// REQUIRES: cupel, torch, cuda-headers

#include <cstdlib>
#include <torch/extension.h>

namespace own {
int getenv(int x) { return x; }
} // namespace own

torch::Tensor forward(torch::Tensor x) {
  // CHECK: environment.cu:[[#@LINE+1]]:7: warn: 'getenv' makes the result depend on the environment [process-environment]
  if (std::getenv("FAST"))
    return x;
  own::getenv(1); // accepted: an own function
  return torch::empty_like(x);
}
