//===- KernelEffects.cpp - what a kernel does with data ---------------------===//

#include "KernelEffects.h"
#include "../BranchConditions.h"
#include "KernelBody.h"
#include "KernelExpressions.h"
#include "KernelGates.h"
#include "KernelKept.h"
#include "KernelThreads.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;

namespace cupel {

namespace {

enum class Kind { Constant, Loaded, Computed };

/// Functions inside functions that are followed.
constexpr unsigned DepthLimit = 12;

class KernelReader {
public:
  KernelReader(const FunctionDecl &Kernel, int64_t Threads, CheckContext &Context)
      : Context(Context), Threads(Threads) {
    for (const ParmVarDecl *P : Kernel.parameters())
      if (!P->getType()->isArithmeticType())
        Global.insert(P);
    Functions.push_back(&Kernel);
    // What is stored last may be loaded first by the next round of a loop.
    do {
      HasChanged = false;
      read(Kernel.getBody());
    } while (HasChanged);
    if (IsUnfollowed)
      addAllNamed(Kernel);
    Result.Gates = gatesOf(Kernel);
    if (!IsUnfollowed)
      Result.Kept = Kept.find([this](const VarDecl *V) { return held(V) != Kind::Constant; });
    for (const VarDecl *V : Result.Written)
      Result.Read.erase(V);
    Result.Stored = work();
  }

  KernelEffects Result;

private:
  void load(const VarDecl *V) {
    if (!Result.Written.count(V))
      Result.Read.insert(V);
    Kept.load(V);
  }

  /// Notes a store to the variable of the device \p V.
  void stored(const VarDecl *V) {
    Global.insert(V);
    Result.Written.insert(V);
    Kept.store(V);
  }

  KernelEffects::Work work() const {
    using Work = KernelEffects::Work;
    if (IsOpaque)
      return Work::Computes;
    Work Most = Work::Nothing;
    for (const VarDecl *V : Global)
      for (const auto &[Memory, Stored] : StoredTo)
        if (Same.isEquivalent(V, Memory))
          Most = std::max(Most, Stored == Kind::Constant ? Work::Constants
                                : Stored == Kind::Loaded ? Work::Copies
                                                         : Work::Computes);
    return Most;
  }

  void opaque() { IsOpaque = true; }

  /// Code that is not looked into may do anything with what the kernel names.
  void unfollowed() { IsOpaque = IsUnfollowed = true; }

  void addAllNamed(const FunctionDecl &Kernel) {
    const KernelEffects::Variables Named = deviceVariablesIn(Kernel);
    Result.Written.insert(Named.begin(), Named.end());
    Result.Changed.insert(Named.begin(), Named.end());
  }

  bool isGlobal(const VarDecl *V) const {
    return llvm::any_of(Global, [&](const VarDecl *Other) { return Same.isEquivalent(V, Other); });
  }

  void join(const VarDecl *A, const VarDecl *B) {
    if (!A || !B || Same.isEquivalent(A, B))
      return;
    Same.unionSets(A, B);
    HasChanged = true;
  }

  Kind held(const VarDecl *V) const {
    Kind Most = Kind::Constant;
    for (const auto &[Memory, Stored] : StoredTo)
      if (Same.isEquivalent(V, Memory))
        Most = std::max(Most, Stored);
    return Most;
  }

  void store(const VarDecl *V, Kind K) {
    auto [At, IsNew] = StoredTo.try_emplace(V, K);
    HasChanged |= IsNew || At->second < K;
    At->second = std::max(At->second, K);
  }

  /// How much of the data goes into the address of \p E: an index that was loaded is a gather.
  Kind addressOf(const Expr *E) {
    E = E->IgnoreParenCasts();
    if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E))
      return std::max(kindOf(Subscript->getIdx()), addressOf(Subscript->getBase()));
    if (const auto *Member = dyn_cast<MemberExpr>(E))
      return addressOf(Member->getBase());
    if (const auto *Unary = dyn_cast<UnaryOperator>(E))
      return addressOf(Unary->getSubExpr());
    if (const auto *Sum = dyn_cast<BinaryOperator>(E)) {
      const bool IsLeft = Sum->getLHS()->getType()->isPointerType();
      return std::max(addressOf(IsLeft ? Sum->getLHS() : Sum->getRHS()),
                      kindOf(IsLeft ? Sum->getRHS() : Sum->getLHS()));
    }
    if (const auto *Conditional = dyn_cast<ConditionalOperator>(E))
      return kindOf(Conditional->getCond());
    return isa<DeclRefExpr>(E) ? Kind::Constant : Kind::Computed;
  }

  Kind load(const Expr *E) {
    const VarDecl *V = rootOf(E);
    if (!V)
      return Kind::Computed;
    if (isDeviceVariable(V))
      load(V);
    if (addressOf(E) != Kind::Constant)
      return Kind::Computed;
    // A parameter that is a number, or an array of them in a struct, is no data.
    const bool IsMemory = isDeviceVariable(V) || (isGlobal(V) && isBehindPointer(E));
    return IsMemory ? std::max(Kind::Loaded, held(V)) : held(V);
  }

  void assign(const Expr *Target, Kind K, const Expr *Value) {
    const VarDecl *V = rootOf(Target);
    if (!V || addressOf(Target) != Kind::Constant)
      return opaque();
    if (isDeviceVariable(V)) {
      stored(V);
      const bool IsRaised = Value && Target->getType()->isIntegerType() && isRaise(Value);
      (IsRaised ? Result.Raised : Result.Changed).insert(V);
    }
    store(V, K);
    if (Value)
      share(V, Target->getType(), Value);
  }

  /// Whether a flag is certainly not zero once \p Value was put into it.
  bool isRaise(const Expr *Value) const {
    Expr::EvalResult Constant;
    return DataConditions == 0 && !Value->isValueDependent() &&
           Value->EvaluateAsInt(Constant, Context.ast()) && Constant.Val.getInt() != 0;
  }

  /// \p V holds a value of type \p T as \p Value does, with the pointers in it.
  void share(const VarDecl *V, QualType T, const Expr *Value) {
    const CXXRecordDecl *Class = T->getAsCXXRecordDecl();
    const Expr *Whole = Value->IgnoreImplicit();
    if (T->isPointerType() || T->isReferenceType())
      point(V, Value);
    else if (Class && rootOf(Whole))
      point(V, Whole);
    else if (Class && Class->hasDefinition() &&
             llvm::any_of(Class->fields(),
                          [](const FieldDecl *Field) { return Field->getType()->isPointerType(); }))
      opaque();
  }

  /// \p V, a pointer or a struct or reference with one in it, becomes \p Value.
  void point(const VarDecl *V, const Expr *Value) {
    Value = Value->IgnoreParenCasts();
    if (const auto *Conditional = dyn_cast<ConditionalOperator>(Value)) {
      point(V, Conditional->getTrueExpr());
      point(V, Conditional->getFalseExpr());
      return;
    }
    if (const VarDecl *Root = rootOf(Value))
      join(V, Root);
    else if (V->getType()->isPointerType() && !isa<CXXNullPtrLiteralExpr, IntegerLiteral>(Value))
      opaque();
    if (const VarDecl *Root = rootOf(Value); Root && isDeviceVariable(Root)) {
      const QualType T = V->getType().getNonReferenceType();
      const bool IsConst =
          T.isConstQualified() || (T->isPointerType() && T->getPointeeType().isConstQualified());
      if (!IsConst) {
        stored(Root);
        Kept.storeAtAnyTime(Root); // Through the pointer at any time.
        Result.Changed.insert(Root);
      }
    }
  }

  void declare(const VarDecl *V) {
    if (V->hasAttr<CUDASharedAttr>() || !V->getInit())
      return;
    const Kind K = kindOf(V->getInit());
    store(V, K);
    share(V, V->getType(), V->getInit());
  }

  /// Of what uses data for anything but to store them.
  static Kind used(Kind K) { return K == Kind::Constant ? K : Kind::Computed; }

  Kind kindOf(const Expr *E) {
    if (!E)
      return Kind::Constant;
    E = E->IgnoreParens();
    if (E->isTypeDependent() || E->isValueDependent()) {
      unfollowed();
      return Kind::Computed;
    }
    switch (E->getStmtClass()) {
    case Stmt::IntegerLiteralClass:
    case Stmt::FloatingLiteralClass:
    case Stmt::CharacterLiteralClass:
    case Stmt::CXXBoolLiteralExprClass:
    case Stmt::StringLiteralClass:
    case Stmt::CXXNullPtrLiteralExprClass:
    case Stmt::UnaryExprOrTypeTraitExprClass:
    case Stmt::ImplicitValueInitExprClass:
    case Stmt::CXXScalarValueInitExprClass:
    case Stmt::PseudoObjectExprClass: // `threadIdx.x`
      return Kind::Constant;
    case Stmt::DeclRefExprClass: {
      const auto *V = dyn_cast<VarDecl>(cast<DeclRefExpr>(E)->getDecl());
      if (!V || V->getType()->isPointerType() || V->getType()->isArrayType())
        return Kind::Constant; // An address or an enumerator.
      return load(E);
    }
    case Stmt::MemberExprClass:
    case Stmt::ArraySubscriptExprClass:
      return E->getType()->isArrayType() ? Kind::Constant : load(E);
    case Stmt::UnaryOperatorClass:
      return kindOfUnary(cast<UnaryOperator>(E));
    case Stmt::BinaryOperatorClass:
    case Stmt::CompoundAssignOperatorClass:
      return kindOfBinary(cast<BinaryOperator>(E));
    case Stmt::ConditionalOperatorClass: {
      const auto *Conditional = cast<ConditionalOperator>(E);
      return std::max({used(kindOf(Conditional->getCond())), kindOf(Conditional->getTrueExpr()),
                       kindOf(Conditional->getFalseExpr())});
    }
    case Stmt::CXXConstructExprClass:
    case Stmt::CXXTemporaryObjectExprClass: {
      const auto *Construction = cast<CXXConstructExpr>(E);
      Kind Most = Kind::Constant;
      for (const Expr *Argument : Construction->arguments())
        Most = std::max(Most, kindOf(Argument));
      giveAddresses(*Construction);
      return Construction->getConstructor()->isCopyOrMoveConstructor() ? Most : used(Most);
    }
    case Stmt::CallExprClass:
    case Stmt::CXXMemberCallExprClass:
    case Stmt::CXXOperatorCallExprClass:
      return kindOfCall(cast<CallExpr>(E));
    case Stmt::CXXDefaultArgExprClass:
      return kindOf(cast<CXXDefaultArgExpr>(E)->getExpr());
    case Stmt::InitListExprClass:
    case Stmt::MaterializeTemporaryExprClass:
    case Stmt::ExprWithCleanupsClass:
    case Stmt::CXXBindTemporaryExprClass:
    case Stmt::ConstantExprClass:
    case Stmt::SubstNonTypeTemplateParmExprClass: {
      Kind Most = Kind::Constant;
      for (const Stmt *Child : E->children())
        Most = std::max(Most, kindOf(dyn_cast_if_present<Expr>(Child)));
      return Most;
    }
    default:
      if (const auto *Cast = dyn_cast<CastExpr>(E)) {
        const Kind K = kindOf(Cast->getSubExpr());
        // A conversion to another type is work.
        const bool IsSame =
            !E->getType()->isArithmeticType() ||
            Context.ast().hasSameUnqualifiedType(E->getType(), Cast->getSubExpr()->getType());
        return IsSame ? K : used(K);
      }
      unfollowed();
      return Kind::Computed;
    }
  }

  /// An object of a header's class may store through what it is made from:
  /// `cuda::atomic_ref<float> sum(y[0]);`.
  void giveAddresses(const CXXConstructExpr &Construction) {
    const CXXConstructorDecl *Constructor = Construction.getConstructor();
    if (Constructor->isCopyOrMoveConstructor() || Context.symbols().isDefinedHere(Constructor))
      return;
    for (unsigned I = 0; I < Construction.getNumArgs() && I < Constructor->getNumParams(); ++I) {
      const QualType T = Constructor->getParamDecl(I)->getType();
      const bool IsAddress = T->isPointerType() || (T->isLValueReferenceType() &&
                                                    !T->getPointeeType().isConstQualified());
      const VarDecl *Root = rootOf(Construction.getArg(I));
      if (IsAddress && (!Root || isGlobal(Root) || isDeviceVariable(Root)))
        namesDevice(Construction.getArg(I)) ? unfollowed() : opaque();
    }
  }

  Kind kindOfUnary(const UnaryOperator *Unary) {
    switch (Unary->getOpcode()) {
    case UO_Deref:
      return load(Unary);
    case UO_AddrOf:
      return Kind::Constant;
    case UO_Plus:
    case UO_Extension:
      return kindOf(Unary->getSubExpr());
    default: {
      const Kind K = used(kindOf(Unary->getSubExpr()));
      if (Unary->isIncrementDecrementOp())
        assign(Unary->getSubExpr(), K, nullptr);
      return K;
    }
    }
  }

  Kind kindOfBinary(const BinaryOperator *Binary) {
    const Kind Right = kindOf(Binary->getRHS());
    if (Binary->getOpcode() == BO_Assign) {
      assign(Binary->getLHS(), Right, Binary->getRHS());
      return Right;
    }
    const Kind Left = kindOf(Binary->getLHS());
    if (Binary->getOpcode() == BO_Comma)
      return Right;
    // `x * 0.f` has nothing of x but whether it is finite.
    const bool IsProduct = Binary->getOpcode() == BO_Mul || Binary->getOpcode() == BO_And;
    if (IsProduct &&
        (isZero(Binary->getLHS(), Context.ast()) || isZero(Binary->getRHS(), Context.ast())))
      return Kind::Constant;
    const Kind Both = used(std::max(Left, Right));
    if (Binary->isCompoundAssignmentOp())
      assign(Binary->getLHS(), Both, nullptr);
    return Both;
  }

  Kind kindOfCall(const CallExpr *Call) {
    static const llvm::StringSet<> Loads = {"__ldg",  "__ldcg", "__ldca",
                                            "__ldcs", "__ldlu", "__ldcv"};
    static const llvm::StringSet<> Stores = {"__stwb", "__stcg", "__stcs", "__stwt"};
    const FunctionDecl *F = Call->getDirectCallee();
    if (!F) {
      unfollowed();
      return Kind::Computed;
    }
    const llvm::StringRef Name = F->getDeclName().isIdentifier() ? F->getName() : "";
    const bool IsOwn = Context.symbols().isDefinedHere(F);
    if (!IsOwn && Loads.contains(Name) && Call->getNumArgs() == 1)
      return loadThrough(Call->getArg(0));
    if (!IsOwn && Stores.contains(Name) && Call->getNumArgs() == 2) {
      storeThrough(Call->getArg(0), kindOf(Call->getArg(1)));
      return Kind::Constant;
    }
    if (!IsOwn && (Name == "memcpy" || Name == "__builtin_memcpy") && Call->getNumArgs() == 3) {
      storeThrough(Call->getArg(0), loadThrough(Call->getArg(1)));
      return Kind::Constant;
    }
    const bool IsAssignment = F->getOverloadedOperator() == OO_Equal && Call->getNumArgs() == 2 &&
                              Context.ast().hasSameUnqualifiedType(Call->getArg(0)->getType(),
                                                                   Call->getArg(1)->getType());
    if (IsAssignment && !IsOwn) {
      const Kind K = kindOf(Call->getArg(1));
      assign(Call->getArg(0), K, Call->getArg(1));
      return K;
    }
    if (IsOwn && !isa<CXXMethodDecl>(F))
      return kindOfOwn(Call, F);
    if (!IsOwn && Name.starts_with("atomic") && Call->getNumArgs() > 1) {
      Kind Most = Kind::Constant;
      for (const Expr *Argument : llvm::drop_begin(Call->arguments()))
        Most = std::max(Most, kindOf(Argument));
      const bool IsRaise = (Name == "atomicExch" || Name == "atomicOr" || Name == "atomicMax" ||
                            Name == "atomicAdd") &&
                           Call->getNumArgs() == 2 && Call->getType()->isIntegerType() &&
                           isRaise(Call->getArg(1));
      const bool IsLoad = (Name == "atomicAdd" || Name == "atomicOr") && testsFlag(Call);
      IsLoad ? void(loadThrough(Call->getArg(0)))
             : storeThrough(Call->getArg(0), used(Most), IsRaise);
      return Kind::Computed;
    }
    // Textures and surfaces are memory that no pointer names; a texture may also interpolate.
    if (!IsOwn && Name.starts_with("surf") && F->getReturnType()->isVoidType())
      opaque();
    const bool IsTexture = !IsOwn && (Name.starts_with("tex") || Name.starts_with("surf"));
    Kind Most = IsTexture ? Kind::Computed : Kind::Constant;
    if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Call); Member && !IsOwn)
      Most = std::max(Most, kindOf(Member->getImplicitObjectArgument()));
    for (const Expr *Argument : Call->arguments()) {
      Most = std::max(Most, kindOf(Argument));
      const QualType T = Argument->getType();
      if (T->isPointerType() || T->isArrayType() || Argument->isLValue())
        IsOwn || namesDevice(Argument) ? unfollowed() : opaque();
    }
    if (IsOwn)
      unfollowed();
    return Name.starts_with("__shfl") || Name.starts_with("make_") ? Most : used(Most);
  }

  static bool namesDevice(const Stmt *S) {
    const auto *Reference = dyn_cast_if_present<DeclRefExpr>(S);
    return (Reference && isDeviceVariable(Reference->getDecl())) ||
           (S && llvm::any_of(S->children(), namesDevice));
  }

  Kind loadThrough(const Expr *Pointer) {
    const VarDecl *V = rootOf(Pointer);
    if (!V || addressOf(Pointer) != Kind::Constant)
      return Kind::Computed;
    if (isDeviceVariable(V))
      load(V);
    return isGlobal(V) || isDeviceVariable(V) ? std::max(Kind::Loaded, held(V)) : held(V);
  }

  void storeThrough(const Expr *Pointer, Kind K, bool IsRaise = false) {
    const VarDecl *V = rootOf(Pointer);
    if (!V || addressOf(Pointer) != Kind::Constant)
      return opaque();
    if (isDeviceVariable(V)) {
      stored(V);
      (IsRaise ? Result.Raised : Result.Changed).insert(V);
    }
    store(V, K);
  }

  Kind kindOfOwn(const CallExpr *Call, const FunctionDecl *F) {
    const FunctionDecl *Definition = nullptr;
    if (!F->hasBody(Definition) || Definition->isDependentContext() ||
        Functions.size() >= DepthLimit || llvm::is_contained(Functions, Definition)) {
      unfollowed();
      return Kind::Computed;
    }
    for (unsigned I = 0; I < Call->getNumArgs() && I < Definition->getNumParams(); ++I) {
      const ParmVarDecl *P = Definition->getParamDecl(I);
      store(P, kindOf(Call->getArg(I)));
      if (!P->getType()->isArithmeticType())
        point(P, Call->getArg(I)->IgnoreImplicit());
    }
    Functions.push_back(Definition);
    read(Definition->getBody());
    Functions.pop_back();
    return Returned[Definition];
  }

  /// Whether \p Condition looks at data; a flag of the device's is none.
  bool isOnData(const Expr *Condition) {
    const Expr *Plain = Condition ? Condition->IgnoreParenImpCasts() : nullptr;
    const auto *Both = dyn_cast_if_present<BinaryOperator>(Plain);
    if (Both && Both->isLogicalOp()) {
      const bool IsLeft = isOnData(Both->getLHS());
      return isOnData(Both->getRHS()) || IsLeft;
    }
    return kindOf(Condition) != Kind::Constant && !testsFlag(Condition);
  }

  /// Reads \p S, which never runs once \p Flag is set, if there is one.
  void readUnless(const VarDecl *Flag, const Stmt *S) {
    KernelEffects::Variables Before = Kept.zeroFlags(), Inside = Before;
    if (Flag)
      Inside.insert(Flag);
    Kept.setZeroFlags(std::move(Inside));
    read(S);
    Kept.setZeroFlags(std::move(Before));
  }

  /// Reads a block; what stands behind `if (done) return;` never runs once the flag is set.
  void readBlock(const CompoundStmt *Block) {
    const KernelEffects::Variables Before = Kept.zeroFlags();
    for (const Stmt *Child : Block->body()) {
      read(Child);
      const auto *If = dyn_cast<IfStmt>(Child);
      if (!If || !If->getCond() || !neverFallsThrough(If->getThen()))
        continue;
      if (decidedByThreads(If->getCond(), Threads, Context.ast()) == true)
        break;
      if (const VarDecl *Flag = flagAgainst(If->getCond(), true)) {
        KernelEffects::Variables Behind = Kept.zeroFlags();
        Behind.insert(Flag);
        Kept.setZeroFlags(std::move(Behind));
      }
    }
    Kept.setZeroFlags(Before);
  }

  void readUnder(const Expr *Condition, std::initializer_list<const Stmt *> Parts,
                 bool IsIf = false) {
    const bool OnData = isOnData(Condition);
    if (OnData)
      opaque(); // To decide on data is work.
    DataConditions += OnData;
    for (const Stmt *Part : Parts) {
      const bool IsElse = IsIf && Part != *Parts.begin();
      readUnless(IsIf ? flagAgainst(Condition, IsElse) : nullptr, Part);
    }
    DataConditions -= OnData;
  }

  void read(const Stmt *S) {
    if (!S)
      return;
    if (const auto *E = dyn_cast<Expr>(S)) {
      kindOf(E);
      return;
    }
    switch (S->getStmtClass()) {
    case Stmt::DeclStmtClass:
      for (const Decl *D : cast<DeclStmt>(S)->decls())
        if (const auto *V = dyn_cast<VarDecl>(D))
          declare(V);
      return;
    case Stmt::ReturnStmtClass: {
      Kind &K = Returned[Functions.back()];
      const Kind Now = kindOf(cast<ReturnStmt>(S)->getRetValue());
      HasChanged |= Now > K;
      K = std::max(K, Now);
      return;
    }
    case Stmt::IfStmtClass: {
      const auto *If = cast<IfStmt>(S);
      read(If->getInit());
      if (If->isConstexpr())
        if (std::optional<const Stmt *> Taken = If->getNondiscardedCase(Context.ast()))
          return read(*Taken);
      if (std::optional<bool> Passes = decidedByThreads(If->getCond(), Threads, Context.ast()))
        return read(*Passes ? If->getThen() : If->getElse());
      return readUnder(If->getCond(), {If->getThen(), If->getElse()}, true);
    }
    case Stmt::ForStmtClass: {
      const auto *For = cast<ForStmt>(S);
      read(For->getInit());
      return readUnder(For->getCond(), {For->getBody(), For->getInc()});
    }
    case Stmt::WhileStmtClass:
      return readUnder(cast<WhileStmt>(S)->getCond(), {cast<WhileStmt>(S)->getBody()});
    case Stmt::DoStmtClass:
      return readUnder(cast<DoStmt>(S)->getCond(), {cast<DoStmt>(S)->getBody()});
    case Stmt::SwitchStmtClass:
      return readUnder(cast<SwitchStmt>(S)->getCond(), {cast<SwitchStmt>(S)->getBody()});
    case Stmt::CompoundStmtClass:
      return readBlock(cast<CompoundStmt>(S));
    case Stmt::CaseStmtClass:
    case Stmt::DefaultStmtClass:
    case Stmt::AttributedStmtClass:
    case Stmt::NullStmtClass:
    case Stmt::BreakStmtClass:
    case Stmt::ContinueStmtClass:
      for (const Stmt *Child : S->children())
        read(Child);
      return;
    default: // Assembler, goto, range loops.
      unfollowed();
    }
  }

  CheckContext &Context;
  const int64_t Threads;            ///< Of a block, at most.
  std::set<const VarDecl *> Global; ///< What is, points to or holds pointers to global memory.
  llvm::EquivalenceClasses<const VarDecl *> Same; ///< Variables that may name the same memory.
  std::map<const VarDecl *, Kind> StoredTo;
  std::map<const FunctionDecl *, Kind> Returned;
  std::vector<const FunctionDecl *> Functions; ///< The kernel and the calls inside it.
  KeptVariables Kept;
  unsigned DataConditions = 0;
  bool HasChanged = false, IsOpaque = false, IsUnfollowed = false;
};

} // namespace

KernelEffects effectsOf(const FunctionDecl &Kernel, int64_t Threads, CheckContext &Context) {
  const FunctionDecl *Definition = nullptr;
  KernelEffects Unknown;
  Unknown.Stored = KernelEffects::Work::Computes;
  if (!Kernel.hasBody(Definition) || Definition->isDependentContext())
    return Unknown;
  KernelEffects Found = KernelReader(*Definition, Threads, Context).Result;
  if (!isSameForDevice(Context))
    Found.Stored = Unknown.Stored;
  return Found;
}

} // namespace cupel
