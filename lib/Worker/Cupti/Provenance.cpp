//===- Provenance.cpp - whose kernel it is ----------------------------------===//

#include "Provenance.h"
#include <cstdlib>
#include <cxxabi.h>
#include <filesystem>
#include <fstream>
#include <iterator>

using namespace cupel::worker;

std::string cupel::worker::demangled(const std::string &Name) {
  if (!Name.starts_with("_Z")) // `a` would become `signed char`.
    return Name;
  int Status = 0;
  char *Text = abi::__cxa_demangle(Name.c_str(), nullptr, nullptr, &Status);
  std::string Result = Status == 0 && Text ? Text : Name;
  std::free(Text);
  return Result;
}

namespace {

template <size_t N> bool hasAny(const std::string &Text, const char *const (&Parts)[N]) {
  for (const char *Part : Parts)
    if (Text.find(Part) != std::string::npos)
      return true;
  return false;
}

/// Namespaces of torch's kernels. A submission that includes torch's headers and launches what they
/// define has not written that kernel.
constexpr const char *TorchNames[] = {
    "at::native::", "at::cuda::", "at_cuda_detail::", "c10::cuda::"};

/// Whole algorithms of CCCL: they are compiled into the submission, and are not its own.
constexpr const char *LibraryAlgorithms[] = {"cub::Device",
                                             "cub::detail::", "thrust::cuda_cub::", "cub::CUB_"};

/// How NVIDIA's libraries and torch's bundled ones call their kernels.
constexpr const char *VendorNames[] = {"cublas",
                                       "cudnn",
                                       "cufft",
                                       "cusparse",
                                       "cusolver",
                                       "_xmma_",
                                       "_gemm_",
                                       "gemv2",
                                       "_sgemm_",
                                       "_hgemm_",
                                       "_scudnn_",
                                       "implicit_con",
                                       "splitKreduce_kernel",
                                       "nvjet_"};

constexpr const char *VendorFiles[] = {"libcublas",   "libcudnn",    "libcufft",
                                       "libcusparse", "libcusolver", "libcurand",
                                       "libnccl",     "libnvshmem",  "libmagma"};

/// Whether the submission's library holds a kernel of this mangled name: nvcc registers each by its
/// name as a string with a zero at its end.
bool holdsKernel(const std::string &Library, const std::string &MangledName) {
  static std::string File, Contents;
  if (File != Library) {
    std::ifstream In(Library, std::ios::binary);
    Contents.assign(std::istreambuf_iterator<char>(In), {});
    File = Library;
  }
  return !MangledName.empty() &&
         Contents.find(MangledName.c_str(), 0, MangledName.size() + 1) != std::string::npos;
}

bool sameFile(const std::string &A, const std::string &B) {
  std::error_code Ignored;
  return A == B || std::filesystem::equivalent(A, B, Ignored);
}

} // namespace

std::string cupel::worker::provenanceOf(const Activity &Seen, const std::string &Library) {
  if (Seen.What != Activity::Kind::Kernel)
    return "runtime";
  std::string Name = demangled(Seen.Name);
  if (hasAny(Name, TorchNames))
    return "torch";
  if (hasAny(Name, LibraryAlgorithms))
    return "vendor";
  if (!Seen.Caller.empty()) {
    if (sameFile(Seen.Caller, Library))
      return "submission";
    std::string File = Seen.Caller.substr(Seen.Caller.rfind('/') + 1);
    if (hasAny(File, VendorFiles))
      return "vendor";
    if (File.starts_with("libtorch") || File.starts_with("libc10"))
      return hasAny(Name, VendorNames) ? "vendor" : "torch";
  }
  if (hasAny(Name, VendorNames))
    return "vendor";
  // The node of a CUDA graph has no caller: the graph's launch is all that the stack shows.
  return holdsKernel(Library, Seen.Name) ? "submission" : "unknown";
}
