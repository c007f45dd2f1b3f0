// RUN: %cupel lint --checks=fallback-aten-call %s | FileCheck %s --implicit-check-not='[fallback-aten-call]'
// REQUIRES: cupel, torch, cuda-headers

#include <torch/extension.h>

constexpr bool HasFastPath = true;

// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: note: 'at::relu' leaves the work to torch; not judged: the entry never gets here{{.*}}[fallback-aten-call]
at::Tensor unused(at::Tensor x) { return at::relu(x); }

template <typename T> T uninstantiated(T x) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: note: 'at::relu' {{.*}}not judged: the entry never gets here{{.*}}[fallback-aten-call]
  return at::relu(at::Tensor(x));
}

__global__ void copy(const float *in, float *out) { out[threadIdx.x] = in[threadIdx.x]; }

at::Tensor onlyForCpu(at::Tensor x) {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: note: 'at::exp' {{.*}}not judged: the entry never gets here{{.*}}[fallback-aten-call]
  return at::exp(x);
}

at::Tensor forward(at::Tensor x) {
  if (!x.is_cuda())
    // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: note: 'at::sin' {{.*}}not judged: only for tensors that are not on the GPU{{.*}}[fallback-aten-call]
    return at::sin(onlyForCpu(x));
  auto y = at::empty_like(x);
  if (HasFastPath)
    copy<<<1, 32>>>(x.data_ptr<float>(), y.data_ptr<float>());
  else
    // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: note: 'at::cos' {{.*}}not judged: behind a condition that is never true{{.*}}[fallback-aten-call]
    y = at::cos(x);
  if constexpr (sizeof(void *) == 4)
    // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: note: 'at::tan' {{.*}}not judged: behind a condition{{.*}}[fallback-aten-call]
    y = at::tan(x);
  return y;
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: note: 'at::log' {{.*}}not judged: behind a condition{{.*}}[fallback-aten-call]
  return at::log(x);
}
// CHECK: accepted: 7 notes (policy strict)
