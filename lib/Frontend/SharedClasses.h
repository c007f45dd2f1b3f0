//===- SharedClasses.h - classes of variables in shared memory --------------===//
#ifndef CUPEL_LIB_FRONTEND_SHAREDCLASSES_H
#define CUPEL_LIB_FRONTEND_SHAREDCLASSES_H

#include "cupel/Frontend/ParsedSubmission.h"
#include <map>
#include <vector>

namespace clang {
class ASTReader;
class CXXRecordDecl;
class Sema;
class TagDecl;
} // namespace clang

namespace cupel {

/// Places of classes in the text, with their names.
using SharedClassMap = std::map<std::string, std::string>;

/// Where the classes are written whose constructors or destructors Clang refuses in shared memory.
/// nvcc takes them (warning 20054) and runs neither: `__shared__ cuda::barrier<...> b;` is how
/// CUDA's own guide begins.
SharedClassMap refusedSharedClasses(const ParsedPass &Pass);

/// While a source is read again, lets the default constructors and the destructors of such classes
/// pass for trivial, which is all that Clang asks of them in shared memory.
class TrivialForAWhile {
public:
  explicit TrivialForAWhile(const SharedClassMap &Classes) : Classes(Classes) {}
  ~TrivialForAWhile();
  /// Those of the precompiled header; before anything else is read.
  void start(clang::Sema &Sema, clang::ASTReader &Reader);
  void completed(clang::Sema &Sema, clang::TagDecl *Tag);

private:
  void change(clang::Sema &Sema, clang::CXXRecordDecl *Class);

  const SharedClassMap &Classes;
  std::vector<clang::FunctionDecl *> Changed;
};

} // namespace cupel

#endif // CUPEL_LIB_FRONTEND_SHAREDCLASSES_H
