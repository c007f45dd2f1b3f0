//===- Symbols.h - whose a declaration is -----------------------------------===//
//
// Answers are about the declaration that Clang resolved a name to, never about the name's text: a
// function `matmul` of the submission is not torch's, however it is spelled or aliased.
//
//===----------------------------------------------------------------------===//
#ifndef CUPEL_CHECKS_SYMBOLS_H
#define CUPEL_CHECKS_SYMBOLS_H

#include "cupel/Frontend/ParsedSubmission.h"
#include "clang/AST/Type.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <unordered_map>

namespace clang {
class CXXMethodDecl;
class CXXRecordDecl;
class Decl;
class NamedDecl;
} // namespace clang

namespace cupel {

class Symbols {
public:
  explicit Symbols(const ParsedPass &Pass) : Pass(Pass) {}

  /// `at::_ops::relu::call`: scopes without inline and anonymous namespaces and without template
  /// arguments, so that versioned namespaces (`cub::_V_300...`) do not matter. Cached.
  llvm::StringRef qualifiedName(const clang::NamedDecl *D) const;

  /// Path of the file that holds \p D's canonical declaration; empty for built-ins.
  llvm::StringRef headerOf(const clang::Decl *D) const;

  /// Written in the submission's own text.
  bool isSubmissionDecl(const clang::Decl *D) const;
  /// A function or type whose definition is the submission's own (a mere declaration is not).
  bool isDefinedHere(const clang::NamedDecl *D) const;

  /// A function, method or type of namespace at, torch, c10 or caffe2 that the submission does not
  /// define. One that the submission merely declares is torch's, since torch's library then
  /// provides it, and so is a symbol that links to torch under another name (`asm` label).
  bool isTorchDecl(const clang::NamedDecl *D) const;

  /// at::Tensor or at::TensorBase, or what derives from them, without references and pointers.
  bool isTensorType(clang::QualType T) const;
  /// A tensor, or a list, array, tuple, optional or vector of tensors.
  bool mentionsTensor(clang::QualType T) const;
  /// Result, parameters or (of a method) the object are tensors.
  bool signatureMentionsTensor(const clang::FunctionDecl *F) const;

  /// The library that provides \p F: `cublas`, `cudnn`, `thrust`, `cub`, `cutlass`, ...; empty when
  /// no vendor's library does. Device-side parts (cub::BlockReduce, CuTe) are no library.
  llvm::StringRef vendorLibrary(const clang::FunctionDecl *F) const;
  bool isVendorDecl(const clang::FunctionDecl *F) const { return !vendorLibrary(F).empty(); }

  /// Part of the C++ standard library.
  bool isStandardDecl(const clang::NamedDecl *D) const;
  /// Declared in pybind11 or, as a C function, in Python.h.
  bool isPythonDecl(const clang::NamedDecl *D) const;

  /// The name that the linker sees when it is given by hand: an `asm` label, or the name of an
  /// extern "C" function. Empty for all others.
  std::string explicitLinkName(const clang::FunctionDecl *F) const;

private:
  const ParsedPass &Pass;
  /// Node-based: references into it are handed out.
  mutable std::unordered_map<const clang::NamedDecl *, std::string> Names;
};

/// Runs on the GPU only: `__global__` or `__device__` without `__host__`.
bool isDeviceOnly(const clang::FunctionDecl *F);

} // namespace cupel

#endif // CUPEL_CHECKS_SYMBOLS_H
