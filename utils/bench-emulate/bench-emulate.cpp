// How fast emulated kernels run, with all checks on:
//
//   bench-emulate [CLANG KERNELS.CPP FLAG...]
//
// prints for each kernel its time, the processor's time on all cores, which does not grow where
// others use the machine too, threads and thread-steps per second; a thread-step is one turn
// of a thread's innermost loop, a kernel's whole body where there is none. With a compiler and its
// arguments, first how long they take to compile the kernels: the part of the build.

#include "Report.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

void runMatmul(const float *A, const float *B, float *C, int N);
void runTiledMatmul(const float *A, const float *B, float *C, int N);
void runReduction(const float *In, float *Out, int N);
void runWarpReduction(const float *In, float *Out, int N);
void runRelu(const float *In, float *Out, int N);

template <class F> static double seconds(F Job) {
  const auto Start = std::chrono::steady_clock::now();
  Job();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - Start).count();
}

template <class F> static void measure(const char *Name, double Steps, F Job) {
  const unsigned long Threads = cupelEmulateThreads();
  const std::clock_t Start = std::clock();
  const double Time = seconds(Job), Processor = double(std::clock() - Start) / CLOCKS_PER_SEC;
  std::printf("%-28s %8.3f s %8.3f s CPU %10lu threads %10.1f M thread-steps/s\n", Name, Time,
              Processor, cupelEmulateThreads() - Threads, Steps / Time / 1e6);
}

int main(int Count, char **Arguments) {
  if (Count > 1) {
    std::string Command;
    for (int I = 1; I < Count; ++I)
      Command += "'" + std::string(Arguments[I]) + "' ";
    int Status = 0;
    const double Time = seconds([&] { Status = std::system(Command.c_str()); });
    if (Status != 0) {
      std::fprintf(stderr, "bench-emulate: the compiler failed\n");
      return 2;
    }
    std::printf("%-28s %8.3f s\n", "build", Time);
  }
  constexpr int N = 256, Many = 1 << 20;
  auto *A = static_cast<float *>(cupelEmulateAllocate(Many * sizeof(float)));
  auto *B = static_cast<float *>(cupelEmulateAllocate(Many * sizeof(float)));
  auto *C = static_cast<float *>(cupelEmulateAllocate(Many * sizeof(float)));
  if (!A || !B || !C) {
    std::fprintf(stderr, "bench-emulate: no device memory\n");
    return 2;
  }
  for (int I = 0; I < Many; ++I)
    A[I] = B[I] = 1.0f;
  measure("matmul 256^3", double(N) * N * N, [&] { runMatmul(A, B, C, N); });
  const bool Right = C[N * N - 1] == N;
  measure("tiled matmul 256^3", double(N) * N * N, [&] { runTiledMatmul(A, B, C, N); });
  C[0] = 0.0f;
  measure("reduction of 2^20, barriers", double(Many) * 9, [&] { runReduction(A, C, Many); });
  const float Sum = C[0];
  measure("reduction of 2^20, shuffles", double(Many) * 5, [&] { runWarpReduction(A, C, Many); });
  measure("relu of 2^20", Many, [&] { runRelu(A, C, Many); });
  if (!Right || Sum != Many || cupelEmulateErrorCount() != 0) {
    std::fprintf(stderr, "bench-emulate: wrong results\n");
    return 1;
  }
}
