//===- CompilerMacros.h - macros by which compilers can be told apart -------===//
//
// Clang judges a submission; nvcc, with gcc for the host code, may build it. What each of them
// predefines was taken from `-dM -E` of Clang 22, gcc 12 and nvcc 13 with -std=c++17.
//
//===----------------------------------------------------------------------===//
#ifndef CUPEL_LIB_CHECKS_EVASION_COMPILERMACROS_H
#define CUPEL_LIB_CHECKS_EVASION_COMPILERMACROS_H

#include "cupel/Frontend/ParsedSubmission.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

namespace cupel {

/// What the judging and the building compiler can find of one condition: a set of pairs of truths.
class Truths {
public:
  static constexpr Truths both(bool Value) { return Truths(1u << (Value ? 3 : 0)); }
  static constexpr Truths judgeOnly() { return Truths(1u << 2); }
  static constexpr Truths builderOnly() { return Truths(1u << 1); }
  /// Not known, but the same for both.
  static constexpr Truths same() { return Truths(1u << 0 | 1u << 3); }
  static constexpr Truths any() { return Truths(0xf); }

  /// Whether the two may find different truths.
  bool mayDiffer() const { return Pairs & (judgeOnly().Pairs | builderOnly().Pairs); }

  Truths operator!() const {
    return combine(both(true), [](unsigned A, unsigned) { return A ^ 3; });
  }
  Truths operator&(Truths B) const {
    return combine(B, [](unsigned X, unsigned Y) { return X & Y; });
  }
  Truths operator|(Truths B) const {
    return combine(B, [](unsigned X, unsigned Y) { return X | Y; });
  }

private:
  explicit constexpr Truths(unsigned Pairs) : Pairs(Pairs) {}
  template <typename Function> Truths combine(Truths B, Function Combine) const {
    unsigned Result = 0;
    for (unsigned X = 0; X != 4; ++X)
      for (unsigned Y = 0; Y != 4; ++Y)
        if (Pairs >> X & 1 && B.Pairs >> Y & 1)
          Result |= 1u << Combine(X, Y);
    return Truths(Result);
  }
  unsigned Pairs; ///< Bit 2 * judge + builder for each pair that is possible.
};

/// A macro of the submission whose definition depends on the compiler.
struct VaryingMacro {
  std::string Cause;   ///< The compiler's macro that decides.
  bool IsCode = false; ///< Its texts are more than attributes, hints and pragmas.
};

class CompilerMacros {
public:
  explicit CompilerMacros(const ParsedPass &Pass) : Pass(Pass) {}

  /// A condition, by its words and signs; a name is one word.
  Truths evaluate(llvm::ArrayRef<std::string> Condition) const;
  Truths isDefined(llvm::StringRef Name) const;

  /// The compiler's macro that makes \p Word another text for the other compiler; empty if none.
  llvm::StringRef causeOf(llvm::StringRef Word) const;
  /// The same where it stands in code: `__COUNTER__`, say, only makes names there.
  llvm::StringRef causeInCode(llvm::StringRef Word) const;

  const VaryingMacro *varying(llvm::StringRef Name) const;
  void addVarying(llvm::StringRef Name, llvm::StringRef Cause, bool IsCode);

private:
  bool differs(llvm::StringRef Name) const;

  const ParsedPass &Pass;
  llvm::StringMap<VaryingMacro> Varying;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_EVASION_COMPILERMACROS_H
