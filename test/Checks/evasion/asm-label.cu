// RUN: not %cupel lint --checks=evasion-asm-label %s | FileCheck %s --implicit-check-not='[evasion-asm-label]'
// REQUIRES: cupel, torch, cuda-headers

#include <torch/extension.h>

// CHECK: asm-label.cu:[[#@LINE+1]]:12: reject: 'fused' is the symbol '_ZN2at4_ops4relu4callERKNS_6TensorE' under another name [evasion-asm-label]
at::Tensor fused(const at::Tensor &) asm("_ZN2at4_ops4relu4callERKNS_6TensorE");
namespace inner {
// CHECK: :[[#@LINE+1]]:5: reject: 'read' is the symbol 'fopen' under another name{{.*}}[evasion-asm-label]
int read(const char *) __asm__("fopen");
} // namespace inner

extern "C" void launch(float *);                                       // accepted: another language's linkage
extern int counter;                                                    // accepted: a declaration
__device__ void barrier() { asm volatile("bar.sync 0;"); }             // accepted: a statement
namespace other = inner;                                               // accepted: another name for a namespace
using Function = void (*)(float *);                                    // accepted: another name for a type
constexpr Function address = &launch;                                  // accepted: a pointer
#define fused_relu launch
static void (*renamed)(float *) = fused_relu;                          // accepted: a macro
[[deprecated("asm")]] void old();                                      // accepted: an attribute with text
__attribute__((noinline)) void kept();                                 // accepted: an attribute
template <typename T> void generic(T);                                 // accepted: a template
using inner::read;                                                     // accepted: a using-declaration

torch::Tensor forward(torch::Tensor x) { return torch::empty_like(x); }
