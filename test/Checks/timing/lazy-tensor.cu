// RUN: not %cupel lint --checks=timing-lazy-tensor %s | FileCheck %s --implicit-check-not='[timing-lazy-tensor]'
// REQUIRES: cupel, torch, cuda-headers

#include <c10/core/Allocator.h>
#include <c10/core/TensorImpl.h>
#include <torch/extension.h>

// CHECK: lazy-tensor.cu:[[#@LINE+1]]:{{[0-9]+}}: reject: a class derived from 'c10::TensorImpl'{{.*}} [timing-lazy-tensor]
struct Lazy : public c10::TensorImpl {
  using c10::TensorImpl::TensorImpl;
};
namespace inner {
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: a class derived from 'c10::StorageImpl'{{.*}}[timing-lazy-tensor]
class Store : public c10::StorageImpl {
public:
  using c10::StorageImpl::StorageImpl;
};
} // namespace inner

namespace own {
struct TensorImpl {};
struct Derived : TensorImpl {};                   // accepted: an own base of that name
} // namespace own
struct Params { at::Tensor x; };                  // accepted: holds a tensor
struct More : Params {};                          // accepted: derives from an own struct
class Base { public: virtual ~Base() {} };        // accepted: virtual functions
class Launcher : public Base {};                  // accepted: derives from an own class
template <typename T> struct Vec : Params {};     // accepted: a template
struct Pair : std::pair<int, int> {};             // accepted: derives from the standard library
struct Options : at::TensorOptions {};            // accepted: derives from options
struct Err : std::runtime_error { using std::runtime_error::runtime_error; }; // accepted: an exception
using Alias = c10::TensorImpl;                    // accepted: a name for a type
c10::TensorImpl *pointer(at::Tensor x) { return x.unsafeGetTensorImpl(); }    // accepted: a pointer

torch::Tensor forward(torch::Tensor x) { return torch::empty_like(x); }
