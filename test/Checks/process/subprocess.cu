// RUN: not %cupel lint --checks=process-subprocess %s | FileCheck %s --implicit-check-not='[process-subprocess]'
// REQUIRES: cupel, torch, cuda-headers

#include <cstdlib>
#include <cstdio>
#include <torch/extension.h>
#include <unistd.h>

namespace own {
int system(int x) { return x; }
struct Pipe {
  int popen() { return 1; }
  int fork = 2;
};
void execute() {}
template <typename T> T clone(T x) { return x; }
} // namespace own

__global__ void kernel(const float *x, float *y) { y[0] = x[0]; }

int start() {
  // CHECK: subprocess.cu:[[#@LINE+1]]:10: reject: 'system' starts another process [process-subprocess]
  return system("true");
}

torch::Tensor forward(torch::Tensor x) {
  // CHECK: :[[#@LINE+1]]:13: reject: 'popen' starts another process{{.*}}[process-subprocess]
  FILE *p = popen("nvidia-smi", "r");
  // CHECK: :[[#@LINE+1]]:16: reject: 'fork' starts another process{{.*}}[process-subprocess]
  auto child = fork();
  // CHECK: :[[#@LINE+1]]:3: reject: 'syscall' calls the operating system by number{{.*}}[process-subprocess]
  syscall(57);
  auto y = torch::empty_like(x);
  own::system(start());                // accepted: an own function of that name
  own::Pipe pipe;                      // accepted: an own class
  pipe.popen();                        // accepted: a method of an own class
  pipe.fork = 3;                       // accepted: a field
  own::execute();                      // accepted: a name that begins like exec
  own::clone(3);                       // accepted: an own template
  const char *text = "system(\"rm\")"; // accepted: text
  // accepted: system("in a comment")
  using Call = decltype(system(""));   // accepted: not evaluated
  (void)sizeof(fork());                // accepted: not evaluated
  y.clone();                           // accepted: here; fallback-tensor-copy looks at it
  kernel<<<1, 32>>>(x.data_ptr<float>(), y.data_ptr<float>());
  return y;
}
