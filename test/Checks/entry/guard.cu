// Each line below puts another condition into the entry. What the problem gives: x float32 [rows, cols],
// index int64 [rows], scale 2.5, count 3; rows and cols are 4 and 8 or 3 and 7.
//
// RUN: sed 's/@@/TORCH_CHECK(x.scalar_type() == torch::kHalf, "half");/' %s > %t.cu
// RUN: not %cupel lint --checks=entry-guard --problem %S/../Inputs/rows.toml %t.cu | FileCheck %s --check-prefixes=ALL,CHECK-STOP,DTYPE
// RUN: sed 's/@@/TORCH_CHECK(x.dim() == 3 || x.is_cpu());/' %s > %t.cu
// RUN: not %cupel lint --checks=entry-guard --problem %S/../Inputs/rows.toml %t.cu | FileCheck %s --check-prefixes=ALL,CHECK-STOP,DIM
// RUN: sed 's/@@/if (x.dtype() != torch::kFloat64 \&\& cols > 2) throw std::invalid_argument("x");/' %s > %t.cu
// RUN: not %cupel lint --checks=entry-guard --problem %S/../Inputs/rows.toml %t.cu | FileCheck %s --check-prefixes=ALL,CHECK-STOP,THROW
// RUN: sed 's/@@/if (x.sizes()[1] * count < 1000) abort();/' %s > %t.cu
// RUN: not %cupel lint --checks=entry-guard --problem %S/../Inputs/rows.toml %t.cu | FileCheck %s --check-prefixes=ALL,CHECK-STOP,ABORT
// RUN: sed 's/@@/REQUIRE_INT(index);/' %s > %t.cu
// RUN: not %cupel lint --checks=entry-guard --problem %S/../Inputs/rows.toml %t.cu | FileCheck %s --check-prefixes=ALL,CHECK-STOP,HELPER
// RUN: sed 's/@@/AT_DISPATCH_FLOATING_TYPES(index.scalar_type(), "k", [\&] { use(index.data_ptr<scalar_t>()); });/' %s > %t.cu
// RUN: not %cupel lint --checks=entry-guard --problem %S/../Inputs/rows.toml %t.cu | FileCheck %s --check-prefixes=ALL,DISPATCH
// RUN: sed 's/@@/const int64_t depth = x.size(2);/' %s > %t.cu
// RUN: not %cupel lint --checks=entry-guard --problem %S/../Inputs/rows.toml %t.cu | FileCheck %s --check-prefixes=ALL,SIZE
// RUN: sed 's/@@/TORCH_CHECK(scale < 1.0, "scale");/' %s > %t.cu
// RUN: not %cupel lint --checks=entry-guard --problem %S/../Inputs/rows.toml %t.cu | FileCheck %s --check-prefixes=ALL,SCALAR
// RUN: sed 's/@@/TORCH_CHECK(cols % 4 == 0, "cols");/' %s > %t.cu
// RUN: %cupel lint --checks=entry-guard --problem %S/../Inputs/rows.toml %t.cu | FileCheck %s --check-prefix=SOME
// RUN: sed 's/@@//' %s > %t.cu
// RUN: %cupel lint --checks=entry-guard --problem %S/../Inputs/rows.toml %t.cu | FileCheck %s --check-prefix=NONE --implicit-check-not='[entry-guard]'
// RUN: sed 's/@@/TORCH_CHECK(x.dim() == 3);/' %s > %t.cu
// RUN: %cupel lint --checks=entry-guard %t.cu | FileCheck %s --check-prefix=NONE --implicit-check-not='[entry-guard]'
// REQUIRES: cupel, torch, cuda-headers

// CHECK-STOP: reject: every call of the problem stops here: {{.*}} [entry-guard]
// DTYPE: note: 'x.scalar_type()' is float32; case 'even' gives 'x' as float32 [4, 8]
// DIM: note: 'x.dim()' is 2; case 'even' gives 'x' as float32 [4, 8]
// THROW: note: 'x.dtype()' is float32
// THROW: note: 'cols' is 8
// ABORT: note: 'x.sizes()' is [4, 8]
// HELPER: note: 't.scalar_type()' is int64; case 'even' gives 'index' as int64 [4]
// HELPER: note: called here
// DISPATCH: reject: every call of the problem stops here: no case is for Long
// SIZE: reject: every call of the problem stops here: dimension 2 of a tensor with 2 dimensions
// SCALAR: reject: every call of the problem stops here: 'scale < 1.0' is false
// ALL: rejected: 1 reject
// SOME: warn: the call of case 'odd' stops here: 'cols % 4 == 0' is false [entry-guard]
// SOME: note: 'cols' is 7
// SOME: accepted: 1 warning
// NONE: accepted: no findings

#include <ATen/cuda/CUDAContext.h>
#include <torch/extension.h>
#include <stdexcept>

static void requireInt(const at::Tensor &t) {
  TORCH_CHECK(t.scalar_type() == at::ScalarType::Int, "int32 wanted");
}
#define REQUIRE_INT(t) requireInt(t)
#define CHECK_INPUT(t) TORCH_CHECK((t).is_cuda() && (t).is_contiguous(), #t " must be on the GPU")
template <typename T> void use(T *) {}
bool isSupported(const at::Tensor &);

__global__ void rows(const float *x, const int64_t *index, float *y, int cols, float scale) {
  for (int i = threadIdx.x; i < cols; i += blockDim.x)
    y[blockIdx.x * cols + i] = x[index[blockIdx.x] * cols + i] * scale;
}

static int blockSize(int cols) {
  if (cols <= 0)
    throw std::runtime_error("no columns");
  return cols < 256 ? 32 : 256;
}

torch::Tensor forward(torch::Tensor x, const torch::Tensor &index, double scale, int64_t count) {
  CHECK_INPUT(x);                                                         // accepted: it is
  TORCH_CHECK(x.dtype() == torch::kFloat32, "x must be float32");         // accepted: it is
  TORCH_CHECK(index.scalar_type() == torch::kLong);                       // accepted: it is
  TORCH_CHECK(x.dim() == 2 && index.dim() == 1, "2-D and 1-D");           // accepted: they are
  TORCH_CHECK(x.size(0) == index.size(0) && x.size(-1) >= 7);             // accepted: they are
  TORCH_CHECK(x.device() == index.device(), "one device");                // accepted: it is
  TORCH_CHECK(x.device().type() == at::kCUDA && !x.device().is_cpu());    // accepted: it is
  TORCH_CHECK(x.numel() < std::numeric_limits<int>::max(), "too big");    // accepted: it is not
  TORCH_CHECK(x.scalar_type() == at::kHalf || x.scalar_type() == at::kFloat); // accepted: the second
  const int64_t cols = x.size(1);
  if (cols > 65536 || count < 0)
    throw std::invalid_argument("cols");                                  // accepted: false
  if (x.numel() == 0)
    abort();                                                              // accepted: false
  const auto *properties = at::cuda::getCurrentDeviceProperties();
  TORCH_CHECK(properties->major >= 9, "too old");                         // accepted: not known
  TORCH_CHECK(isSupported(x), "not supported");                           // accepted: not known
  TORCH_CHECK(reinterpret_cast<uintptr_t>(x.data_ptr()) % 16 == 0);       // accepted: not known
  try {
    TORCH_CHECK(x.dim() == 3, "caught");                                  // accepted: caught below
  } catch (const c10::Error &) {
  }
  switch (x.dim()) {
  case 1:
    throw std::runtime_error("1-D");                                      // accepted: another case
  case 2:
    break;
  default:
    TORCH_CHECK(false, "3-D");                                            // accepted: another case
  }
  auto wide = x;
  wide = wide.to(torch::kFloat64);
  TORCH_CHECK(wide.scalar_type() == torch::kFloat64);                     // accepted: another tensor
  int64_t left = 0;
  for (int64_t i = 0; i < cols; ++i)
    ++left;
  TORCH_CHECK(left != 0, "a loop has run");                               // accepted: not known
  auto size = [&](int64_t d) { return x.size(d); };
  TORCH_CHECK(size(0) > 0 && size(1) > 0);                                // accepted: they are
  @@
  auto y = torch::empty_like(x);
  rows<<<x.size(0), blockSize(cols)>>>(x.data_ptr<float>(), index.data_ptr<int64_t>(),
                                       y.data_ptr<float>(), cols, scale * count);
  return y;
}
