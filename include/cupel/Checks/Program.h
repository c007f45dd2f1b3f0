//===- Program.h - the code of a submission and what it calls ---------------===//
//
// The shared analysis of all checks: every use of a function in code that is evaluated, who makes
// it, and whether the entry can get there. Built once a pass.
//
//===----------------------------------------------------------------------===//
#ifndef CUPEL_CHECKS_PROGRAM_H
#define CUPEL_CHECKS_PROGRAM_H

#include "cupel/Checks/Symbols.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <memory>
#include <vector>

namespace clang {
class Expr;
class Stmt;
} // namespace clang

namespace cupel {

struct CodeUnit;

/// One evaluated use of a function.
struct FunctionUse {
  enum class Kind {
    Call,       ///< Called here: by name, operator, constructor, or implicitly.
    Address,    ///< Named to be called later: pointer, reference, closure, template argument.
    Unresolved, ///< Overload set that Clang did not resolve: dependent code, or after an error.
  };
  Kind How = Kind::Call;
  /// What runs here, resolved. Of Unresolved: one candidate of the set.
  const clang::FunctionDecl *Callee = nullptr;
  /// The call or reference; null for implicit destructors.
  const clang::Expr *Site = nullptr;
  /// As in the source, or in a macro; of implicit code, the place that causes it.
  clang::SourceLocation Location;
  CodeUnit *Caller = nullptr;

  /// What keeps the place from being run although its function is.
  enum class Branch {
    Live,
    Dead,    ///< Behind a condition that is a false constant.
    CpuOnly, ///< Behind a test that the entry's own tensors are not on the GPU.
  };
  Branch In = Branch::Live;

  /// The innermost condition around the place, and the value of it that leads here; null when none.
  const clang::Expr *Guard = nullptr;
  bool GuardValue = true;
};

/// A function body, or the initialiser of a variable with static storage outside of functions.
struct CodeUnit {
  const clang::Decl *Decl = nullptr; ///< FunctionDecl with its body, or VarDecl.
  std::vector<std::unique_ptr<FunctionUse>> Uses;
  std::vector<const clang::VarDecl *> Variables; ///< Of static storage, outside of functions.

  bool IsPattern = false; ///< Body of a template that is not instantiated; its types are unknown.
  bool IsForeign = false; ///< Instance of a header's template, made for the submission's types.

  bool IsReached = false;           ///< A function: runs. A variable: its pointers are read.
  bool RunsAtLoad = false;          ///< A variable's initialiser, constructor attribute.
  const FunctionUse *Via = nullptr; ///< The use that made it reached; null for roots.
  const clang::FunctionDecl *ReadBy = nullptr; ///< Of a variable: the function that reads it.

  const clang::FunctionDecl *function() const;
  const clang::VarDecl *variable() const;
};

class Program {
public:
  /// Reachability starts at \p Entries; without any, everything counts as reached.
  Program(const ParsedPass &Pass, const Symbols &Names,
          llvm::ArrayRef<const clang::FunctionDecl *> Entries);
  ~Program();

  const std::vector<std::unique_ptr<CodeUnit>> &units() const { return Units; }
  const CodeUnit *unitOf(const clang::Decl *D) const;

  /// Whether \p Use can run when the entry is called or the library is loaded. What cannot be
  /// decided is reached.
  bool isReached(const FunctionUse &Use) const;

  /// Where in the submission \p Use shows: its own place, or for foreign code the place in the
  /// submission that made the instance.
  clang::SourceLocation placeInSubmission(const FunctionUse &Use) const;

  /// The uses from \p Use back to the entry, nearest first, without \p Use.
  std::vector<const FunctionUse *> pathTo(const FunctionUse &Use) const;

  bool isEntry(const clang::FunctionDecl *F) const;
  llvm::ArrayRef<const clang::FunctionDecl *> entries() const { return Entries; }

  /// The top-level declarations in the submission's text, in order.
  const std::vector<clang::Decl *> &declarations() const { return TopLevel; }

private:
  friend class ProgramBuilder;
  void reach();
  void reachFunction(CodeUnit &Unit, const FunctionUse *Via);
  void readVariable(const clang::VarDecl *Variable, CodeUnit &Reader);
  void follow(const FunctionUse &Use);
  void followOverriders(const clang::CXXRecordDecl &R, const FunctionUse &Use);

  const ParsedPass &Pass;
  std::vector<const clang::FunctionDecl *> Entries;
  std::vector<clang::Decl *> TopLevel;
  std::vector<std::unique_ptr<CodeUnit>> Units;
  llvm::DenseMap<const clang::Decl *, CodeUnit *> UnitOf;
  std::vector<CodeUnit *> WorkList;
};

} // namespace cupel

#endif // CUPEL_CHECKS_PROGRAM_H
