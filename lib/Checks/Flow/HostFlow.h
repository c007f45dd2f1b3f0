//===- HostFlow.h - which tensors a call writes, reads and returns ----------===//
//
// Follows the host code from an entry over two calls, with sets of tensors in the place of values:
// what a variable holds, points to or contains. Kernels are taken by their parameters: a pointer to
// const is read, any other may be written as well. Branches are followed both ways and joined;
// what a call has certainly written is what all ways have written. The second call starts with the
// static state that the first one left.
//
// What cannot be followed (unknown callees) counts as written and read, so that a claim is only
// made where the code shows it.
//
//===----------------------------------------------------------------------===//
#ifndef CUPEL_LIB_CHECKS_FLOW_HOSTFLOW_H
#define CUPEL_LIB_CHECKS_FLOW_HOSTFLOW_H

#include "KernelEffects.h"
#include "KernelThreads.h"
#include "cupel/Checks/CheckContext.h"
#include <deque>
#include <map>
#include <set>

namespace clang {
class CallExpr;
class CUDAKernelCallExpr;
class CXXConstructExpr;
class CXXRecordDecl;
class LambdaExpr;
class VarDecl;
} // namespace clang

namespace cupel {

struct TensorObject;
using TensorSet = std::set<TensorObject *>;

/// A tensor or memory that the host code allocated; or one of what goes with them through values:
/// code, and what is known about parts.
struct TensorObject {
  enum class Source {
    Input,    ///< Argument of the entry.
    Empty,    ///< Allocated, contents undefined.
    Computed, ///< Filled by torch or another library.
    Code,     ///< No tensor: what a closure, functor or function pointer runs when called.
    Group,    ///< No tensor: says which values with it are which parts of an aggregate.
    Choice,   ///< No tensor: says that the values with it are one of Parts[0].
    Heap,     ///< No tensor: an object of a class that `new` or `std::make_shared` made.
  };
  Source From = Source::Empty;
  const clang::ParmVarDecl *Parameter = nullptr; ///< Of an Input.
  clang::SourceLocation Where;                   ///< Of the allocation or parameter.
  unsigned BornIn = 0;                           ///< Number of the call, 1 or 2.
  bool MayBeWritten = false;
  bool MayHoldWork = false; ///< Written by more than a fill with a constant.
  bool MayBeRead = false;
  bool IsForHost = false;      ///< Pinned or managed memory: host code may store in it.
  bool IsShapeLiteral = false; ///< All its sizes are integer constants.
  bool HoldsInputData =
      false; ///< Written by a kernel that reads an input, or what such a one wrote.
  clang::SourceLocation StoredAt; ///< A launch of a kernel that stores through a pointer to it.
  clang::SourceLocation KeptAt;   ///< Where it goes into static state; invalid when it does not.

  std::vector<TensorSet> Parts;                       ///< Of Group and Choice.
  clang::QualType Type;                               ///< Of Group's aggregate, if it is known.
  const clang::FunctionDecl *Body = nullptr;          ///< Of Code.
  const clang::VarDecl *This = nullptr;               ///< Captured by it.
  TensorSet ThisValue;                                ///< The same, where no variable is known.
  std::map<const clang::VarDecl *, TensorSet> Copies; ///< What it captured by copy.
  const clang::CXXRecordDecl *Class = nullptr;        ///< Of Heap.
  const clang::CallExpr *Site = nullptr;              ///< The call that allocated it.

  bool isMemory() const { return From <= Source::Computed; }
  bool isHeap() const { return From == Source::Heap; }
};

/// A return of the entry.
struct ReturnFact {
  clang::SourceLocation Where;
  TensorSet Values;
  TensorSet Written; ///< By this call, on every way here.
  unsigned Call = 1;
  bool IsGuarded = false; ///< Under a test for empty tensors or tensors that are not on the GPU.
  bool IsConditional = false; ///< In some branch.
  /// What holds a copy of an argument, on every way here, and where it was made.
  std::map<TensorObject *, clang::SourceLocation> Copies;
  std::vector<TensorSet> Choices; ///< Of each, one is returned.
};

/// A kernel that reads what only an earlier call wrote from an input.
struct StaleRead {
  clang::SourceLocation Where;
  TensorObject *Object = nullptr;
};

class HostFlow {
public:
  explicit HostFlow(CheckContext &Context) : Context(Context) {}

  /// Follows two calls of \p Entry. False when the code was too deep to follow to its end.
  bool run(const clang::FunctionDecl &Entry);

  const std::vector<ReturnFact> &returns() const { return Returns; }
  const std::vector<StaleRead> &staleReads() const { return StaleReads; }
  /// Of the first call, in order of the parameters that are tensors.
  const std::vector<TensorObject *> &inputs() const { return Inputs; }
  bool launchesKernels() const { return LaunchCount != 0; }
  /// The most that any kernel stores which the entry may launch.
  KernelEffects::Work work() const { return Stored; }
  /// Whether torch, a library or unknown code may compute as well.
  bool worksOutside() const { return WorksOutside; }
  bool looksAtSizes() const { return SizeQueries != 0; }
  /// What launches give to the parameter of that number; null when nothing launches the kernel.
  const TensorSet *passedTo(const clang::FunctionDecl &Kernel, unsigned Parameter) const;

private:
  struct State {
    std::map<const clang::VarDecl *, TensorSet> Variables;
    /// What the fields of heap objects hold; no field stands for any.
    std::map<std::pair<TensorObject *, const clang::FieldDecl *>, TensorSet> Fields;
    TensorSet Written;
    std::map<TensorObject *, clang::SourceLocation> Copies; ///< As in ReturnFact.
    bool mayHold(const TensorObject &Object) const;
  };
  /// The heap objects that an expression may be a part of, and which part.
  struct Place {
    TensorSet Owners;
    const clang::FieldDecl *Field = nullptr;
    bool IsExact = true; ///< The whole part, not an element of it.
  };
  struct Frame {
    const clang::FunctionDecl *Function = nullptr;
    const clang::VarDecl *This = nullptr;
    const clang::Expr *Site = nullptr; ///< The call that made it.
    TensorSet ThisValue;
    Place ThisPlace; ///< When the object is a part of a heap object.
    std::optional<State> AtReturn;
    TensorSet Result;
  };
  enum class Flow { Goes, Ends };

  // HostStatements.cpp
  Flow execute(const clang::Stmt *S);
  Flow executeBranches(llvm::ArrayRef<const clang::Stmt *> Branches);
  Flow executeIf(const clang::Stmt *S);
  void executeRounds(llvm::function_ref<void()> Round);
  void declare(const clang::VarDecl *V);
  void leave(const clang::Expr *Value, clang::SourceLocation Where);
  static State join(const State &A, const State &B);

  // HostFlow.cpp
  TensorSet evaluate(const clang::Expr *E);
  TensorSet evaluateKind(const clang::Expr *E);
  TensorSet evaluateChildren(const clang::Expr *E);
  TensorSet valuesOf(const clang::VarDecl *V);
  TensorSet evaluateAssignment(const clang::Expr *Target, const clang::Expr *Value);
  void storeOnHost(const clang::Expr *Target, const TensorSet &Values);
  void assign(const clang::Expr *Target, const TensorSet &Values);
  void assignThrough(const clang::Expr *Pointer, const TensorSet &Values);
  void bindReference(const clang::VarDecl *V, const clang::Expr *To);
  void bindParameter(const clang::ParmVarDecl *P, TensorSet Values, const clang::Expr *Argument);
  const clang::VarDecl *rootOf(const clang::Expr *E) const;
  const clang::VarDecl *wholeNamedBy(const clang::Expr *E) const;
  const clang::VarDecl *staticBehind(const clang::CallExpr *Site) const;

  // HostCalls.cpp
  TensorSet evaluateCall(const clang::CallExpr *Call);
  TensorSet callOnce(const clang::CallExpr *Call, llvm::ArrayRef<TensorSet> Arguments);
  TensorSet callInside(const clang::FunctionDecl *F, const clang::Expr *Object,
                       llvm::ArrayRef<const clang::Expr *> Arguments);
  TensorSet callOutside(const clang::CallExpr *Call, const clang::FunctionDecl *F,
                        const clang::Expr *Object, llvm::ArrayRef<const clang::Expr *> Arguments);
  TensorSet callTorch(const clang::CallExpr *Call, const clang::FunctionDecl *F,
                      const clang::Expr *Object, llvm::ArrayRef<const clang::Expr *> Arguments);
  void launch(const clang::CUDAKernelCallExpr *Launch);
  void read(const TensorSet &Values, clang::SourceLocation Where);
  bool copiesWhole(const clang::CallExpr *Copy) const;
  void write(const TensorSet &Values, bool FromInput, bool IsFill = false);
  void loseSight(const TensorSet &Values, clang::SourceLocation Where);

  // HostKernels.cpp
  const KernelEffects &effectsOf(const clang::FunctionDecl &Kernel,
                                 int64_t Threads = MaxThreadsOfBlock);
  void addNamedKernel(const clang::FunctionDecl &Kernel);
  TensorSet deviceMemory(const clang::VarDecl *V);
  TensorSet deviceMemory(const KernelEffects::Variables &Variables);
  bool isRaisedForGood(const clang::VarDecl *Flag);
  bool isGateClosed(const KernelEffects &Effects);
  KernelEffects::Variables keptIn(const KernelEffects &Effects);

  // HostPlaces.cpp
  TensorSet makeHeapObject(const clang::Expr *Site, clang::QualType Type, TensorSet Inside);
  TensorSet ownersIn(const TensorSet &Values, const clang::CXXRecordDecl *Class) const;
  Place placeOf(const clang::Expr *E);
  Place placeBehind(const clang::Expr *Object);
  TensorSet contentsOf(const Place &P) const;
  /// \p Values and all that the heap objects among them hold.
  TensorSet withContents(TensorSet Values) const;
  /// The values of a copy: a heap object's contents in its place.
  TensorSet copyOf(TensorSet Values, const clang::CXXRecordDecl &Class) const;
  void store(const Place &To, const TensorSet &Values, clang::SourceLocation Where);
  static void keep(const TensorSet &Values, clang::SourceLocation Where);

  // HostAggregates.cpp
  TensorSet group(const clang::Expr *Site, clang::QualType Type, llvm::ArrayRef<TensorSet> Parts);
  TensorSet evaluateList(const clang::Expr *List);
  TensorSet evaluateMember(const clang::Expr *Member);
  TensorSet evaluateBinding(const clang::Expr *Reference);
  void assignTied(const clang::CallExpr *Tie, const TensorSet &Values);
  bool replacePart(const clang::Expr *Target, const TensorSet &Values);
  /// Part \p Index of the aggregates of \p Count parts (0: of any number) among \p Values; any part
  /// without an index. Aggregates of type \p Part are such parts themselves.
  TensorSet partOf(const TensorSet &Values, std::optional<unsigned> Index, size_t Count,
                   const clang::Expr *Site, clang::QualType Part);

  // HostExchange.cpp
  bool isExact(const clang::Expr *Target);
  void exchange(const clang::Expr *A, const TensorSet &OfA, const clang::Expr *B,
                const TensorSet &OfB);
  std::optional<TensorSet> callExchange(const clang::CallExpr *Call, const clang::FunctionDecl *F,
                                        const clang::Expr *Object,
                                        llvm::ArrayRef<TensorSet> Arguments);

  // HostCallables.cpp
  TensorSet evaluateLambda(const clang::LambdaExpr *Lambda);
  TensorSet evaluateConstruction(const clang::CXXConstructExpr *Construction);
  TensorObject *codeOf(const clang::FunctionDecl *Body, const clang::LambdaExpr *Closure = nullptr);
  void addFunctors(const clang::Expr *Argument, TensorSet &Values);
  /// Runs the code among \p Values with \p Arguments, or each parameter with \p Values when their
  /// number does not fit. Nothing when there is none.
  std::optional<TensorSet> runCode(const TensorSet &Values, llvm::ArrayRef<TensorSet> Arguments);
  TensorSet runUnknown(const TensorSet &Values);
  TensorSet callStandard(const clang::CallExpr *Call, const clang::FunctionDecl *F,
                         const clang::Expr *Object, const TensorSet &All,
                         llvm::ArrayRef<TensorSet> Arguments);
  Frame enter(const clang::FunctionDecl *Definition, Frame Inner);
  /// Gives the variables that the closures of \p Class among \p Values captured by copy the values
  /// of then; the result is what they hold otherwise.
  std::map<const clang::VarDecl *, TensorSet> showCopies(const TensorSet &Values,
                                                         const clang::CXXRecordDecl &Class);
  /// The end of that, after a call of \p Method: the variables are \p Hidden again, and what the
  /// call of a mutable closure did to its copies stays with \p Closures.
  void hideCopies(std::map<const clang::VarDecl *, TensorSet> Hidden, const TensorSet &Closures,
                  const clang::CXXMethodDecl &Method);

  TensorObject *allocate(const clang::CallExpr *Call, TensorObject::Source From);
  bool holdsInput(const TensorSet &Values) const;

  CheckContext &Context;
  State Now;
  std::vector<Frame> Frames;
  std::vector<const clang::Expr *> Sites; ///< The calls that are being evaluated, innermost last.
  std::map<const clang::VarDecl *, const clang::VarDecl *> Aliases;
  std::set<const clang::VarDecl *> WholeAliases;      ///< References to all of a variable.
  std::map<const clang::VarDecl *, Place> References; ///< To parts of heap objects.
  std::map<std::tuple<const clang::Stmt *, unsigned, const clang::Expr *, const clang::Expr *>,
           TensorObject *>
      Allocations;
  std::map<std::tuple<const clang::FunctionDecl *, const clang::LambdaExpr *, const clang::Expr *>,
           TensorObject *>
      Codes;
  std::map<std::tuple<const clang::Expr *, const clang::Expr *, unsigned, bool>, TensorObject *>
      Relations; ///< Groups and choices, by place.
  std::deque<TensorObject> Objects;
  std::vector<TensorObject *> Inputs;
  std::vector<ReturnFact> Returns;
  std::vector<StaleRead> StaleReads;
  unsigned Call = 1;
  unsigned Steps = 0;
  unsigned LaunchCount = 0, SizeQueries = 0;
  unsigned Branches = 0, Guards = 0;
  unsigned Exchanges = 0; ///< Of values that changed places so far.
  bool HasHeapObjects = false;
  std::map<std::pair<const clang::FunctionDecl *, unsigned>, TensorSet> Passed; ///< To kernels.
  std::map<std::pair<const clang::FunctionDecl *, int64_t>, KernelEffects> Effects;
  std::map<const clang::VarDecl *, TensorObject *> DeviceObjects;
  KernelEffects::Variables Raised; ///< By kernels that ran so far, in any call.
  KernelEffects::Variables NamedOnHost;
  KernelEffects::Work Stored = KernelEffects::Work::Nothing;
  bool WorksOutside = false;
  bool IsComplete = true;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_FLOW_HOSTFLOW_H
