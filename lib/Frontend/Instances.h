//===- Instances.h - which template instances a parse makes -----------------===//
#ifndef CUPEL_LIB_FRONTEND_INSTANCES_H
#define CUPEL_LIB_FRONTEND_INSTANCES_H

#include "cupel/Frontend/ParsedSubmission.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/TemplateInstCallback.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace cupel {

/// Takes instances of the headers' own function templates off Sema's list of bodies to make: which
/// function a call in the submission means is known without the bodies of `std::vector` and of
/// torch's message formatting, which are a third of the time. Templates of the submission are
/// made, and those of headers that are given generic code of the submission to call.
void dropHeaderInstances(clang::Sema &Sema, const ParsedPass &Pass);

/// Calls dropHeaderInstances after each instance (an instance asks for others), and \p Tick.
class InstanceFilter final : public clang::TemplateInstantiationCallback {
public:
  InstanceFilter(clang::Sema &Sema, const ParsedPass &Pass, llvm::function_ref<void()> Tick)
      : TheSema(Sema), Pass(Pass), Tick(Tick) {}
  void initialize(const clang::Sema &) override {}
  void finalize(const clang::Sema &) override {}
  void atTemplateBegin(const clang::Sema &, const clang::Sema::CodeSynthesisContext &) override {
    Tick();
  }
  void atTemplateEnd(const clang::Sema &, const clang::Sema::CodeSynthesisContext &) override {
    dropHeaderInstances(TheSema, Pass);
  }

private:
  clang::Sema &TheSema;
  const ParsedPass &Pass;
  llvm::function_ref<void()> Tick;
};

} // namespace cupel

#endif // CUPEL_LIB_FRONTEND_INSTANCES_H
