//===- AllowList.cpp - what of torch a submission may use -------------------===//
//
// The tables of docs/checks/allow-list.md. An operator that is in none of them computes: a new
// torch release cannot open a hole.
//
//===----------------------------------------------------------------------===//

#include "AllowList.h"
#include "llvm/ADT/StringSet.h"

namespace cupel {

namespace {

const llvm::StringSet<> Allocation = {
    "empty",    "empty_like", "empty_permuted",    "empty_strided", "from_blob",
    "for_blob", "new_empty",  "new_empty_strided", "resize_",       "resize_as_",
};

const llvm::StringSet<> Metadata = {
    "_base",
    "_is_zerotensor",
    "_version",
    "accessor",
    "const_data_ptr",
    "data",
    "data_ptr",
    "defined",
    "dense_dim",
    "device",
    "dim",
    "dtype",
    "element_size",
    "generic_packed_accessor",
    "get_device",
    "getIntrusivePtr",
    "grad",
    "grad_fn",
    "has_names",
    "has_storage",
    "has_symbolic_sizes_strides",
    "itemsize",
    "key_set",
    "layout",
    "mutable_data_ptr",
    "mutable_grad",
    "name",
    "names",
    "nbytes",
    "ndimension",
    "numel",
    "opt_names",
    "options",
    "output_nr",
    "packed_accessor",
    "packed_accessor32",
    "packed_accessor64",
    "q_scale",
    "q_zero_point",
    "qscheme",
    "quantizer",
    "record_stream",
    "requires_grad",
    "requires_grad_",
    "reset",
    "result_type",
    "retain_grad",
    "retains_grad",
    "scalar_type",
    "set_requires_grad",
    "size",
    "sizes",
    "sparse_dim",
    "storage",
    "storage_offset",
    "stride",
    "strides",
    "suggest_memory_format",
    "sym_is_contiguous",
    "sym_numel",
    "sym_size",
    "sym_sizes",
    "sym_storage_offset",
    "sym_stride",
    "sym_strides",
    "toString",
    "unsafeGetTensorImpl",
    "unsafeReleaseIntrusivePtr",
    "unsafeReleaseTensorImpl",
    "use_count",
    "weak_use_count",
    "wrap_tensor_impl",
    "can_cast",
    "promote_types",
    "print",
    // Questions about a tensor; is_nonzero, which reads its data, is not among them.
    "is_alias_of",
    "is_coalesced",
    "is_complex",
    "is_conj",
    "is_contiguous",
    "is_contiguous_or_false",
    "is_cpu",
    "is_cuda",
    "is_distributed",
    "is_floating_point",
    "is_hip",
    "is_hpu",
    "is_inference",
    "is_ipu",
    "is_lazy",
    "is_leaf",
    "is_maia",
    "is_meta",
    "is_metal",
    "is_mkldnn",
    "is_mps",
    "is_mtia",
    "is_neg",
    "is_nested",
    "is_non_overlapping_and_dense",
    "is_pinned",
    "is_privateuseone",
    "is_quantized",
    "is_same",
    "is_same_size",
    "is_set_to",
    "is_signed",
    "is_sparse",
    "is_sparse_csr",
    "is_strides_like_channels_last",
    "is_strides_like_channels_last_3d",
    "is_uniquely_owned",
    "is_ve",
    "is_view",
    "is_vulkan",
    "is_xla",
    "is_xpu",
};

/// Other windows on the same data.
const llvm::StringSet<> Views = {
    "adjoint",
    "alias",
    "as_strided",
    "as_strided_",
    "broadcast_tensors",
    "broadcast_to",
    "chunk",
    "conj",
    "detach",
    "detach_",
    "diagonal",
    "expand",
    "expand_as",
    "flatten",
    "imag",
    "infer_size",
    "mH",
    "mT",
    "matrix_H",
    "moveaxis",
    "movedim",
    "narrow",
    "numpy_T",
    "permute",
    "ravel",
    "real",
    "reshape",
    "reshape_as",
    "select",
    "set_",
    "set_data",
    "slice",
    "split",
    "split_with_sizes",
    "squeeze",
    "squeeze_",
    "swapaxes",
    "swapaxes_",
    "swapdims",
    "swapdims_",
    "t",
    "t_",
    "tensor_data",
    "tensor_split",
    "transpose",
    "transpose_",
    "unbind",
    "unflatten",
    "unfold",
    "unsafe_chunk",
    "unsafe_split",
    "unsafe_split_with_sizes",
    "unsqueeze",
    "unsqueeze_",
    "variable_data",
    "view",
    "view_as",
    "view_as_complex",
    "view_as_real",
    "hsplit",
    "vsplit",
    "dsplit",
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
};

/// A copy only when the layout is not right already; counted by its share of GPU time.
const llvm::StringSet<> Layout = {"contiguous", "__dispatch_contiguous", "expect_contiguous"};

/// Allocation with a kernel of torch that stores one value.
const llvm::StringSet<> Fills = {
    "zeros",     "zeros_like", "ones",     "ones_like", "full",
    "full_like", "new_zeros",  "new_ones", "new_full",
};

const llvm::StringSet<> Copies = {
    "clone",         "copy",   "copy_",      "cpu",       "cuda", "fill_",
    "hip",           "item",   "pin_memory", "zero_",     "zero", "fill",
    "scalar_tensor", "tensor", "_to_copy",   "to_mkldnn", "lift", "lift_fresh",
};

const llvm::StringSet<> Conversions = {"to", "toType", "type_as"};

/// Functions of at and torch that handle tensors without running an operator.
const llvm::StringSet<> Helpers = {
    "at::assert_no_internal_overlap",
    "at::assert_no_overlap",
    "at::assert_no_partial_overlap",
    "at::device_of",
    "at::get_overlap_status",
    "at::has_internal_overlap",
    "at::maybe_wrap_dim",
    "at::native::canUse32BitIndexMath",
    "at::native::expect_contiguous",
    "at::print",
    "at::sizes_equal",
    "at::operator<<",
    "torch::autograd::make_variable",
    "torch::toString",
    "at::isTensorSubclassLike",
    "at::areAnyTensorSubclassLike",
    "at::legacyExtractDispatchKey",
    "at::get_default_dtype",
    "torch::isnull",
};

constexpr llvm::StringLiteral HelperScopes[] = {
    "at::cuda::detail::",   "at::detail::",    "at::symint::size", "at::symint::stride",
    "at::namedinference::", "torch::detail::", "torch::utils::",   "torch::autograd::impl::",
};

} // namespace

llvm::StringRef baseOperator(llvm::StringRef Name) {
  Name.consume_back("_symint");
  if (!Name.consume_back("_outf"))
    Name.consume_back("_out");
  // `__and__` and kin keep their underscores.
  if (!Name.ends_with("__"))
    Name.consume_back("_");
  return Name;
}

Allowance allowanceOfOperator(llvm::StringRef Name) {
  Name.consume_back("_symint");
  llvm::StringRef Base = Name;
  if (!Base.consume_back("_outf"))
    Base.consume_back("_out");
  for (llvm::StringRef N : {Name, Base}) {
    if (Allocation.contains(N) || Metadata.contains(N) || Views.contains(N) || Layout.contains(N))
      return Allowance::Allowed;
    if (Fills.contains(N))
      return Allowance::Fill;
    if (Copies.contains(N))
      return Allowance::Copy;
    if (Conversions.contains(N))
      return Allowance::Converts;
  }
  return Allowance::Computes;
}

bool isAllowedHelper(llvm::StringRef QualifiedName) {
  if (Helpers.contains(QualifiedName))
    return true;
  for (llvm::StringRef Scope : HelperScopes)
    if (QualifiedName.starts_with(Scope))
      return true;
  return false;
}

} // namespace cupel
