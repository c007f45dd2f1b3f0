#include <cuda_fp16.h>
#include <torch/extension.h>

// One product of 16x16 by 16x8, by each instruction of matrices that there is: f16 in two shapes and
// with f16 sums, bf16 in two shapes, tf32 in two, s8.

__device__ unsigned sharedAt(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

__device__ unsigned short toBf16(float v) {
  unsigned short r;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(r) : "f"(v));
  return r;
}
__device__ unsigned short toF16(float v) {
  unsigned short r;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(r) : "f"(v));
  return r;
}
__device__ unsigned toTf32(float v) {
  unsigned r;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(r) : "f"(v));
  return r;
}

__device__ void loadA(unsigned (&a)[4], const unsigned short (*s)[16], int lane) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
               : "r"(sharedAt(&s[lane % 16][lane / 16 * 8])));
}
__device__ void loadB(unsigned (&b)[2], const unsigned short (*s)[8], int lane) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"
               : "=r"(b[0]), "=r"(b[1])
               : "r"(sharedAt(&s[lane % 16][0])));
}

__device__ void product16f16(float (&c)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
               "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
__device__ void product8f16(float (&c)[4], unsigned a0, unsigned a1, unsigned b) {
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 "
               "{%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(a0), "r"(a1), "r"(b));
}
__device__ void product16bf16(float (&c)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
               "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
__device__ void product8bf16(float (&c)[4], unsigned a0, unsigned a1, unsigned b) {
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 "
               "{%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(a0), "r"(a1), "r"(b));
}

__device__ void store(float *out, float (&c)[4], int lane) {
  for (int i = 0; i < 4; ++i) {
    out[(lane / 4 + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = c[i];
    c[i] = 0.0f;
  }
}

__global__ void products(const float *a32, const float *b32, float *out) {
  __shared__ alignas(16) float fa[16][16], fb[16][8];
  __shared__ alignas(16) unsigned short ha[16][16], hb[16][8], ba[16][16], bb[16][8];
  const int lane = threadIdx.x, g = lane / 4, t = lane % 4;
  for (int i = lane * 4; i < 256; i += 128)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(sharedAt(&fa[0][i])), "l"(a32 + i));
  for (int i = lane * 4; i < 128; i += 128)
    asm volatile("cp.async.ca.shared.global.L2::128B [%0], [%1], 16;" ::"r"(sharedAt(&fb[0][i])),
                 "l"(b32 + i));
  asm volatile("cp.async.commit_group;");
  asm volatile("cp.async.wait_group 0;");
  asm volatile("bar.sync 0;");
  for (int i = lane; i < 256; i += 32) {
    ha[0][i] = toF16(fa[0][i]);
    ba[0][i] = toBf16(fa[0][i]);
    if (i < 128) {
      hb[0][i] = toF16(fb[0][i]);
      bb[0][i] = toBf16(fb[0][i]);
    }
  }
  asm volatile("bar.sync 1, 32;");
  unsigned a[4], b[2];
  float c[4] = {};
  loadA(a, ha, lane);
  loadB(b, hb, lane);
  product16f16(c, a, b);
  store(out, c, lane);
  product8f16(c, a[0], a[1], b[0]);
  product8f16(c, a[2], a[3], b[1]);
  store(out + 128, c, lane);
  unsigned h[2] = {};
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 "
               "{%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%0,%1};"
               : "+r"(h[0]), "+r"(h[1])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  for (int i = 0; i < 4; ++i)
    c[i] = __half2float(__ushort_as_half((unsigned short)(h[i / 2] >> i % 2 * 16)));
  store(out + 256, c, lane);
  loadA(a, ba, lane);
  loadB(b, bb, lane);
  product16bf16(c, a, b);
  store(out + 384, c, lane);
  product8bf16(c, a[0], a[1], b[0]);
  product8bf16(c, a[2], a[3], b[1]);
  store(out + 512, c, lane);
  for (int k = 0; k < 16; k += 4)
    asm volatile("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 "
                 "{%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(toTf32(fa[g][k + t])), "r"(toTf32(fa[g + 8][k + t])), "r"(toTf32(fb[k + t][g])));
  store(out + 640, c, lane);
  for (int k = 0; k < 16; k += 8) {
    for (int i = 0; i < 4; ++i)
      a[i] = toTf32(fa[g + i % 2 * 8][k + t + i / 2 * 4]);
    for (int i = 0; i < 2; ++i)
      b[i] = toTf32(fb[k + t + i * 4][g]);
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
                 "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  }
  store(out + 768, c, lane);
  unsigned pa[2] = {}, pb = 0;
  for (int i = 0; i < 4; ++i) {
    pa[0] |= ((int)fa[g][t * 4 + i] & 255) << 8 * i;
    pa[1] |= ((int)fa[g + 8][t * 4 + i] & 255) << 8 * i;
    pb |= ((int)fb[t * 4 + i][g] & 255) << 8 * i;
  }
  int s[4] = {};
  asm volatile("mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 "
               "{%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
               : "+r"(s[0]), "+r"(s[1]), "+r"(s[2]), "+r"(s[3])
               : "r"(pa[0]), "r"(pa[1]), "r"(pb));
  for (int i = 0; i < 4; ++i)
    c[i] = s[i];
  store(out + 896, c, lane);
}

// (x & y) | ~z, the bits that x and y differ in, and a rounding.
__global__ void words(const int *x, const int *y, const int *z, const float *v, int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int a, b, c, logic, count;
  float f;
  asm volatile("ld.global.nc.L1::no_allocate.L2::128B.s32 %0, [%1];" : "=r"(a) : "l"(x + i));
  asm volatile("ld.global.cg.s32 %0, [%1];" : "=r"(b) : "l"(y + i));
  asm volatile("ld.global.L1::evict_last.s32 %0, [%1];" : "=r"(c) : "l"(z + i));
  asm volatile("ld.global.ca.f32 %0, [%1];" : "=f"(f) : "l"(v + i));
  asm("lop3.b32 %0, %1, %2, %3, 0xd5;" : "=r"(logic) : "r"(a), "r"(b), "r"(c));
  asm("{ .reg .b32 d; xor.b32 d, %1, %2; popc.b32 %0, d; }" : "=r"(count) : "r"(a), "r"(b));
  int rounded;
  asm("cvt.rni.s32.f32 %0, %1;" : "=r"(rounded) : "f"(f));
  asm volatile("st.global.cs.s32 [%0], %1;" ::"l"(out + i), "r"(logic));
  asm volatile("st.global.wt.s32 [%0], %1;" ::"l"(out + n + i), "r"(count));
  asm volatile("st.global.L1::no_allocate.s32 [%0], %1;" ::"l"(out + 2 * n + i), "r"(rounded));
}

std::tuple<torch::Tensor, torch::Tensor> forward(torch::Tensor a, torch::Tensor b, torch::Tensor x,
                                                 torch::Tensor y, torch::Tensor z, torch::Tensor v) {
  torch::Tensor out = torch::empty({8, 16, 8}, a.options());
  products<<<1, 32>>>(a.data_ptr<float>(), b.data_ptr<float>(), out.data_ptr<float>());
  const int n = static_cast<int>(x.numel());
  torch::Tensor bits = torch::empty({3, n}, x.options());
  words<<<(n + 127) / 128, 128>>>(x.data_ptr<int>(), y.data_ptr<int>(), z.data_ptr<int>(),
                                  v.data_ptr<float>(), bits.data_ptr<int>(), n);
  return std::make_tuple(out, bits);
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
