// Cooperative groups, 16-bit floats, fragments of matrices: against plain loops.

#include "Run.h"
#include "cupel/emulate/Ptx.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda/barrier>
#include <cuda/functional>
#include <cuda/pipeline>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>
#include <numeric>
#if __has_include(<curand.h>) // A toolkit out of wheels need not have it.
#include <curand_kernel.h>
#endif

namespace {

using Libraries = EmulateTest;
namespace cg = cooperative_groups;

__global__ void tiles(const int *in, int *out) {
  const cg::thread_block block = cg::this_thread_block();
  const cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
  const int own = in[block.thread_rank()];
  out[block.thread_rank()] = cg::reduce(tile, own, cg::plus<int>());
  out[64 + block.thread_rank()] = cg::exclusive_scan(tile, own);
  out[128 + block.thread_rank()] =
      tile.shfl_down(own, 1) * 100 + static_cast<int>(tile.meta_group_rank());
}

TEST_F(Libraries, TilesOfAWarp) {
  std::vector<int> Values(64);
  std::iota(Values.begin(), Values.end(), 0);
  const Device<int> In(Values), Out(192);
  LAUNCH(tiles, Barriers, 1, 64)(In, Out);
  const std::vector<int> Got = Out.get();
  for (int T = 0; T < 64; ++T) {
    const int First = T / 8 * 8, R = T % 8;
    EXPECT_EQ(Got[T], First * 8 + 28);
    EXPECT_EQ(Got[64 + T], First * R + R * (R - 1) / 2);
    EXPECT_EQ(Got[128 + T], (R < 7 ? T + 1 : T) * 100 + T / 8);
  }
  EXPECT_EQ(texts(), "");
}

__global__ void wideTiles(const int *in, int *sums, int *votes) {
  __attribute__((unused)) cg::block_tile_memory<256> memory;
  const cg::thread_block block = cg::this_thread_block(memory);
  const auto tile = cg::tiled_partition<64>(block);
  const int own = in[block.thread_rank()];
  sums[block.thread_rank()] = cg::reduce(tile, own, cg::plus<int>());
  // Tiles go through different numbers of barriers.
  for (unsigned i = 0; i < tile.meta_group_rank(); ++i)
    tile.sync();
  votes[block.thread_rank()] = tile.any(own == 70) * 10 + tile.all(own < 128);
}

TEST_F(Libraries, TilesOfSeveralWarps) {
  std::vector<int> Values(256);
  std::iota(Values.begin(), Values.end(), 0);
  const Device<int> In(Values), Sums(256), Votes(256);
  LAUNCH(wideTiles, Barriers, 1, 256)(In, Sums, Votes);
  for (int T = 0; T < 256; ++T) {
    const int First = T / 64 * 64;
    EXPECT_EQ(Sums.get()[T], 64 * First + 63 * 32);
    EXPECT_EQ(Votes.get()[T], (First == 64) * 10 + (First < 128));
  }
  EXPECT_EQ(texts(), "");
}

constexpr unsigned PhaseLine = __LINE__ + 4;
__global__ void twoPhases(int *data, int *out) {
  const cg::grid_group grid = cg::this_grid();
  data[grid.thread_rank()] = static_cast<int>(grid.thread_rank());
  grid.sync();
  out[grid.thread_rank()] = data[grid.num_threads() - 1 - grid.thread_rank()];
}

TEST_F(Libraries, GridBarrier) {
  const Device<int> Data(1024), Out(1024);
  int *D = Data, *O = Out;
  void *Arguments[] = {&D, &O};
  const auto Kernel = emu::registered(emu::Site{"twoPhases", 1, emu::Waits::Anything}, twoPhases);
  ASSERT_EQ(cudaLaunchCooperativeKernel(reinterpret_cast<const void *>(Kernel), dim3(16), dim3(64),
                                        Arguments, 0, 0),
            cudaSuccess);
  for (int I = 0; I < 1024; ++I)
    ASSERT_EQ(Out.get()[I], 1023 - I);
  EXPECT_EQ(texts(), "");
  LAUNCH(twoPhases, Anything, 16, 64)(D, O);
  EXPECT_EQ(only("grid-sync").Line, PhaseLine);
}

constexpr unsigned LeftLine = __LINE__ + 4;
__global__ void someBlocksLeave(int *out) {
  if (blockIdx.x == 3)
    return;
  cg::this_grid().sync();
  out[blockIdx.x] = 1;
}

TEST_F(Libraries, GridBarrierThatABlockNeverReaches) {
  const Device<int> Out(16);
  int *O = Out;
  void *Arguments[] = {&O};
  const auto Kernel =
      emu::registered(emu::Site{"someBlocksLeave", 1, emu::Waits::Anything}, someBlocksLeave);
  ASSERT_EQ(cudaLaunchCooperativeKernel(reinterpret_cast<const void *>(Kernel), dim3(16), dim3(32),
                                        Arguments, 0, 0),
            cudaSuccess);
  const CupelEmulationError E = only("deadlock");
  EXPECT_EQ(E.Text, "no thread can go on: 32 threads wait for the grid (line " +
                        std::to_string(LeftLine) + ")");
  EXPECT_EQ(E.Line, LeftLine);
  EXPECT_STREQ(E.Kernel, "someBlocksLeave");
}

__global__ void halves(const __half *in, __half *out, __half2 *pair, __nv_bfloat16 *b) {
  out[threadIdx.x] = __hfma(in[threadIdx.x], __float2half(2.0f), hexp(__float2half(0.0f)));
  const __half sum = __hadd(in[threadIdx.x], __shfl_xor_sync(~0u, in[threadIdx.x], 1));
  atomicAdd(pair, __half2(sum, __float2half(1.0f)));
  atomicAdd(b, __float2bfloat16(0.5f));
}

TEST_F(Libraries, SixteenBitFloats) {
  std::vector<__half> Values;
  for (int I = 0; I < 32; ++I)
    Values.push_back(__float2half(I * 0.5f));
  const Device<__half> In(Values), Out(32);
  const Device<__half2> Pair(std::vector<__half2>{__half2(__float2half(0.0f), __float2half(0.0f))});
  const Device<__nv_bfloat16> B(std::vector<__nv_bfloat16>{__float2bfloat16(0.0f)});
  LAUNCH(halves, Barriers, 1, 32)(In, Out, Pair, B);
  EXPECT_EQ(__half2float(Out.get()[5]), 6.0f);
  EXPECT_EQ(__half2float(Pair.get()[0].x), 2 * 0.5f * 31 * 16);
  EXPECT_EQ(__half2float(Pair.get()[0].y), 32.0f);
  EXPECT_EQ(__bfloat162float(B.get()[0]), 16.0f);
  EXPECT_EQ(texts(), "");
}

__global__ void tile(const __half *a, const __half *b, float *c) {
  using namespace nvcuda;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 1.0f);
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::mma_sync(fc, fa, fb, fc);
  for (int i = 0; i < fc.num_elements; ++i)
    fc.x[i] *= 2.0f;
  wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}

TEST_F(Libraries, MatrixFragments) {
  std::vector<__half> A, B;
  for (int I = 0; I < 256; ++I) {
    A.push_back(__float2half(static_cast<float>(I % 7)));
    B.push_back(__float2half(static_cast<float>(I % 5)));
  }
  const Device<__half> DA(A), DB(B);
  const Device<float> C(256);
  LAUNCH(tile, Barriers, 1, 32)(DA, DB, C);
  for (int Y = 0; Y < 16; ++Y)
    for (int X = 0; X < 16; ++X) {
      float Sum = 1.0f;
      for (int K = 0; K < 16; ++K)
        Sum += (Y * 16 + K) % 7 * ((X * 16 + K) % 5);
      ASSERT_EQ(C.get()[Y * 16 + X], 2 * Sum);
    }
  EXPECT_EQ(texts(), "");
}

enum class Moves { Vector, Store, Scalar, Async, Rows, Stride, Volatile };

// What a GPU's instruction needs is told of each, whatever type the pointer has.
template <Moves Kind> __global__ void moved(float *at, int offset) {
  using namespace emu::ptx;
  float (&s)[32] = emu::sharedVariable<float[32], struct TagMoved>("s");
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(s));
  float *const p = at + offset;
  uint32_t a, b;
  if constexpr (Kind == Moves::Vector)
    ld_<uint32_t>(group(a, b), p);
  else if constexpr (Kind == Moves::Store)
    st_<uint32_t>(p, group(1u, 2u));
  else if constexpr (Kind == Moves::Scalar)
    ld_<uint32_t>(a, reinterpret_cast<char *>(at) + 2 * offset);
  else if constexpr (Kind == Moves::Async)
    cp_async_(to, p, 8), cp_async_wait_all_();
  else if constexpr (Kind == Moves::Volatile)
    *reinterpret_cast<volatile double *>(p) = 1.0;
  else {
    nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> f;
    if constexpr (Kind == Moves::Rows)
      nvcuda::wmma::load_matrix_sync(f, at + 2 * offset, 16, nvcuda::wmma::mem_row_major);
    else
      nvcuda::wmma::load_matrix_sync(f, at, 16 + 2 * offset, nvcuda::wmma::mem_row_major);
  }
}

template <Moves Kind> void expectAlignment(const std::string &Text) {
  const Device<float> At(512);
  LAUNCH(moved<Kind>, Barriers, 1, 32)(At, 2);
  EXPECT_EQ(cupelEmulateErrorCount(), 0u) << int(Kind);
  LAUNCH(moved<Kind>, Barriers, 1, 32)(At, 1);
  ASSERT_EQ(cupelEmulateErrorCount(), 1u) << int(Kind);
  EXPECT_STREQ(cupelEmulateErrorAt(0)->Kind, "misaligned-address");
  EXPECT_EQ(cupelEmulateErrorAt(0)->Text,
            "an address that must be a multiple of " + Text + " only");
  EXPECT_NE(cupelEmulateErrorAt(0)->Line, 0u);
  cupelEmulateReset();
}

TEST_F(Libraries, MisalignedInstructions) {
  expectAlignment<Moves::Vector>("8 is one of 4");
  expectAlignment<Moves::Store>("8 is one of 4");
  expectAlignment<Moves::Scalar>("4 is one of 2");
  expectAlignment<Moves::Async>("8 is one of 4");
  expectAlignment<Moves::Rows>("16 is one of 8");
  expectAlignment<Moves::Stride>("16 is one of 8");
  expectAlignment<Moves::Volatile>("8 is one of 4");
}

template <bool Waits> __global__ void staged(const float *in, float *out) {
  float (&s)[64] = emu::sharedVariable<float[64], struct TagStaged>("s");
  __pipeline_memcpy_async(&s[threadIdx.x], &in[threadIdx.x], 4);
  __pipeline_commit();
  if (Waits)
    __pipeline_wait_prior(0);
  __syncthreads();
  out[threadIdx.x] = s[63 - threadIdx.x];
}

TEST_F(Libraries, AsynchronousCopiesNeedAWait) {
  std::vector<float> Values(64);
  std::iota(Values.begin(), Values.end(), 0.0f);
  const Device<float> In(Values), Out(64);
  LAUNCH(staged<true>, Barriers, 1, 64)(In, Out);
  EXPECT_EQ(Out.get()[0], 63.0f);
  EXPECT_EQ(texts(), "");
  LAUNCH(staged<false>, Barriers, 1, 64)(In, Out);
  EXPECT_NE(texts().find(") and has not waited for"), std::string::npos) << texts();
}

__global__ void pipelined(const float *in, float *out, int n) {
  float (&s)[2][32] = emu::sharedVariable<float[2][32], struct TagPipelined>("s");
  auto pipe = cuda::make_pipeline();
  const int t = threadIdx.x;
  pipe.producer_acquire();
  cuda::memcpy_async(&s[0][t], &in[t], sizeof(float), pipe);
  pipe.producer_commit();
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    if (i + 1 < n) {
      pipe.producer_acquire();
      cuda::memcpy_async(&s[(i + 1) % 2][t], &in[(i + 1) * 32 + t], sizeof(float), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    __syncthreads();
    sum += s[i % 2][31 - t];
    __syncthreads();
    pipe.consumer_release();
  }
  out[t] = sum;
}

TEST_F(Libraries, PipelineOfTwoStages) {
  std::vector<float> Values(128);
  std::iota(Values.begin(), Values.end(), 0.0f);
  const Device<float> In(Values), Out(32);
  LAUNCH(pipelined, Barriers, 1, 32)(In, Out, 4);
  for (int T = 0; T < 32; ++T)
    EXPECT_EQ(Out.get()[T], 4 * (31 - T) + 32 * 6);
  EXPECT_EQ(texts(), "");
}

constexpr unsigned ArriveLine = __LINE__ + 11;
template <bool Waits> __global__ void phases(int *out) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
  Barrier &b = emu::sharedVariable<Barrier, struct TagBarrier>("b");
  int (&s)[64] = emu::sharedVariable<int[64], struct TagPhases>("s");
  if (threadIdx.x == 0)
    init(&b, blockDim.x);
  if (Waits)
    __syncthreads();
  for (int i = 0; i < 3; ++i) {
    s[threadIdx.x] = threadIdx.x + i;
    b.arrive_and_wait();
    out[threadIdx.x] = s[63 - threadIdx.x];
    b.arrive_and_wait();
  }
}

TEST_F(Libraries, BarrierWithPhases) {
  const Device<int> Out(64);
  LAUNCH(phases<true>, Barriers, 1, 64)(Out);
  EXPECT_EQ(Out.get()[0], 65);
  EXPECT_EQ(texts(), "");
}

// The first phase may begin before the barrier is there.
TEST_F(Libraries, ABarrierIsMadeBeforeOthersArrive) {
  const Device<int> Out(64);
  LAUNCH(phases<false>, Barriers, 1, 64)(Out);
  ASSERT_NE(cupelEmulateErrorCount(), 0u);
  const CupelEmulationError &E = *cupelEmulateErrorAt(0);
  EXPECT_STREQ(E.Kind, "shared-race");
  EXPECT_EQ(E.Rejects, 1);
  EXPECT_EQ(E.Line, ArriveLine);
  EXPECT_NE(std::string(E.Text).find("of shared variable 'b' of 12 bytes, where thread (0,0,0) "
                                     "writes"),
            std::string::npos)
      << E.Text;
}

// Each warp has one of its own.
__global__ void phasesOfWarps(int *out) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
  Barrier(&b)[2] = emu::sharedVariable<Barrier[2], struct TagBarriers>("b");
  int (&s)[64] = emu::sharedVariable<int[64], struct TagOfWarps>("s");
  const int t = threadIdx.x, warp = t / 32;
  if (t % 32 == 0)
    init(&b[warp], 32);
  __syncwarp();
  s[t] = t;
  b[warp].arrive_and_wait();
  out[t] = s[t ^ 31];
}

TEST_F(Libraries, BarriersOfWarps) {
  const Device<int> Out(64);
  LAUNCH(phasesOfWarps, Barriers, 1, 64)(Out);
  EXPECT_EQ(Out.get()[40], 55);
  EXPECT_EQ(texts(), "");
}

__global__ void counted(int *out, float *most) {
  int &s = emu::sharedVariable<int, struct TagCounted>("s");
  if (threadIdx.x == 0)
    s = 0;
  __syncthreads();
  cuda::atomic_ref<int, cuda::thread_scope_block>(s).fetch_add(1, cuda::memory_order_relaxed);
  __syncthreads();
  out[threadIdx.x] = s;
  most[threadIdx.x] = cuda::maximum<>{}(1.0f, static_cast<float>(threadIdx.x));
}

TEST_F(Libraries, TheToolkitsOwnAtomicsAndOperators) {
  const Device<int> Out(64);
  const Device<float> Most(64);
  LAUNCH(counted, Barriers, 1, 64)(Out, Most);
  EXPECT_EQ(Out.get()[5], 64);
  EXPECT_EQ(Most.get()[7], 7.0f);
  EXPECT_EQ(texts(), "");
}

#if __has_include(<curand.h>)
__global__ void random(float *out) {
  curandStatePhilox4_32_10_t state;
  curand_init(1, threadIdx.x, 0, &state);
  out[threadIdx.x] = curand_uniform(&state);
}

TEST_F(Libraries, RandomNumbersOfTheToolkit) {
  const Device<float> Out(64);
  LAUNCH(random, Never, 1, 64)(Out);
  float Sum = 0;
  for (const float Value : Out.get())
    Sum += Value;
  EXPECT_GT(Sum, 20.0f);
  EXPECT_LT(Sum, 44.0f);
  EXPECT_NE(Out.get()[0], Out.get()[1]);
  EXPECT_EQ(texts(), "");
}
#endif

// One warp brings what the other turns around, through two stages.
__global__ void roles(const int *in, int *out, int rounds) {
  using State = cuda::pipeline_shared_state<cuda::thread_scope_block, 2>;
  auto &state = emu::sharedVariable<State, struct TagRoles>("state");
  int (&s)[2][32] = emu::sharedVariable<int[2][32], struct TagStages>("s");
  const int lane = threadIdx.x % 32;
  const bool produces = threadIdx.x < 32;
  auto pipe =
      cuda::make_pipeline(cg::this_thread_block(), &state,
                          produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  for (int i = 0; i < rounds; ++i) {
    if (produces) {
      pipe.producer_acquire();
      cuda::memcpy_async(&s[i % 2][lane], &in[i * 32 + lane], sizeof(int), pipe);
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      out[i * 32 + lane] = s[i % 2][31 - lane];
      pipe.consumer_release();
    }
  }
}

TEST_F(Libraries, PipelineWithRoles) {
  std::vector<int> Values(7 * 32);
  std::iota(Values.begin(), Values.end(), 0);
  const Device<int> In(Values), Out(7 * 32);
  LAUNCH(roles, Barriers, 1, 64)(In, Out, 7);
  for (int I = 0; I < 7 * 32; ++I)
    EXPECT_EQ(Out.get()[I], I / 32 * 32 + 31 - I % 32);
  EXPECT_EQ(texts(), "");
}

} // namespace
