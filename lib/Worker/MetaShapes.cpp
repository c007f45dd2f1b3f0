//===- MetaShapes.cpp - shapes that torch's C++ part does not know ----------===//

#include "MetaShapes.h"
#include <ATen/ExpandUtils.h>
#include <ATen/WrapDimUtils.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/result_type.h>
#include <optional>
#include <torch/library.h>
#include <tuple>

using at::Tensor;
using MaybeTensor = std::optional<Tensor>;
using Sizes = std::vector<int64_t>;
using Three = std::tuple<Tensor, Tensor, Tensor>;

namespace {

int64_t at(at::IntArrayRef List, size_t I) { return List.size() == 1 ? List[0] : List[I]; }

/// cuDNN's fast kernels want channels last and copy input and output into that order. By the peaks
/// of docs/problems-h200.md that is what its workspace holds; kernels of one element, groups, and
/// three dimensions that are not transposed went without.
void takeWorkspace(const Tensor &Input, const Tensor &Weight, const Tensor &Output, bool Transposed,
                   int64_t Groups) {
  bool Pointwise = Weight.numel() == Weight.size(0) * Weight.size(1);
  bool Volume = Input.dim() == 5 && !Transposed;
  if (!Pointwise && !Volume && Groups == 1)
    at::empty({static_cast<int64_t>(Input.nbytes() + Output.nbytes())},
              Input.options().dtype(at::kByte));
}

/// torch.nn.Conv2d's and ConvTranspose2d's formulas.
Tensor convolution(const Tensor &Input, const Tensor &Weight, const MaybeTensor &,
                   at::IntArrayRef Stride, at::IntArrayRef Padding, at::IntArrayRef Dilation,
                   bool Transposed, at::IntArrayRef OutputPadding, int64_t Groups) {
  Sizes Shape = {Input.size(0), Transposed ? Weight.size(1) * Groups : Weight.size(0)};
  for (int64_t D = 2; D < Input.dim(); ++D) {
    auto I = static_cast<size_t>(D - 2);
    int64_t Reach = at(Dilation, I) * (Weight.size(D) - 1);
    Shape.push_back(Transposed
                        ? (Input.size(D) - 1) * at(Stride, I) - 2 * at(Padding, I) + Reach +
                              at(OutputPadding, I) + 1
                        : (Input.size(D) + 2 * at(Padding, I) - Reach - 1) / at(Stride, I) + 1);
  }
  Tensor Output = at::empty(Shape, Input.options());
  takeWorkspace(Input, Weight, Output, Transposed, Groups);
  return Output;
}

Three batchNorm(const Tensor &Input, const MaybeTensor &, const MaybeTensor &, const MaybeTensor &,
                const MaybeTensor &, bool Training, double, double) {
  int64_t Saved = Training ? Input.size(1) : 0;
  return {at::empty_like(Input), at::empty({Saved}, Input.options()),
          at::empty({Saved}, Input.options())};
}

Three groupNorm(const Tensor &Input, const MaybeTensor &, const MaybeTensor &, int64_t N, int64_t,
                int64_t, int64_t Group, double) {
  return {at::empty_like(Input), at::empty({N, Group}, Input.options()),
          at::empty({N, Group}, Input.options())};
}

Three layerNorm(const Tensor &Input, at::IntArrayRef Normalized, const MaybeTensor &,
                const MaybeTensor &, double) {
  Sizes Rows = Input.sizes().vec();
  std::fill(Rows.end() - static_cast<std::ptrdiff_t>(Normalized.size()), Rows.end(), 1);
  return {at::empty_like(Input), at::empty(Rows, Input.options()),
          at::empty(Rows, Input.options())};
}

std::tuple<Tensor, Tensor> maxPool3d(const Tensor &Input, at::IntArrayRef Kernel,
                                     at::IntArrayRef Stride, at::IntArrayRef Padding,
                                     at::IntArrayRef Dilation, bool Ceil) {
  Sizes Shape = Input.sizes().vec();
  for (size_t I = 0; I < 3; ++I) {
    int64_t Step = Stride.empty() ? at(Kernel, I) : at(Stride, I);
    int64_t &Size = Shape[Shape.size() - 3 + I];
    int64_t Room = Size + 2 * at(Padding, I) - at(Dilation, I) * (at(Kernel, I) - 1) - 1;
    int64_t Last = (Room + (Ceil ? Step - 1 : 0)) / Step;
    // A window starts within the input or its left padding (torch.nn.MaxPool3d).
    if (Ceil && Last * Step >= Size + at(Padding, I))
      --Last;
    Size = Last + 1;
  }
  return {at::empty(Shape, Input.options()), at::empty(Shape, Input.options().dtype(at::kLong))};
}

Tensor adaptivePool(const Tensor &Input, at::IntArrayRef Output) {
  Sizes Shape = Input.sizes().vec();
  std::copy(Output.begin(), Output.end(), Shape.end() - static_cast<std::ptrdiff_t>(Output.size()));
  return at::empty(Shape, Input.options());
}

Tensor likeInput(const Tensor &Input) { return at::empty_like(Input); }

Tensor hardtanh(const Tensor &Input, const at::Scalar &, const at::Scalar &) {
  return at::empty_like(Input);
}

Tensor flip(const Tensor &Input, at::IntArrayRef) { return at::empty_like(Input); }

Tensor &absInto(const Tensor &Input, Tensor &Output) {
  return const_cast<Tensor &>(Output.resize_(Input.sizes()));
}

Tensor where(const Tensor &Condition, const Tensor &A, const Tensor &B) {
  Sizes Shape = at::infer_size(Condition.sizes(), at::infer_size(A.sizes(), B.sizes()));
  return at::empty(Shape, Condition.options().dtype(at::result_type(A, B)));
}

Tensor &whereInto(const Tensor &Condition, const Tensor &A, const Tensor &B, Tensor &Output) {
  Sizes Shape = at::infer_size(Condition.sizes(), at::infer_size(A.sizes(), B.sizes()));
  return const_cast<Tensor &>(Output.resize_(Shape));
}

/// Of var and std.
Tensor reduced(const Tensor &Input, at::OptionalIntArrayRef Dimensions,
               const std::optional<at::Scalar> &, bool Keep) {
  std::vector<bool> Gone(static_cast<size_t>(Input.dim()), !Dimensions || Dimensions->empty());
  if (Dimensions)
    for (int64_t D : *Dimensions)
      Gone[static_cast<size_t>(at::maybe_wrap_dim(D, Input.dim()))] = true;
  Sizes Shape;
  for (size_t D = 0; D < Gone.size(); ++D)
    if (!Gone[D])
      Shape.push_back(Input.size(static_cast<int64_t>(D)));
    else if (Keep)
      Shape.push_back(1);
  return at::empty(Shape, Input.options());
}

Tensor indexSelect(const Tensor &Input, int64_t Dimension, const Tensor &Index) {
  Sizes Shape = Input.sizes().vec();
  Shape[static_cast<size_t>(at::maybe_wrap_dim(Dimension, Input.dim()))] = Index.numel();
  return at::empty(Shape, Input.options());
}

} // namespace

void cupel::worker::registerMetaShapes() {
  static torch::Library Shapes = [] {
    torch::Library Meta(torch::Library::IMPL, "aten", c10::DispatchKey::Meta, __FILE__, __LINE__);
    Meta.impl("convolution_overrideable", TORCH_FN(convolution));
    Meta.impl("native_batch_norm", TORCH_FN(batchNorm));
    Meta.impl("native_group_norm", TORCH_FN(groupNorm));
    Meta.impl("native_layer_norm", TORCH_FN(layerNorm));
    Meta.impl("max_pool3d_with_indices", TORCH_FN(maxPool3d));
    Meta.impl("_adaptive_avg_pool2d", TORCH_FN(adaptivePool));
    Meta.impl("_adaptive_avg_pool3d", TORCH_FN(adaptivePool));
    for (const char *Name : {"hardswish", "relu", "abs"})
      Meta.impl(Name, TORCH_FN(likeInput));
    Meta.impl("abs.out", TORCH_FN(absInto));
    Meta.impl("hardtanh", TORCH_FN(hardtanh));
    Meta.impl("flip", TORCH_FN(flip));
    Meta.impl("where.self", TORCH_FN(where));
    Meta.impl("where.self_out", TORCH_FN(whereInto));
    Meta.impl("var.correction", TORCH_FN(reduced));
    Meta.impl("std.correction", TORCH_FN(reduced));
    Meta.impl("index_select", TORCH_FN(indexSelect));
    return Meta;
  }();
}
