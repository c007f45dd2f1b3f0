//===- EntryRun.h - a call of the entry, as far as it can be foreseen -------===//
//
// Follows the host code from the entry with what a problem's case says of the arguments: dtypes,
// sizes, device, numbers. A branch whose condition is known is taken; one whose condition is not
// known is passed over, and what it may assign is forgotten. Only a stop that every execution
// reaches is told: behind a branch that may return, behind a jump, or after too many steps the run
// ends without a result.
//
//===----------------------------------------------------------------------===//
#ifndef CUPEL_LIB_CHECKS_ENTRY_ENTRYRUN_H
#define CUPEL_LIB_CHECKS_ENTRY_ENTRYRUN_H

#include "Value.h"
#include "VariableScan.h"
#include "cupel/Checks/CheckContext.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include <map>
#include <memory>

namespace clang {
class CXXConstructExpr;
class CXXMemberCallExpr;
class CXXOperatorCallExpr;
class SwitchStmt;
} // namespace clang

namespace cupel {

/// Something that a condition looks at, and what it is.
struct ReadFact {
  const clang::Expr *Expression = nullptr;
  std::string Value;
  const TensorSpec *Tensor = nullptr; ///< The argument that it is about, if any.
};

/// The entry throws or ends the process.
struct EntryStop {
  clang::SourceLocation Where;
  /// The smallest condition that decides it, and its value; null when there is none.
  const clang::Expr *Condition = nullptr;
  bool ConditionValue = false;
  std::string Why; ///< When no condition but the operation itself throws.
  std::vector<ReadFact> Facts;
  std::vector<clang::SourceLocation> Calls; ///< From the place back to the entry.
};

class EntryRun {
public:
  EntryRun(CheckContext &Context, const CaseSpec &Case) : Context(Context), Case(Case) {}

  /// Where the call of \p Entry with the arguments of the case stops for certain.
  std::optional<EntryStop> run(const clang::FunctionDecl &Entry);

private:
  /// How a statement is left. Unclear: nothing more can be said of this call.
  enum class Flow { Next, Break, Return, Stop, Unclear };
  using Variables = llvm::DenseMap<const clang::VarDecl *, Value>;

  // EntryRun.cpp
  Value argument(llvm::StringRef Name, const clang::ParmVarDecl &P);
  Value call(const clang::FunctionDecl *F, std::vector<Value> Arguments,
             clang::SourceLocation Where);
  const VariableScan &scanOf(const clang::FunctionDecl *F);
  void set(const clang::VarDecl *V, Value NewValue);
  void forget(const clang::Stmt *S);
  void stop(clang::SourceLocation Where, llvm::StringRef Why = "");
  const clang::Expr *blame(const clang::Expr *Condition, bool &Truth);

  // EntryStatements.cpp
  Flow execute(const clang::Stmt *S);
  Flow executeList(llvm::ArrayRef<const clang::Stmt *> List);
  Flow executeBranch(const clang::Expr *Condition, const clang::Stmt *Then,
                     const clang::Stmt *Else);
  Flow executeSwitch(const clang::SwitchStmt &S);
  Flow passOver(const clang::Stmt *S);

  // EntryExpressions.cpp
  Value evaluate(const clang::Expr *E);
  Value evaluateKnown(const clang::Expr *E);
  Value evaluateConstant(const clang::Expr *E);
  Value evaluateVariable(const clang::DeclRefExpr *E);
  Value evaluateUnary(const clang::UnaryOperator *E);
  Value evaluateBinary(const clang::BinaryOperator *E);
  Value evaluateLogical(const clang::BinaryOperator *E);
  Value evaluateConditional(const clang::AbstractConditionalOperator *E);
  Value evaluateCast(const clang::CastExpr *E);
  Value unknown(const clang::Expr *E);

  // EntryCalls.cpp
  Value evaluateCall(const clang::CallExpr *E);
  Value evaluateOperator(const clang::CXXOperatorCallExpr *E);
  Value evaluateMethod(const clang::CXXMemberCallExpr *E);
  Value askTensor(const clang::CXXMemberCallExpr *E, const TensorFacts &T, llvm::StringRef Name);
  Value callInside(const clang::FunctionDecl *F, llvm::ArrayRef<const clang::Expr *> Arguments,
                   const clang::CallExpr *E);
  std::optional<int64_t> dimension(const clang::Expr *E, size_t Rank, const clang::CallExpr *Call);

  static constexpr unsigned StepLimit = 20000, DepthLimit = 400;

  CheckContext &Context;
  const CaseSpec &Case;
  std::vector<std::unique_ptr<TensorFacts>> Tensors;
  std::map<const clang::FunctionDecl *, VariableScan> Scans;
  Variables Now;
  std::vector<std::pair<const clang::FunctionDecl *, clang::SourceLocation>> Calls;
  Value Returned;
  /// The conditions that led here, innermost last.
  std::vector<std::pair<const clang::Expr *, bool>> Taken;
  /// Set by an expression: the statement ends here.
  Flow Ended = Flow::Next;
  std::optional<EntryStop> Result;
  std::vector<ReadFact> *Reading = nullptr;
  unsigned Steps = 0, Depth = 0;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_ENTRY_ENTRYRUN_H
