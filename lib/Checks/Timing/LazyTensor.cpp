//===- LazyTensor.cpp - timing-lazy-tensor ---------------------------------===//

#include "LazyTensor.h"
#include "../HostUses.h"
#include "cupel/Checks/CheckContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"

namespace cupel {

LazyTensorCheck::LazyTensorCheck()
    : Check("timing-lazy-tensor", Level::Reject,
            "Class that derives from torch's tensor or storage implementation") {}

namespace {

/// Base classes whose virtual functions torch calls when a tensor is used.
class BaseFinder : public clang::DynamicRecursiveASTVisitor {
public:
  explicit BaseFinder(CheckContext &Context) : Context(Context) {}

  bool VisitCXXRecordDecl(clang::CXXRecordDecl *Record) override {
    if (!Record->isThisDeclarationADefinition())
      return true;
    for (const clang::CXXBaseSpecifier &Base : Record->bases())
      if (const clang::CXXRecordDecl *Parent = Base.getType()->getAsCXXRecordDecl())
        if (isImplementation(Context.symbols().qualifiedName(Parent)))
          Found.push_back(&Base);
    return true;
  }

  std::vector<const clang::CXXBaseSpecifier *> Found;

private:
  static bool isImplementation(llvm::StringRef Name) {
    return Name == "c10::TensorImpl" || Name == "c10::StorageImpl" || Name == "c10::Allocator" ||
           Name == "at::OpaqueTensorImpl" || Name == "c10::intrusive_ptr_target" ||
           Name == "c10::impl::PyInterpreterVTable" || Name == "c10::TensorImpl::VariableVersion";
  }

  CheckContext &Context;
};

} // namespace

void LazyTensorCheck::run(CheckContext &Context) const {
  BaseFinder Finder(Context);
  for (clang::Decl *D : Context.program().declarations())
    Finder.TraverseDecl(D);
  for (const clang::CXXBaseSpecifier *Base : Finder.Found)
    Context.report(*this, Level::Reject, Base->getBeginLoc(),
                   "a class derived from '" + Base->getType().getAsString() +
                       "' can do its work when somebody looks at the result");
}

} // namespace cupel
