//===- LowerPrecision.cpp - work-lower-precision ---------------------------===//

#include "LowerPrecision.h"
#include "../HostUses.h"
#include "FloatBits.h"
#include "HalfData.h"
#include "cupel/Checks/CheckContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringSet.h"

namespace cupel {

LowerPrecisionCheck::LowerPrecisionCheck()
    : Check("work-lower-precision", Level::Warn,
            "A kernel of a float32 problem rounds its data to half, bfloat16 or TF32") {}

/// Whether a call of \p F makes halves of floats.
static bool rounds(const clang::FunctionDecl &F, llvm::StringRef Name) {
  static const llvm::StringSet<> Functions = {
      "__float2half",          "__float2half_rn",
      "__float2half_rz",       "__float2half_ru",
      "__float2half_rd",       "__floats2half2_rn",
      "__float22half2_rn",     "__float2half2_rn",
      "__float2bfloat16",      "__float2bfloat16_rn",
      "__float2bfloat16_rz",   "__floats2bfloat162_rn",
      "__float22bfloat162_rn", "__float2bfloat162_rn",
      "__nv_cvt_float_to_fp8", "nvcuda::wmma::__float_to_tf32"};
  static const llvm::StringSet<> Constructors = {
      "__half::__half",          "__nv_bfloat16::__nv_bfloat16", "c10::Half::Half",
      "c10::BFloat16::BFloat16", "__nv_fp8_e4m3::__nv_fp8_e4m3", "__nv_fp8_e5m2::__nv_fp8_e5m2"};
  return Functions.contains(Name) ||
         (Constructors.contains(Name) && F.getNumParams() &&
          F.getParamDecl(0)->getType().getNonReferenceType()->isRealFloatingType());
}

/// Whether a literal is converted, as in `__float2half2_rn(0.f)`, and no data.
static bool isOfConstants(const FunctionUse &Use, const clang::ASTContext &AST) {
  auto isConstant = [&](const clang::Expr *Argument) {
    return !Argument->isValueDependent() && Argument->isEvaluatable(AST);
  };
  if (const auto *Call = llvm::dyn_cast_if_present<clang::CallExpr>(Use.Site))
    return Call->getNumArgs() && llvm::all_of(Call->arguments(), isConstant);
  const auto *Made = llvm::dyn_cast_if_present<clang::CXXConstructExpr>(Use.Site);
  return Made && Made->getNumArgs() && llvm::all_of(Made->arguments(), isConstant);
}

void LowerPrecisionCheck::run(CheckContext &Context) const {
  const HalfData Data(Context);
  if (Data.isProblemOfHalf())
    return;
  const Level L = Context.problem() ? Level::Warn : Level::Note;
  const std::string Asked =
      Context.problem() ? "the problem's float32" : "float32, if that is the problem's (--problem)";
  for (const auto &Unit : Context.program().units()) {
    const clang::FunctionDecl *F = Unit->function();
    if (!F || Unit->IsForeign || !isDeviceOnly(F))
      continue;
    if (F->hasAttr<clang::CUDAGlobalAttr>() && !Unit->IsReached && !Context.flows().empty())
      continue; // Nothing launches it.
    // Beside kernels for halves, what other code rounds may have come from halves.
    if (Data.isAnyOfHalf() && !Data.isOnFloatInputs(*F))
      continue;
    for (const auto &Use : Unit->Uses)
      if (Use->How == FunctionUse::Kind::Call && Use->Callee &&
          !isOfConstants(*Use, Context.ast()) &&
          rounds(*Use->Callee, Context.symbols().qualifiedName(Use->Callee)))
        Context.report(*this, L, Context.program().placeInSubmission(*Use),
                       "'" + Context.symbols().qualifiedName(Use->Callee) +
                           "' rounds to a lower precision than " + Asked);
    if (F->isThisDeclarationADefinition())
      for (clang::SourceLocation Where :
           maskedFloats(*F, Context.ast(), [&](const clang::ParmVarDecl &P) {
             return Data.isFloatInput(*F, P.getFunctionScopeIndex());
           }))
        Context.report(*this, L, Where, "this mask leaves a lower precision than " + Asked);
  }
}

} // namespace cupel
