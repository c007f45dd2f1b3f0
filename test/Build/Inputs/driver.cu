// Calls the CUDA driver, as users of the tensor memory accelerator do.
#include <torch/extension.h>

#include <cuda.h>

__global__ void copy(const float *in, float *out) { out[threadIdx.x] = in[threadIdx.x]; }

torch::Tensor forward(torch::Tensor x) {
  CUtensorMap map;
  const cuuint64_t sizes[2] = {32, 32}, strides[1] = {128};
  const cuuint32_t box[2] = {8, 8}, steps[2] = {1, 1};
  const CUresult made = cuTensorMapEncodeTiled(
      &map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, x.data_ptr<float>(), sizes, strides, box, steps,
      CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
      CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  TORCH_CHECK(made == CUDA_SUCCESS, "no tensor map");
  torch::Tensor out = torch::empty_like(x);
  copy<<<1, 32>>>(x.data_ptr<float>(), out.data_ptr<float>());
  return out;
}
