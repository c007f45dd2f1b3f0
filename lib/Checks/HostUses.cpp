//===- HostUses.cpp - uses of functions by name, in host code ---------------===//

#include "HostUses.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;

namespace cupel {

void forEachHostUse(CheckContext &Context,
                    llvm::function_ref<void(const FunctionUse &, llvm::StringRef)> Visit) {
  const Symbols &Names = Context.symbols();
  for (const auto &Unit : Context.program().units()) {
    if (isDeviceOnly(Unit->function()))
      continue;
    for (const auto &Use : Unit->Uses)
      if (Use->Callee && !Names.isDefinedHere(Use->Callee))
        Visit(*Use, Names.qualifiedName(Use->Callee));
  }
}

void reportNamedUses(CheckContext &Context, const Check &C, Level L,
                     std::initializer_list<llvm::StringRef> Names, llvm::StringRef What) {
  llvm::StringSet<> Wanted;
  for (llvm::StringRef Name : Names)
    Wanted.insert(Name);
  forEachHostUse(Context, [&](const FunctionUse &Use, llvm::StringRef Name) {
    if (Wanted.contains(Name))
      Context.report(C, L, Use, "'" + Name + "' " + What);
  });
}

bool isHostClock(llvm::StringRef Name) {
  static const llvm::StringSet<> Clocks = {"clock",
                                           "clock_gettime",
                                           "gettimeofday",
                                           "time",
                                           "times",
                                           "getrusage",
                                           "timespec_get",
                                           "std::chrono::_V2::steady_clock::now",
                                           "std::chrono::_V2::system_clock::now",
                                           "std::chrono::_V2::high_resolution_clock::now",
                                           "std::chrono::steady_clock::now",
                                           "std::chrono::system_clock::now",
                                           "__rdtsc",
                                           "__builtin_ia32_rdtsc"};
  return Clocks.contains(Name);
}

static const Expr *argument(const FunctionUse &Use, unsigned Index) {
  if (const auto *Call = dyn_cast_if_present<CallExpr>(Use.Site))
    return Index < Call->getNumArgs() ? Call->getArg(Index) : nullptr;
  if (const auto *Construct = dyn_cast_if_present<CXXConstructExpr>(Use.Site))
    return Index < Construct->getNumArgs() ? Construct->getArg(Index) : nullptr;
  return nullptr;
}

std::optional<int64_t> integerArgument(const FunctionUse &Use, unsigned Index,
                                       const ASTContext &AST) {
  const Expr *Argument = argument(Use, Index);
  Expr::EvalResult Result;
  if (!Argument || Argument->isValueDependent() || !Argument->EvaluateAsInt(Result, AST))
    return std::nullopt;
  return Result.Val.getInt().getExtValue();
}

std::optional<std::string> stringArgument(const FunctionUse &Use, unsigned Index) {
  const Expr *Argument = argument(Use, Index);
  if (!Argument)
    return std::nullopt;
  const auto *Literal = dyn_cast<StringLiteral>(Argument->IgnoreParenImpCasts());
  if (!Literal || Literal->getCharByteWidth() != 1)
    return std::nullopt;
  return Literal->getString().str();
}

} // namespace cupel
