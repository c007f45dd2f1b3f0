//===- Counters.h - values that follow from the number of calls -------------===//
//
// A counter is an integer of static storage, or a member of an object of static storage, that is
// stepped by a fixed amount. Once-flags, cached properties and sizes that grow with an argument
// are none. What is computed or chosen from a counter follows from it: locals, results of
// functions, parameters, and what is assigned in a branch that it decides.
//
//===----------------------------------------------------------------------===//
#ifndef CUPEL_LIB_CHECKS_REUSE_COUNTERS_H
#define CUPEL_LIB_CHECKS_REUSE_COUNTERS_H

#include "cupel/Checks/CheckContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace cupel {

/// Variables and fields.
using Counters = llvm::SmallPtrSet<const clang::ValueDecl *, 4>;

/// The counters of a submission, without what follows from them. \p Functions are those that run.
Counters findCounters(CheckContext &Context, llvm::ArrayRef<const clang::FunctionDecl *> Functions);

/// Grows a set of counters by what follows from them.
class CounterFlow : public clang::DynamicRecursiveASTVisitor {
public:
  explicit CounterFlow(Counters Known) : Known(std::move(Known)) {}

  void follow(llvm::ArrayRef<const clang::FunctionDecl *> Functions);

  /// The counter, or what follows from one, that \p S mentions; null when it mentions none.
  const clang::ValueDecl *counterIn(const clang::Stmt *S) const;

  bool VisitVarDecl(clang::VarDecl *V) override;
  bool VisitBinaryOperator(clang::BinaryOperator *Operator) override;
  bool VisitReturnStmt(clang::ReturnStmt *Return) override;
  bool VisitIfStmt(clang::IfStmt *If) override;
  bool VisitCallExpr(clang::CallExpr *Call) override;
  // A lambda is a unit of its own.
  bool TraverseLambdaExpr(clang::LambdaExpr *) override { return true; }

private:
  void add(const clang::ValueDecl *D) { HasGrown |= Known.insert(D).second; }
  void addResult(const clang::ValueDecl *Counter);

  Counters Known;
  llvm::DenseMap<const clang::FunctionDecl *, const clang::ValueDecl *> Returns;
  const clang::FunctionDecl *Function = nullptr;
  bool HasGrown = false;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_REUSE_COUNTERS_H
