//===- VendorLibraries.cpp - which vendor's library provides a function -----===//
//
// C libraries are known by the prefix of their functions, which the vendors keep to, C++ ones by
// namespace. In both, only what runs on the GPU for a host caller counts: cub::BlockReduce, CuTe,
// curand_uniform and thrust's iterators and tuples are tools for one's own kernel.
//
//===----------------------------------------------------------------------===//

#include "cupel/Checks/Symbols.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;

namespace cupel {

namespace {

struct Prefix {
  llvm::StringLiteral Text, Library;
};

/// Longer prefixes first. A capital letter (or `_` for versioned names) must follow, which tells
/// `curandGenerateUniform` from the device function `curand_uniform`.
constexpr Prefix CPrefixes[] = {
    {"cublasLt", "cublas"},   {"cublasXt", "cublas"},   {"cublasMp", "cublas"},
    {"cublas", "cublas"},     {"cudnn", "cudnn"},       {"cusparseLt", "cusparse"},
    {"cusparse", "cusparse"}, {"cusolver", "cusolver"}, {"cufftXt", "cufft"},
    {"cufft", "cufft"},       {"curand", "curand"},     {"cutensor", "cutensor"},
    {"nccl", "nccl"},         {"nvrtc", "nvrtc"},       {"nvJitLink", "nvrtc"},
    {"npp", "npp"},           {"nvjpeg", "nvjpeg"},     {"cudss", "cudss"},
};

/// Algorithms of thrust: functions that launch kernels. The rest of the namespace (iterators,
/// pointers, tuples, complex numbers, policies) computes nothing by itself.
const llvm::StringSet<> &thrustAlgorithms() {
  static const llvm::StringSet<> Names = {"adjacent_difference",
                                          "all_of",
                                          "any_of",
                                          "none_of",
                                          "binary_search",
                                          "copy",
                                          "copy_if",
                                          "copy_n",
                                          "count",
                                          "count_if",
                                          "equal",
                                          "equal_range",
                                          "exclusive_scan",
                                          "exclusive_scan_by_key",
                                          "fill",
                                          "fill_n",
                                          "find",
                                          "find_if",
                                          "find_if_not",
                                          "for_each",
                                          "for_each_n",
                                          "gather",
                                          "gather_if",
                                          "generate",
                                          "generate_n",
                                          "inclusive_scan",
                                          "inclusive_scan_by_key",
                                          "inner_product",
                                          "is_partitioned",
                                          "is_sorted",
                                          "is_sorted_until",
                                          "lower_bound",
                                          "max_element",
                                          "merge",
                                          "merge_by_key",
                                          "min_element",
                                          "minmax_element",
                                          "mismatch",
                                          "partition",
                                          "partition_copy",
                                          "partition_point",
                                          "reduce",
                                          "reduce_by_key",
                                          "reduce_into",
                                          "remove",
                                          "remove_copy",
                                          "remove_copy_if",
                                          "remove_if",
                                          "replace",
                                          "replace_copy",
                                          "replace_copy_if",
                                          "replace_if",
                                          "reverse",
                                          "reverse_copy",
                                          "scatter",
                                          "scatter_if",
                                          "sequence",
                                          "set_difference",
                                          "set_difference_by_key",
                                          "set_intersection",
                                          "set_intersection_by_key",
                                          "set_symmetric_difference",
                                          "set_symmetric_difference_by_key",
                                          "set_union",
                                          "set_union_by_key",
                                          "shuffle",
                                          "shuffle_copy",
                                          "sort",
                                          "sort_by_key",
                                          "stable_partition",
                                          "stable_partition_copy",
                                          "stable_sort",
                                          "stable_sort_by_key",
                                          "swap_ranges",
                                          "tabulate",
                                          "transform",
                                          "transform_exclusive_scan",
                                          "transform_if",
                                          "transform_inclusive_scan",
                                          "transform_reduce",
                                          "uninitialized_copy",
                                          "uninitialized_copy_n",
                                          "uninitialized_fill",
                                          "uninitialized_fill_n",
                                          "unique",
                                          "unique_by_key",
                                          "unique_by_key_copy",
                                          "unique_copy",
                                          "unique_count",
                                          "upper_bound"};
  return Names;
}

StringRef libraryOfCFunction(StringRef Name) {
  for (const Prefix &P : CPrefixes)
    if (StringRef Rest = Name;
        Rest.consume_front(P.Text) && !Rest.empty() && (llvm::isUpper(Rest[0]) || P.Text == "npp"))
      return P.Library;
  return {};
}

StringRef libraryOfQualifiedName(StringRef Name, bool IsMember) {
  StringRef Rest = Name;
  if (Rest.consume_front("thrust::")) {
    if (Rest.consume_front("async::"))
      return "thrust";
    if (IsMember)
      return {};
    return thrustAlgorithms().contains(Rest) ? "thrust" : "";
  }
  if (Rest.consume_front("cub::"))
    return Rest.starts_with("Device") || Rest.starts_with("Dispatch") ? "cub" : "";
  if (Rest.consume_front("cutlass::"))
    return Rest.contains("::device::") || Rest.starts_with("device") ||
                   Rest.starts_with("reference::")
               ? "cutlass"
               : "";
  if (Rest.starts_with("cudnn_frontend::"))
    return "cudnn";
  return {};
}

} // namespace

StringRef Symbols::vendorLibrary(const FunctionDecl *F) const {
  if (isDefinedHere(F))
    return {};
  std::string LinkName = explicitLinkName(F);
  if (!LinkName.empty())
    return libraryOfCFunction(LinkName);
  // cublas_v2.h and kin wrap some functions in inline ones of C++ linkage.
  StringRef Name = qualifiedName(F);
  if (!Name.contains("::"))
    return libraryOfCFunction(Name);
  return libraryOfQualifiedName(Name, F->isCXXClassMember());
}

} // namespace cupel
