//===- CompilerMacros.cpp - macros by which compilers can be told apart -----===//

#include "CompilerMacros.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;
using llvm::StringRef;

namespace cupel {

static bool startsWithAny(StringRef Name, llvm::ArrayRef<StringRef> Beginnings) {
  return llvm::any_of(Beginnings, [&](StringRef B) { return Name.starts_with(B); });
}

/// Names, or beginnings of names, that say who compiles.
static bool isIdentity(StringRef Name) {
  return startsWithAny(Name, {"__clang", "__CLANG", "__llvm__", "__CUDA__", "__NVCC", "__CUDACC_",
                              "__EDG", "__GNUC", "__GNUG__", "__GXX_ABI", "__VERSION__",
                              "__OPTIMIZE__", "__cpp_"});
}

/// Names that both have, with the same values: the parse takes CUDA's version from the toolkit
/// (share/parse/cupel/prefix-cuda.h) and gcc's from its library (HostPass.h).
static bool isShared(StringRef Name) {
  return Name == "__CUDACC_VER_MAJOR__" || Name == "__CUDACC_VER_MINOR__" ||
         Name == "__CUDACC_RTC__" || Name == "__GNUC__" || Name == "__GNUG__" ||
         Name.starts_with("__cpp_lib_");
}

/// Names of Clang's alone, or with values that no two runs of compilers need have in common.
static bool isClangsOrChance(StringRef Name) {
  return Name.contains("_FMT") || Name.ends_with("_C_SUFFIX__") || Name.ends_with("_WIDTH__") ||
         startsWithAny(Name, {"__has_",
                              "__is_",
                              "__building_module",
                              "__COUNTER__",
                              "__TIME",
                              "__DATE__",
                              "__BASE_FILE__",
                              "__INCLUDE_LEVEL__",
                              "__CUDA_ARCH_LIST__",
                              "__BITINT",
                              "__FPCLASS",
                              "__MEMORY_SCOPE",
                              "__OPENCL",
                              "__OBJC",
                              "__seg_",
                              "__tune_",
                              "__LITTLE_ENDIAN__",
                              "__private_extern__",
                              "__CONSTANT_CFSTRINGS__",
                              "__NO_MATH_INLINES",
                              "__WINT_UNSIGNED__",
                              "__FLOAT128__"});
}

/// Families in which gcc has members that Clang lacks; those that both have are alike.
static bool isGccsFamily(StringRef Name) {
  return startsWithAny(Name, {"__FLT", "__DEC", "__DBL_", "__LDBL_", "__ATOMIC_", "__STDC",
                              "_STDC_", "__SIZEOF_", "__GCC_", "__FLOAT_", "__HAVE_", "__MMX_",
                              "__SIG_ATOMIC", "__SCHAR", "__LONG_LONG", "__WCHAR_", "__WINT_"});
}

bool CompilerMacros::differs(StringRef Name) const {
  if (isShared(Name))
    return false;
  if (isIdentity(Name) || isClangsOrChance(Name))
    return true;
  if (!isGccsFamily(Name))
    return false;
  Preprocessor &P = Pass.preprocessor();
  const MacroInfo *Macro = P.getMacroInfo(P.getIdentifierInfo(Name));
  return !Macro || Pass.isInSubmission(Macro->getDefinitionLoc());
}

const VaryingMacro *CompilerMacros::varying(StringRef Name) const {
  auto At = Varying.find(Name);
  return At == Varying.end() ? nullptr : &At->second;
}

void CompilerMacros::addVarying(StringRef Name, StringRef Cause, bool IsCode) {
  VaryingMacro &Macro = Varying[Name];
  if (Macro.Cause.empty())
    Macro.Cause = Cause.str();
  Macro.IsCode |= IsCode;
}

StringRef CompilerMacros::causeOf(StringRef Word) const {
  if (const VaryingMacro *Macro = varying(Word))
    return Macro->Cause;
  return differs(Word) ? Word : "";
}

StringRef CompilerMacros::causeInCode(StringRef Word) const {
  if (const VaryingMacro *Macro = varying(Word))
    return Macro->IsCode ? StringRef(Macro->Cause) : "";
  return isIdentity(Word) && !isShared(Word) ? Word : "";
}

Truths CompilerMacros::isDefined(StringRef Name) const {
  if (varying(Name))
    return Truths::any();
  if (startsWithAny(Name, {"__clang", "__CLANG", "__llvm__", "__CUDA__"}))
    return Truths::judgeOnly();
  if (Name == "__NVCC__" || Name.starts_with("__EDG"))
    return Truths::builderOnly();
  for (StringRef Known :
       {"__GNUC__", "__GNUC_MINOR__", "__GNUC_PATCHLEVEL__", "__GNUG__", "__VERSION__",
        "__CUDACC__", "__CUDACC_VER_MAJOR__", "__cplusplus", "__has_include", "__has_builtin",
        "__has_attribute", "__has_cpp_attribute", "__COUNTER__", "__linux__", "__x86_64__"})
    if (Name == Known)
      return Truths::both(true);
  // Other machines and languages.
  if (startsWithAny(Name, {"_MSC_", "_WIN", "__HIP", "__ROCM", "__APPLE__", "__INTELLISENSE__",
                           "__CUDACC_RTC__", "__INTEL", "__MINGW", "__aarch64__", "__ARM"}))
    return Truths::both(false);
  return differs(Name) ? Truths::any() : Truths::same();
}

namespace {

/// Reads a condition as a formula of `defined`, and of terms that are looked at as wholes.
class ConditionReader {
public:
  ConditionReader(const CompilerMacros &Macros, llvm::ArrayRef<std::string> Words)
      : Macros(Macros), Words(Words) {}

  Truths read() {
    const Truths Result = readOr();
    return At == Words.size() ? Result : whole(Words);
  }

private:
  StringRef peek() const { return At < Words.size() ? StringRef(Words[At]) : ""; }
  bool take(StringRef First, StringRef Second = "\n") {
    const bool IsThere = peek() == First || peek() == Second;
    At += IsThere;
    return IsThere;
  }
  Truths readOr() {
    Truths Result = readAnd();
    while (take("||", "or"))
      Result = Result | readAnd();
    return Result;
  }
  Truths readAnd() {
    Truths Result = readTerm();
    while (take("&&", "and"))
      Result = Result & readTerm();
    return Result;
  }
  bool isAtEndOfTerm() const {
    const StringRef Next = peek();
    return Next.empty() || Next == "&&" || Next == "and" || Next == "||" || Next == "or" ||
           Next == ")";
  }
  Truths readTerm() {
    if (++Depth > 64)
      return skipRest();
    if (take("!", "not"))
      return !readTerm();
    const size_t Start = At;
    if (take("defined")) {
      const bool IsInParens = take("(");
      const Truths Result = Macros.isDefined(peek());
      ++At;
      if (IsInParens)
        take(")");
      if (isAtEndOfTerm())
        return Result;
    } else if (take("(")) {
      const Truths Result = readOr();
      if (take(")") && isAtEndOfTerm())
        return Result;
    }
    At = Start;
    for (unsigned Open = 0; At < Words.size() && (Open || !isAtEndOfTerm()); ++At)
      Open += peek() == "(" ? 1 : peek() == ")" ? -1 : 0;
    return whole(Words.slice(Start, std::min(At, Words.size()) - Start));
  }
  Truths skipRest() {
    At = Words.size();
    return whole(Words);
  }

  /// A term that is no formula: a number, a comparison, `__has_include(...)`.
  Truths whole(llvm::ArrayRef<std::string> Term) const {
    uint64_t Number = 0;
    if (Term.size() == 1 && !StringRef(Term[0]).rtrim("uUlL").getAsInteger(0, Number))
      return Truths::both(Number != 0);
    for (size_t I = 0; I < Term.size(); ++I) {
      // Headers are the same for both, but for those that come with a compiler or with cupel.
      if (Term[I] == "__has_include" && I + 3 < Term.size() && Term[I + 2] == "<" &&
          !StringRef(Term[I + 3]).starts_with("_") && Term[I + 3] != "cupel")
        continue;
      if (!Macros.causeOf(Term[I]).empty())
        return Truths::any();
    }
    return Truths::same();
  }

  const CompilerMacros &Macros;
  llvm::ArrayRef<std::string> Words;
  size_t At = 0;
  unsigned Depth = 0;
};

} // namespace

Truths CompilerMacros::evaluate(llvm::ArrayRef<std::string> Condition) const {
  return ConditionReader(*this, Condition).read();
}

} // namespace cupel
