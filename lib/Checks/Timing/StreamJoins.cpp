//===- StreamJoins.cpp - whether launches on side streams are waited for ----===//
//
// From a launch on, the work is followed through the control flow graph: its stream carries it, an
// event carries it once it is recorded on a carrier, and a stream does once it waits for one. When
// the caller's stream or the host waits for a carrier on any way onward, the launch is joined. An
// event that was recorded before the launch carries nothing of it (CUDA programming guide,
// "Events": an event captures the work that the stream holds at the time of the call).
//
//===----------------------------------------------------------------------===//

#include "StreamJoins.h"
#include "StreamOperands.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Analysis/CFG.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include <map>
#include <set>

using namespace clang;

namespace cupel {

namespace {

using Kind = StreamOperand::Kind;

/// What a call or launch does with streams and events.
struct StreamStep {
  enum class Action { Launch, Record, Wait, Synchronize, SynchronizeAll };
  Action Does = Action::Launch;
  StreamOperand Stream; ///< Launched on, recorded on or made to wait; of Synchronize, waited for.
  StreamOperand Event;  ///< Recorded or waited for.
};
using Action = StreamStep::Action;

/// The program's streams and events: who makes them, what each function does with them, and which
/// of them go where nothing is known.
class StreamUses {
public:
  explicit StreamUses(CheckContext &Context) : Names(Context.symbols()), Operands(Names) {}

  struct Function {
    const FunctionDecl *Decl = nullptr;
    std::map<const Stmt *, StreamStep> Steps;
    bool UsesGuard = false; ///< The current stream may be any.
  };

  const Symbols &Names;
  StreamOperands Operands;
  std::vector<Function> Functions;
  std::set<StreamOperand> Escaped;
  /// Who records, waits for or synchronises each; who synchronises the whole device.
  std::map<StreamOperand, std::set<const FunctionDecl *>> Joiners;
  std::set<const FunctionDecl *> DeviceJoiners;
};

/// Looks for the calls that make streams and events, and for assignments to them.
struct MakerFinder : DynamicRecursiveASTVisitor {
  explicit MakerFinder(StreamUses &Uses) : Uses(Uses) {}
  StreamUses &Uses;

  const VarDecl *variableOf(const Expr *E) const {
    const auto *Reference = dyn_cast<DeclRefExpr>(withoutConversions(E, Uses.Names));
    const auto *V = Reference ? dyn_cast<VarDecl>(Reference->getDecl()) : nullptr;
    return V && isStreamOrEvent(V->getType(), Uses.Names) ? V : nullptr;
  }

  bool VisitCallExpr(CallExpr *Call) override {
    const FunctionDecl *F = Call->getDirectCallee();
    if (!F || Uses.Names.isDefinedHere(F))
      return true;
    static const llvm::StringSet<> Makers = {
        "cudaStreamCreate", "cudaStreamCreateWithFlags", "cudaStreamCreateWithPriority",
        "cudaEventCreate",  "cudaEventCreateWithFlags",  "cuStreamCreate",
        "cuEventCreate",    "cuStreamCreateWithPriority"};
    const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Call);
    const VarDecl *V = nullptr;
    if (Makers.contains(Uses.Names.qualifiedName(F)) && Call->getNumArgs()) {
      const auto *Address = dyn_cast<UnaryOperator>(Call->getArg(0)->IgnoreParenCasts());
      if (Address && Address->getOpcode() == UO_AddrOf)
        V = variableOf(Address->getSubExpr());
      else if (Call->getArg(0)->IgnoreParenImpCasts()->getType()->isArrayType())
        V = variableOf(Call->getArg(0)); // The first of an array.
      if (V && !V->getType()->isReferenceType())
        Uses.Operands.addMaker(V, Call);
    } else if (Operator && Operator->getOperator() == OO_Equal &&
               (V = variableOf(Operator->getArg(0)))) {
      Uses.Operands.addAssigned(V);
    }
    return true;
  }

  bool VisitBinaryOperator(BinaryOperator *Binary) override {
    if (Binary->isAssignmentOp())
      if (const VarDecl *V = variableOf(Binary->getLHS()))
        Uses.Operands.addAssigned(V);
    return true;
  }

  bool VisitVarDecl(VarDecl *V) override {
    if (!V->getInit() || !isStreamOrEvent(V->getType(), Uses.Names))
      return true;
    const auto *Call = dyn_cast<CallExpr>(withoutConversions(V->getInit(), Uses.Names));
    const FunctionDecl *F = Call ? Call->getDirectCallee() : nullptr;
    if (F && Uses.Names.qualifiedName(F) == "c10::cuda::getStreamFromPool")
      Uses.Operands.addMaker(V, Call);
    return true;
  }
};

/// Calls that leave a stream or event as it is and hand it to nobody who could wait for it.
bool isHarmless(llvm::StringRef Name) {
  if (Name.starts_with("cudaMemcpy") || Name.starts_with("cudaMemset") ||
      Name.starts_with("cudaStreamGet") || Name.starts_with("cudaStreamCreate") ||
      Name.starts_with("cudaEventCreate") || Name.starts_with("cuStreamCreate") ||
      Name.starts_with("cuEventCreate") || Name.ends_with("::recordStream") ||
      Name.ends_with("::record_stream"))
    return true;
  static const llvm::StringSet<> Others = {
      "cudaStreamDestroy", "cudaEventDestroy",     "cuStreamDestroy_v2",
      "cuEventDestroy_v2", "cudaEventElapsedTime", "cudaMallocAsync",
      "cudaFreeAsync",     "cublasSetStream_v2",   "cudnnSetStream"};
  return Others.contains(Name);
}

/// Whether \p F does nothing with its parameter \p Index but launch kernels on it.
bool onlyLaunchesOn(const FunctionDecl &F, unsigned Index, const Symbols &Names) {
  struct Finder : DynamicRecursiveASTVisitor {
    Finder(const ParmVarDecl *Parameter, const Symbols &Names)
        : Parameter(Parameter), Names(Names) {}
    const ParmVarDecl *Parameter;
    const Symbols &Names;
    unsigned Launches = 0, References = 0;
    bool VisitDeclRefExpr(DeclRefExpr *Reference) override {
      References += Reference->getDecl() == Parameter;
      return true;
    }
    bool VisitCUDAKernelCallExpr(CUDAKernelCallExpr *Launch) override {
      const CallExpr *Config = Launch->getConfig();
      const auto *Reference =
          Config && Config->getNumArgs() > 3
              ? dyn_cast<DeclRefExpr>(withoutConversions(Config->getArg(3), Names))
              : nullptr;
      Launches += Reference && Reference->getDecl() == Parameter;
      return true;
    }
  };
  const FunctionDecl *Definition = nullptr;
  if (!F.hasBody(Definition))
    return false;
  Finder Search(Definition->getParamDecl(Index), Names);
  Search.TraverseStmt(Definition->getBody());
  return Search.Launches && Search.Launches == Search.References;
}

/// Reads one function's calls.
struct StepFinder : DynamicRecursiveASTVisitor {
  StepFinder(StreamUses &Uses, StreamUses::Function &In) : Uses(Uses), In(In) {}
  StreamUses &Uses;
  StreamUses::Function &In;
  std::set<const DeclRefExpr *> Known; ///< Named in a way that is understood.
  const LambdaExpr *Closure = nullptr; ///< The outermost around what is visited.

  StreamOperand operand(const Expr *E) {
    E = withoutConversions(E, Uses.Names);
    if (const auto *Reference = dyn_cast<DeclRefExpr>(E))
      Known.insert(Reference);
    return Uses.Operands.of(E);
  }

  void add(const Expr *Site, StreamStep Step) {
    // What a closure launches counts from where the closure is made, which is no later.
    const bool IsLaunch = Step.Does == Action::Launch;
    if (Closure && !IsLaunch)
      return escape(Step);
    if (Step.Does == Action::SynchronizeAll)
      Uses.DeviceJoiners.insert(In.Decl);
    if (!IsLaunch)
      for (const StreamOperand &Operand : {Step.Stream, Step.Event})
        Uses.Joiners[Operand].insert(In.Decl);
    In.Steps.try_emplace(Closure ? Closure : Site, Step);
  }

  void escape(const StreamStep &Step) {
    Uses.Escaped.insert(Step.Stream);
    Uses.Escaped.insert(Step.Event);
    if (Step.Does == Action::SynchronizeAll)
      Uses.DeviceJoiners.insert(nullptr);
  }

  bool TraverseLambdaExpr(LambdaExpr *Lambda) override {
    const LambdaExpr *Outer = Closure;
    Closure = Closure ? Closure : Lambda;
    const bool Goes = TraverseStmt(Lambda->getBody());
    Closure = Outer;
    return Goes;
  }

  bool VisitCUDAKernelCallExpr(CUDAKernelCallExpr *Launch) override {
    const CallExpr *Config = Launch->getConfig();
    if (Config && Config->getNumArgs() > 3)
      add(Launch, {Action::Launch, operand(Config->getArg(3)), {}});
    return true;
  }

  bool VisitCXXConstructExpr(CXXConstructExpr *Construct) override {
    const llvm::StringRef Class =
        Uses.Names.qualifiedName(Construct->getConstructor()->getParent());
    if (!Class.starts_with("c10::cuda::") || !Class.ends_with("StreamGuard"))
      return true;
    In.UsesGuard = true;
    for (const Expr *Argument : Construct->arguments())
      operand(Argument);
    return true;
  }

  bool VisitVarDecl(VarDecl *V) override {
    // A variable that is assigned as well is no second name.
    if (V->getInit() && isStreamOrEvent(V->getType(), Uses.Names) && !Uses.Operands.isAssigned(V))
      operand(V->getInit());
    return true;
  }

  bool VisitUnaryOperator(UnaryOperator *Unary) override {
    if (Unary->getOpcode() == UO_LNot)
      operand(Unary->getSubExpr());
    return true;
  }

  bool VisitBinaryOperator(BinaryOperator *Binary) override {
    if (Binary->isComparisonOp() || Binary->isLogicalOp()) {
      operand(Binary->getLHS());
      operand(Binary->getRHS());
    }
    return true;
  }

  bool VisitIfStmt(IfStmt *If) override {
    if (If->getCond())
      operand(If->getCond());
    return true;
  }

  bool VisitCallExpr(CallExpr *Call) override {
    const FunctionDecl *F = Call->getDirectCallee();
    if (!F)
      return true;
    const llvm::StringRef Name = Uses.Names.qualifiedName(F);
    if (Uses.Names.isDefinedHere(F))
      readHelper(*Call, *F);
    else if (const auto *Method = dyn_cast<CXXMemberCallExpr>(Call))
      readMethod(*Method, *F, Name);
    else
      readFunction(*Call, Name);
    return true;
  }

  /// A helper that gets a stream and only launches on it.
  void readHelper(const CallExpr &Call, const FunctionDecl &F) {
    const unsigned Skipped = isa<CXXOperatorCallExpr>(Call) && isa<CXXMethodDecl>(F) ? 1 : 0;
    for (unsigned I = Skipped; I < Call.getNumArgs() && I - Skipped < F.getNumParams(); ++I)
      if (isStreamOrEvent(Call.getArg(I)->getType(), Uses.Names) &&
          onlyLaunchesOn(F, I - Skipped, Uses.Names))
        add(&Call, {Action::Launch, operand(Call.getArg(I)), {}});
  }

  void readMethod(const CXXMemberCallExpr &Call, const FunctionDecl &F, llvm::StringRef Name) {
    const Expr *Object = Call.getImplicitObjectArgument();
    if (!Object || !isStreamOrEvent(Object->getType(), Uses.Names) ||
        !F.getDeclName().isIdentifier()) {
      if (isHarmless(Name))
        for (const Expr *Argument : Call.arguments())
          operand(Argument);
      return;
    }
    const StreamOperand Owner = operand(Object);
    const Expr *First = Call.getNumArgs() ? Call.getArg(0) : nullptr;
    if (!isEvent(Object->getType(), Uses.Names)) {
      if (F.getName() == "synchronize" || F.getName() == "query")
        add(&Call, {Action::Synchronize, Owner, {}});
    } else if (F.getName() == "record" || F.getName() == "recordOnce") {
      add(&Call, {Action::Record, First ? operand(First) : StreamOperand{Kind::Caller}, Owner});
    } else if (F.getName() == "block" && First) {
      add(&Call, {Action::Wait, operand(First), Owner});
    } else if (F.getName() == "synchronize" || F.getName() == "query") {
      add(&Call, {Action::Synchronize, Owner, {}});
    }
  }

  void readFunction(const CallExpr &Call, llvm::StringRef Name) {
    const unsigned Count = Call.getNumArgs();
    static const llvm::StringSet<> OfAll = {"cudaDeviceSynchronize", "cuCtxSynchronize",
                                            "c10::cuda::device_synchronize",
                                            "torch::cuda::synchronize", "cudaFree"};
    static const llvm::StringSet<> OfOne = {
        "cudaStreamSynchronize", "cuStreamSynchronize", "cudaEventSynchronize",
        "cuEventSynchronize",    "cudaStreamQuery",     "cuStreamQuery",
        "cudaEventQuery",        "cuEventQuery",        "c10::cuda::stream_synchronize"};
    static const llvm::StringSet<> Guards = {"c10::cuda::setCurrentCUDAStream"};
    if (OfAll.contains(Name)) {
      add(&Call, {Action::SynchronizeAll, {}, {}});
    } else if (OfOne.contains(Name) && Count) {
      add(&Call, {Action::Synchronize, operand(Call.getArg(0)), {}});
    } else if ((Name == "cudaStreamWaitEvent" || Name == "cuStreamWaitEvent") && Count > 1) {
      const StreamOperand Stream = operand(Call.getArg(0));
      add(&Call, {Action::Wait, Stream, operand(Call.getArg(1))});
    } else if (Name.starts_with("cudaEventRecord") || Name == "cuEventRecord") {
      if (Count < 1)
        return;
      const StreamOperand Event = operand(Call.getArg(0));
      add(&Call, {Action::Record, Count > 1 ? operand(Call.getArg(1)) : StreamOperand{Kind::Caller},
                  Event});
    } else if ((Name == "cudaLaunchKernel" || Name == "cudaLaunchCooperativeKernel") && Count > 5) {
      add(&Call, {Action::Launch, operand(Call.getArg(5)), {}});
    } else if (isHarmless(Name) || Guards.contains(Name)) {
      In.UsesGuard |= Guards.contains(Name);
      for (const Expr *Argument : Call.arguments()) {
        const auto *Address = dyn_cast<UnaryOperator>(Argument->IgnoreParenCasts());
        operand(Address && Address->getOpcode() == UO_AddrOf ? Address->getSubExpr() : Argument);
      }
    }
  }
};

/// Looks for the names of streams and events that no call made sense of.
struct EscapeFinder : DynamicRecursiveASTVisitor {
  EscapeFinder(StreamUses &Uses, const std::set<const DeclRefExpr *> &Known)
      : Uses(Uses), Known(Known) {}
  StreamUses &Uses;
  const std::set<const DeclRefExpr *> &Known;

  bool TraverseLambdaExpr(LambdaExpr *Lambda) override { return TraverseStmt(Lambda->getBody()); }

  bool VisitDeclRefExpr(DeclRefExpr *Reference) override {
    const auto *V = dyn_cast<VarDecl>(Reference->getDecl());
    if (V && !Known.count(Reference) && isStreamOrEvent(V->getType(), Uses.Names))
      Uses.Escaped.insert(Uses.Operands.of(Reference));
    return true;
  }
};

/// Follows one launch through the graph of its function.
class LaunchWalk {
public:
  LaunchWalk(const StreamUses &Uses, const StreamUses::Function &In) : Uses(Uses), In(In) {}

  bool isJoined(const CFG &Graph, const Stmt *Launch, StreamOperand Stream) {
    std::map<const CFGBlock *, std::set<StreamOperand>> At;
    std::vector<const CFGBlock *> Open;
    auto Leave = [&](const CFGBlock &Block, const std::set<StreamOperand> &Carriers) {
      for (const CFGBlock *Next : Block.succs())
        if (Next) {
          auto [Known, IsNew] = At.try_emplace(Next);
          const size_t Before = Known->second.size();
          Known->second.insert(Carriers.begin(), Carriers.end());
          if (IsNew || Known->second.size() != Before)
            Open.push_back(Next);
        }
    };
    bool IsFound = false;
    for (const CFGBlock *Block : Graph) {
      std::set<StreamOperand> Carriers;
      bool IsBehind = false;
      for (const CFGElement &Element : *Block)
        if (auto Statement = Element.getAs<CFGStmt>()) {
          if (IsBehind && isJoinedBy(Statement->getStmt(), Carriers))
            return true;
          if (Statement->getStmt() == Launch) {
            IsBehind = IsFound = true;
            Carriers.insert(Stream);
          }
        }
      if (IsBehind)
        Leave(*Block, Carriers);
    }
    while (!Open.empty()) {
      const CFGBlock *Block = Open.back();
      Open.pop_back();
      std::set<StreamOperand> Carriers = At[Block];
      for (const CFGElement &Element : *Block)
        if (auto Statement = Element.getAs<CFGStmt>())
          if (isJoinedBy(Statement->getStmt(), Carriers))
            return true;
      Leave(*Block, Carriers);
    }
    return !IsFound;
  }

  /// Whether others than this function may wait for \p Operand.
  bool isShared(const StreamOperand &Operand) const {
    if (Operand.Is == Kind::Unknown || Uses.Escaped.count(Operand))
      return true;
    auto Joiners = Uses.Joiners.find(Operand);
    return Joiners != Uses.Joiners.end() &&
           llvm::any_of(Joiners->second, [&](const FunctionDecl *F) { return F != In.Decl; });
  }

private:
  bool isJoinedBy(const Stmt *S, std::set<StreamOperand> &Carriers) const {
    auto Found = In.Steps.find(S);
    if (Found == In.Steps.end())
      return false;
    const StreamStep &Step = Found->second;
    const bool IsAnyStream = Step.Stream.Is == Kind::Caller && In.UsesGuard;
    switch (Step.Does) {
    case Action::Launch:
      return false;
    case Action::SynchronizeAll:
      return true;
    case Action::Synchronize:
      return Carriers.count(Step.Stream);
    case Action::Record:
      if (!Carriers.count(Step.Stream) && !IsAnyStream) {
        // An element of an array may be another's than the one that carries.
        if (Step.Event.Variable && !Step.Event.Variable->getType()->isArrayType())
          Carriers.erase(Step.Event);
        return false;
      }
      Carriers.insert(Step.Event);
      return isShared(Step.Event);
    case Action::Wait:
      if (!Carriers.count(Step.Event))
        return false;
      Carriers.insert(Step.Stream);
      return Step.Stream.Is == Kind::Caller || isShared(Step.Stream);
    }
    return false;
  }

  const StreamUses &Uses;
  const StreamUses::Function &In;
};

} // namespace

std::vector<UnjoinedLaunch> findUnjoinedLaunches(CheckContext &Context) {
  std::vector<UnjoinedLaunch> Unjoined;
  StreamUses Uses(Context);
  MakerFinder Makers(Uses);
  std::vector<const FunctionDecl *> Bodies;
  for (const auto &Unit : Context.program().units()) {
    if (const VarDecl *V = Unit->variable())
      Makers.TraverseDecl(const_cast<VarDecl *>(V));
    const FunctionDecl *F = Unit->function();
    const auto *Method = dyn_cast_if_present<CXXMethodDecl>(F);
    // A closure's body is read where the closure is.
    if (!F || !F->hasBody() || isDeviceOnly(F) || (Method && Method->getParent()->isLambda()))
      continue;
    Bodies.push_back(F);
    Makers.TraverseStmt(F->getBody());
  }
  Uses.Functions.reserve(Bodies.size());
  for (const FunctionDecl *F : Bodies) {
    StreamUses::Function &In = Uses.Functions.emplace_back();
    In.Decl = F;
    StepFinder Steps(Uses, In);
    Steps.TraverseStmt(F->getBody());
    EscapeFinder(Uses, Steps.Known).TraverseStmt(F->getBody());
  }
  for (const StreamUses::Function &In : Uses.Functions) {
    LaunchWalk Walk(Uses, In);
    std::unique_ptr<CFG> Graph;
    for (const auto &[Site, Step] : In.Steps) {
      const bool IsOwn = Step.Stream.Is == Kind::PerThread || Step.Stream.Is == Kind::Variable;
      const bool IsJoinedElsewhere =
          llvm::any_of(Uses.DeviceJoiners, [&](const FunctionDecl *F) { return F != In.Decl; });
      if (Step.Does != Action::Launch || !IsOwn || IsJoinedElsewhere ||
          In.Decl->isDependentContext() || Walk.isShared(Step.Stream))
        continue;
      if (!Graph) {
        CFG::BuildOptions Options;
        Options.setAllAlwaysAdd();
        Graph = CFG::buildCFG(In.Decl, In.Decl->getBody(), &Context.ast(), Options);
      }
      if (Graph && !Walk.isJoined(*Graph, Site, Step.Stream))
        Unjoined.push_back({cast<Expr>(Site), Step.Stream.Variable
                                                  ? Uses.Operands.makerOf(Step.Stream.Variable)
                                                  : nullptr});
    }
  }
  llvm::sort(Unjoined, [](const UnjoinedLaunch &A, const UnjoinedLaunch &B) {
    return A.Launch->getBeginLoc().getRawEncoding() < B.Launch->getBeginLoc().getRawEncoding();
  });
  return Unjoined;
}

} // namespace cupel
