//===- StreamOperands.h - streams and events that an expression names -------===//
#ifndef CUPEL_LIB_CHECKS_TIMING_STREAMOPERANDS_H
#define CUPEL_LIB_CHECKS_TIMING_STREAMOPERANDS_H

#include "cupel/Checks/Symbols.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace clang {
class Expr;
class VarDecl;
} // namespace clang

namespace cupel {

/// The stream or event of an expression.
struct StreamOperand {
  enum class Kind {
    Unknown,
    Caller,    ///< The current stream, or the legacy default stream.
    PerThread, ///< cudaStreamPerThread.
    Variable,  ///< What Variable holds; of an array, any element.
  };
  Kind Is = Kind::Unknown;
  const clang::VarDecl *Variable = nullptr;

  bool operator<(const StreamOperand &Other) const {
    return std::tie(Is, Variable) < std::tie(Other.Is, Other.Variable);
  }
  bool operator==(const StreamOperand &Other) const = default;
};

/// What the whole program says about the variables that hold streams and events.
class StreamOperands {
public:
  explicit StreamOperands(const Symbols &Names) : Names(Names) {}

  /// The stream or event that \p E evaluates to.
  StreamOperand of(const clang::Expr *E) const { return resolve(E, 8); }

  /// \p Maker gives \p V its stream or event, by its address or as its initialiser.
  void addMaker(const clang::VarDecl *V, const clang::Expr *Maker) { Makers[V] = Maker; }
  void addAssigned(const clang::VarDecl *V) { Assigned.insert(V); }
  bool isAssigned(const clang::VarDecl *V) const { return Assigned.contains(V); }
  const clang::Expr *makerOf(const clang::VarDecl *V) const { return Makers.lookup(V); }

private:
  StreamOperand resolve(const clang::Expr *E, unsigned Depth) const;
  StreamOperand resolveVariable(const clang::VarDecl *V, unsigned Depth) const;

  const Symbols &Names;
  llvm::DenseMap<const clang::VarDecl *, const clang::Expr *> Makers;
  llvm::DenseSet<const clang::VarDecl *> Assigned;
};

/// Whether values of the type are streams or events, or arrays of them.
bool isStreamOrEvent(clang::QualType T, const Symbols &Names);
bool isEvent(clang::QualType T, const Symbols &Names);

/// \p E without casts, copies and the conversions between torch's and CUDA's streams and events.
const clang::Expr *withoutConversions(const clang::Expr *E, const Symbols &Names);

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_TIMING_STREAMOPERANDS_H
