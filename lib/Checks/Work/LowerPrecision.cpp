//===- LowerPrecision.cpp - work-lower-precision ---------------------------===//

#include "LowerPrecision.h"
#include "../HostUses.h"
#include "cupel/Checks/CheckContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/StringSet.h"

namespace cupel {

LowerPrecisionCheck::LowerPrecisionCheck()
    : Check("work-lower-precision", Level::Warn,
            "A kernel of a float32 problem rounds its data to half, bfloat16 or TF32") {}

static bool isHalfPointer(clang::QualType T) {
  if (!T->isPointerType())
    return false;
  const clang::CXXRecordDecl *Element = T->getPointeeType()->getAsCXXRecordDecl();
  llvm::StringRef Name = Element ? Element->getName() : "";
  return Name.starts_with("__half") || Name.starts_with("__nv_bfloat16") || Name == "Half" ||
         Name == "BFloat16";
}

/// Whether the data are halves: by the problem, or by what a kernel of the submission takes.
static bool isForHalf(CheckContext &Context) {
  if (const ProblemSpec *Problem = Context.problem())
    for (const InputSpec &Input : Problem->Inputs)
      if (Input.Tensor && (Input.Tensor->DType == "float16" || Input.Tensor->DType == "bfloat16"))
        return true;
  for (const auto &Unit : Context.program().units())
    if (const clang::FunctionDecl *F = Unit->function(); F && F->hasAttr<clang::CUDAGlobalAttr>())
      for (const clang::ParmVarDecl *P : F->parameters())
        if (isHalfPointer(P->getType()))
          return true;
  return false;
}

void LowerPrecisionCheck::run(CheckContext &Context) const {
  if (isForHalf(Context))
    return;
  static const llvm::StringSet<> Rounding = {
      "__float2half",          "__float2half_rn",
      "__floats2half2_rn",     "__float22half2_rn",
      "__float2half2_rn",      "__float2bfloat16",
      "__float2bfloat16_rn",   "__floats2bfloat162_rn",
      "__float22bfloat162_rn", "nvcuda::wmma::__float_to_tf32"};
  for (const auto &Unit : Context.program().units()) {
    const clang::FunctionDecl *F = Unit->function();
    if (!F || Unit->IsForeign || !isDeviceOnly(F))
      continue;
    for (const auto &Use : Unit->Uses)
      if (Use->How == FunctionUse::Kind::Call && Use->Callee &&
          Rounding.contains(Context.symbols().qualifiedName(Use->Callee)))
        Context.report(*this, Context.problem() ? Level::Warn : Level::Note,
                       Context.program().placeInSubmission(*Use),
                       "'" + Context.symbols().qualifiedName(Use->Callee) +
                           (Context.problem()
                                ? "' rounds to a lower precision than the problem's float32"
                                : "' rounds to a lower precision than float32, if that is the "
                                  "problem's (--problem)"));
  }
}

} // namespace cupel
