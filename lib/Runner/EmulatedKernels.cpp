//===- EmulatedKernels.cpp - kernels that the emulation ran ------------------===//

#include "Session.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Demangle/Demangle.h"
#include <cstdlib>

using namespace cupel;
using llvm::StringRef;

/// The name of the function alone: `ns::f` of `void ns::f<int>(int*)`.
static std::string functionName(StringRef Mangled) {
  llvm::ItaniumPartialDemangler Demangler;
  if (Demangler.partialDemangle(Mangled.str().c_str()))
    return Mangled.str();
  size_t Size = 0;
  char *Name = Demangler.getFunctionBaseName(nullptr, &Size);
  std::string Result = Name ? Name : Mangled.str();
  std::free(Name);
  return Result;
}

/// The figures of \p K; the error says why there are none. A launch that names several functions
/// has the plain name alone, which can be that of several kernels.
static llvm::Expected<KernelFigures> figuresOf(const EmulatedKernel &K,
                                               llvm::ArrayRef<KernelFigures> All) {
  for (const KernelFigures &F : All)
    if (!K.MangledName.empty() && F.MangledName == K.MangledName)
      return F;
  std::vector<KernelFigures> Alike;
  for (const KernelFigures &F : All)
    if (functionName(F.MangledName) == functionName(K.MangledName.empty() ? K.Name : K.MangledName))
      Alike.push_back(F);
  if (Alike.size() == 1)
    return Alike.front();
  return makeError("no-figures", Alike.empty()
                                     ? "the compiler tells no registers of this kernel"
                                     : "which of " + std::to_string(Alike.size()) +
                                           " kernels of this name was launched is not known");
}

static void refuse(Session &S, const Reason &Why) {
  for (EmulatedKernel &K : S.Record.EmulatedKernels)
    if (!K.TheoreticalOccupancy && !K.Why)
      K.Why = Why;
}

llvm::Error cupel::judgeEmulatedKernels(Session &S) {
  std::vector<EmulatedKernel> &Kernels = S.Record.EmulatedKernels;
  if (S.Record.Correctness.State != CheckState::Passed) {
    Kernels.clear();
    return llvm::Error::success();
  }
  if (Kernels.empty()) {
    S.Record.Reasons.push_back({"no-own-kernel", "no kernel of the submission ran"});
    return llvm::Error::success();
  }
  if (S.Request.Profile == ProfileLevel::None || !S.Request.Figures) {
    refuse(S, {"not-asked", "not asked for (--profile none)"});
    return llvm::Error::success();
  }
  S.progress("occupancy");
  llvm::Expected<std::vector<KernelFigures>> Figures = S.Request.Figures();
  if (!Figures) {
    refuse(S, takeReasons(Figures.takeError()).front());
    return llvm::Error::success();
  }
  for (EmulatedKernel &K : Kernels) {
    llvm::Expected<KernelFigures> Own = figuresOf(K, *Figures);
    if (!Own) {
      K.Why = takeReasons(Own.takeError()).front();
      continue;
    }
    K.Registers = Own->Registers;
    K.StaticSharedBytes = Own->StaticSharedBytes;
  }
  if (llvm::Error E = S.ensureJudge())
    return E;
  llvm::Expected<std::vector<std::optional<double>>> Occupancies =
      S.TheJudge->occupancy(Kernels, S.commandSeconds());
  if (!Occupancies)
    return Occupancies.takeError();
  for (auto [K, Occupancy] : llvm::zip_equal(Kernels, *Occupancies))
    if (K.Registers)
      K.TheoreticalOccupancy = Occupancy;
  refuse(S, {"does-not-fit", "a block of it needs more than an SM of the GPU has"});
  return llvm::Error::success();
}
