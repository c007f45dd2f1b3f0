//===- Registration.cpp - what a host object tells the CUDA runtime ----------===//

#include "Registration.h"
#include "cupel/Support/Error.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace cupel;

static llvm::GlobalVariable *externalBytes(llvm::Module &Module, const llvm::Twine &Name) {
  auto *Variable = new llvm::GlobalVariable(Module, llvm::Type::getInt8Ty(Module.getContext()),
                                            /*isConstant=*/true, llvm::GlobalValue::ExternalLinkage,
                                            /*Initializer=*/nullptr, Name);
  Variable->setVisibility(llvm::GlobalValue::HiddenVisibility);
  return Variable;
}

static std::optional<std::string> stringAt(const llvm::Value *Pointer) {
  const auto *Variable = llvm::dyn_cast<llvm::GlobalVariable>(Pointer->stripPointerCasts());
  if (!Variable || !Variable->hasInitializer())
    return std::nullopt;
  const auto *Data = llvm::dyn_cast<llvm::ConstantDataArray>(Variable->getInitializer());
  return Data && Data->isCString() ? std::optional(Data->getAsCString().str()) : std::nullopt;
}

/// `__cudaRegisterFunction(handle, stub, name, name, ...)` and
/// `__cudaRegisterVar(handle, variable, name, name, extern, bytes, ...)` of the CUDA runtime's
/// crt/host_runtime.h, as Clang's CGCUDANV.cpp calls them.
static llvm::Error openCall(llvm::Module &Module, llvm::CallBase &Call, bool IsKernel,
                            llvm::json::Array &Names) {
  constexpr unsigned NameAt = 2, BytesAt = 5;
  std::optional<std::string> Name = stringAt(Call.getArgOperand(NameAt));
  if (!Name)
    return makeError("not-split", "a registration without a constant name");
  llvm::json::Object Entry{{"kind", IsKernel ? "kernel" : "variable"}, {"name", *Name}};
  if (!IsKernel) {
    const auto *Bytes = llvm::dyn_cast<llvm::ConstantInt>(Call.getArgOperand(BytesAt));
    if (!Bytes)
      return makeError("not-split", "a registered variable of unknown size");
    Entry["bytes"] = int64_t(Bytes->getZExtValue());
  }
  llvm::GlobalVariable *Open = externalBytes(Module, "cupel_name_" + llvm::Twine(Names.size()));
  Call.setArgOperand(NameAt, Open);
  Call.setArgOperand(NameAt + 1, Open);
  Names.push_back(std::move(Entry));
  return llvm::Error::success();
}

llvm::Expected<llvm::json::Array> cupel::openRegistration(llvm::Module &Module) {
  llvm::json::Array Names;
  for (llvm::Function &Function : Module)
    for (llvm::Instruction &Instruction : llvm::instructions(Function)) {
      auto *Call = llvm::dyn_cast<llvm::CallBase>(&Instruction);
      const llvm::Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      if (!Callee || !Callee->getName().starts_with("__cudaRegister"))
        continue;
      llvm::StringRef Name = Callee->getName();
      if (Name == "__cudaRegisterFunction" || Name == "__cudaRegisterVar") {
        if (llvm::Error E = openCall(Module, *Call, Name == "__cudaRegisterFunction", Names))
          return E;
      } else if (!Name.starts_with("__cudaRegisterFatBinary")) {
        return makeError("not-split", "host code registers by " + Name);
      }
    }
  for (llvm::GlobalVariable &Variable : llvm::make_early_inc_range(Module.globals()))
    if (Variable.getSection() == ".nv_fatbin") {
      Variable.replaceAllUsesWith(externalBytes(Module, "cupel_image"));
      Variable.eraseFromParent();
    }
  return Names;
}
