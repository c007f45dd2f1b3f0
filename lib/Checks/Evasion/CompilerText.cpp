//===- CompilerText.cpp - text that depends on which compiler reads it ------===//

#include "CompilerText.h"
#include "../Directives.h"
#include "CompilerMacros.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringSet.h"
#include <map>
#include <optional>

using namespace clang;
using llvm::StringRef;

namespace cupel {

namespace {

struct Word {
  std::string Text;
  SourceLocation Where;
  bool IsName = false;
  bool IsSpaced = false; ///< Stands apart from the word before it.
};
using Words = llvm::ArrayRef<Word>;

/// The functions of the submission's text, by the offsets of their first and last characters.
class Places : public DynamicRecursiveASTVisitor {
public:
  enum class Kind { Host, Device, Outside };

  explicit Places(CheckContext &Context) : Sources(Context.sourceManager()) {
    for (Decl *D : Context.program().declarations())
      TraverseDecl(D);
  }

  bool VisitFunctionDecl(FunctionDecl *F) override {
    if (!F->doesThisDeclarationHaveABody())
      return true;
    auto [First, Begin] = Sources.getDecomposedExpansionLoc(F->getBeginLoc());
    auto [Last, End] = Sources.getDecomposedExpansionLoc(F->getEndLoc());
    if (First == Sources.getMainFileID() && Last == First)
      Functions[Begin] = {End, F->hasAttr<CUDADeviceAttr>() || F->hasAttr<CUDAGlobalAttr>()};
    return true;
  }

  /// Of the innermost function around \p Where.
  Kind at(SourceLocation Where) const {
    const unsigned Offset = Sources.getFileOffset(Where);
    for (auto At = Functions.upper_bound(Offset); At != Functions.begin();) {
      --At;
      if (Offset <= At->second.first)
        return At->second.second ? Kind::Device : Kind::Host;
    }
    return Kind::Outside;
  }

private:
  const SourceManager &Sources;
  std::map<unsigned, std::pair<unsigned, bool>> Functions;
};

/// A chain of `#if`, `#elif`, `#else`.
struct Chain {
  Truths Around = Truths::both(true);  ///< Whether the text around it is read.
  Truths Before = Truths::both(false); ///< Whether a branch before this one was taken.
  Truths Taken = Truths::both(false);  ///< Whether this branch is.
  std::string Cause;
  std::optional<size_t> Found; ///< The finding for this chain or one around it.
};

class TextReader {
public:
  explicit TextReader(CheckContext &Context)
      : Pass(Context.pass()), Sources(Context.sourceManager()), Macros(Pass), Functions(Context) {}

  std::vector<CompilerText> read();

private:
  void readDirective(Words Line);
  void readCode(Words Code);
  void branch(Chain &C, Truths Condition, Words Line);
  void define(Words Line);
  StringRef causeIn(Words Line) const;
  bool differs() const { return !Chains.empty() && Chains.back().Taken.mayDiffer(); }
  bool isHost(Words Code) const;
  void add(SourceLocation Where, StringRef Cause, StringRef Macro, bool IsHost);

  const ParsedPass &Pass;
  const SourceManager &Sources;
  CompilerMacros Macros;
  Places Functions;
  std::vector<Chain> Chains;
  std::vector<CompilerText> Found;
  llvm::StringMap<size_t> FoundMacros;
};

} // namespace

/// Attributes, hints and what goes with them: they change how fast code is, not what it does.
static bool isHint(const Word &W) {
  static const llvm::StringSet<> Names = {"__attribute__", "__declspec",
                                          "__pragma",      "_Pragma",
                                          "inline",        "__inline__",
                                          "__inline",      "__forceinline__",
                                          "__forceinline", "__noinline__",
                                          "__host__",      "__device__",
                                          "__restrict__",  "__restrict",
                                          "restrict",      "constexpr",
                                          "const",         "__launch_bounds__",
                                          "__align__",     "alignas",
                                          "gnu",           "clang",
                                          "always_inline", "__always_inline__",
                                          "noinline",      "unused",
                                          "__unused__",    "maybe_unused",
                                          "nodiscard",     "fallthrough",
                                          "likely",        "unlikely",
                                          "hot",           "cold",
                                          "pure",          "flatten",
                                          "aligned",       "__aligned__",
                                          "may_alias",     "unroll",
                                          "nounroll",      "loop",
                                          "GCC",           "optimize",
                                          "ivdep",         "noexcept"};
  static const llvm::StringSet<> Signs = {"(", ")", "[", "]", "[[", "]]", ",", ":", "::", ";"};
  return W.IsName ? Names.contains(W.Text) : Signs.contains(W.Text) || W.Text[0] == '"';
}

/// Whether \p Text has nothing but hints in it, with numbers as their arguments: `aligned(16)`.
static bool isOnlyHints(Words Text) {
  unsigned Open = 0;
  bool HasName = Text.empty();
  for (const Word &W : Text) {
    Open += W.Text == "(" ? 1 : W.Text == ")" ? -1 : 0;
    HasName |= W.IsName;
    if (!isHint(W) && (!Open || !llvm::isDigit(W.Text[0])))
      return false;
  }
  return HasName || llvm::all_of(Text, [](const Word &W) { return W.Text == ";"; });
}

/// Whether \p Code outside of functions has anything but declarations for the GPU and of types.
static bool declaresHostCode(Words Code) {
  static const llvm::StringSet<> Libraries = {"at",     "torch",    "c10", "aten",
                                              "thrust", "pybind11", "py"};
  bool IsDevice = false, HasParens = false, IsScope = false, IsValue = false;
  auto Restart = [&] { IsDevice = HasParens = IsScope = IsValue = false; };
  for (size_t I = 0; I < Code.size(); ++I) {
    const StringRef Text = Code[I].Text;
    if (Text == "__device__" || Text == "__global__" || Text == "__constant__")
      IsDevice = true;
    else if (Text == "namespace" || Text == "struct" || Text == "class" || Text == "union" ||
             Text == "enum" || Text == "extern")
      IsScope = true;
    else if (Text == "=")
      IsValue = true;
    else if (Text == "(")
      HasParens = true;
    else if (Text == ";" || Text == "}" || (Text == "{" && IsScope && !HasParens))
      Restart();
    else if (Text == "{") {
      if (!IsDevice && HasParens)
        return true;
      // The body of a function for the GPU, or a list of values.
      for (unsigned Open = 1; Open && ++I < Code.size();)
        Open += Code[I].Text == "{" ? 1 : Code[I].Text == "}" ? -1 : 0;
      if (!IsValue)
        Restart();
    } else if (!IsDevice && I + 1 < Code.size() && Code[I + 1].Text == "::" &&
               Libraries.contains(Text)) {
      return true;
    }
  }
  return false;
}

/// Whether \p Code ends a block that it does not begin: what follows is elsewhere.
static bool leavesItsBlock(Words Code) {
  int Open = 0;
  return llvm::any_of(Code, [&](const Word &W) {
    return (Open += W.Text == "{" ? 1 : W.Text == "}" ? -1 : 0) < 0;
  });
}

bool TextReader::isHost(Words Code) const {
  switch (Functions.at(Code.front().Where)) {
  case Places::Kind::Host:
    return true;
  case Places::Kind::Device:
    return leavesItsBlock(Code);
  case Places::Kind::Outside:
    return declaresHostCode(Code);
  }
  llvm_unreachable("unknown place");
}

void TextReader::add(SourceLocation Where, StringRef Cause, StringRef Macro, bool IsHost) {
  Found.push_back({Where, Cause.str(), Macro.str(), IsHost});
}

StringRef TextReader::causeIn(Words Line) const {
  for (const Word &W : Line)
    if (W.IsName)
      if (StringRef Cause = Macros.causeOf(W.Text); !Cause.empty())
        return Cause;
  return "";
}

void TextReader::branch(Chain &C, Truths Condition, Words Line) {
  C.Taken = C.Around & !C.Before & Condition;
  C.Before = C.Before | Condition;
  if (C.Cause.empty())
    C.Cause = causeIn(Line).str();
}

/// A definition that only one compiler reads, or whose text only one of them understands so.
void TextReader::define(Words Line) {
  if (Line.empty())
    return;
  const StringRef Name = Line[0].Text;
  Words Body = Line.drop_front();
  const bool HasParameters = !Body.empty() && Body[0].Text == "(" && !Body[0].IsSpaced;
  if (HasParameters)
    Body = Body.drop_until([](const Word &W) { return W.Text == ")"; });
  if (HasParameters && !Body.empty())
    Body = Body.drop_front();
  if (differs()) {
    // `#define F(x)` drops its argument, `#define F(x) x` does not.
    Macros.addVarying(Name, Chains.back().Cause,
                      !isOnlyHints(Body) || (HasParameters && Body.empty()));
    return;
  }
  for (const Word &W : Body)
    if (W.IsName)
      if (StringRef Cause = Macros.causeOf(W.Text); !Cause.empty())
        Macros.addVarying(Name, Cause.str(), !Macros.causeInCode(W.Text).empty());
}

void TextReader::readDirective(Words Line) {
  if (Line.empty() || !Line[0].IsName)
    return;
  const StringRef Name = Line[0].Text;
  const Words Rest = Line.drop_front();
  auto Condition = [&] {
    if (Name.ends_with("def")) {
      const Truths Defined = Macros.isDefined(Rest.empty() ? "" : Rest[0].Text);
      return Name.ends_with("ndef") ? !Defined : Defined;
    }
    std::vector<std::string> Texts;
    for (const Word &W : Rest)
      Texts.push_back(W.Text);
    return Macros.evaluate(Texts);
  };
  if (Name == "if" || Name == "ifdef" || Name == "ifndef") {
    Chain C;
    if (!Chains.empty())
      C.Around = Chains.back().Taken;
    if (differs()) {
      C.Cause = Chains.back().Cause;
      C.Found = Chains.back().Found;
    }
    branch(C, Condition(), Rest);
    Chains.push_back(std::move(C));
  } else if (Chains.empty()) {
    if (Name == "define")
      define(Rest);
  } else if (Name.starts_with("elif")) {
    branch(Chains.back(), Condition(), Rest);
  } else if (Name == "else") {
    branch(Chains.back(), Truths::both(true), {});
  } else if (Name == "endif") {
    if (const std::optional<size_t> Known = Chains.back().Found;
        Known && Chains.size() > 1 && Chains[Chains.size() - 2].Taken.mayDiffer())
      Chains[Chains.size() - 2].Found = Known;
    Chains.pop_back();
  } else if (Name == "define") {
    define(Rest);
  } else if (Name == "undef" && !Rest.empty() && differs()) {
    Macros.addVarying(Rest[0].Text, Chains.back().Cause, false);
  }
}

void TextReader::readCode(Words Code) {
  if (differs() && !isOnlyHints(Code)) {
    Chain &C = Chains.back();
    if (!C.Found) {
      C.Found = Found.size();
      add(Code.front().Where, C.Cause, "", false);
    }
    Found[*C.Found].IsHost |= isHost(Code);
  }
  for (const Word &W : Code) {
    const StringRef Cause = W.IsName ? Macros.causeInCode(W.Text) : "";
    if (Cause.empty())
      continue;
    auto [At, IsNew] = FoundMacros.try_emplace(W.Text, Found.size());
    if (IsNew)
      add(W.Where, Cause, W.Text == Cause ? "" : W.Text, false);
    CompilerText &Text = Found[At->second];
    if (!Text.IsHost && Functions.at(W.Where) != Places::Kind::Device) {
      Text.IsHost = true;
      Text.Where = W.Where;
    }
  }
}

std::vector<CompilerText> TextReader::read() {
  const LangOptions &Language = Pass.context().getLangOpts();
  Lexer Lex = rawLexer(Pass);
  std::vector<Word> Code, Line;
  bool IsDirective = false;
  auto Close = [&] {
    if (!IsDirective)
      return;
    readDirective(Line);
    Line.clear();
    IsDirective = false;
  };
  Token Current;
  do {
    Lex.LexFromRawLexer(Current);
    if (Current.isAtStartOfLine() || Current.is(tok::eof))
      Close();
    if ((Current.is(tok::hash) && Current.isAtStartOfLine()) || Current.is(tok::eof)) {
      if (!Code.empty())
        readCode(Code);
      Code.clear();
      IsDirective = Current.is(tok::hash);
      continue;
    }
    (IsDirective ? Line : Code)
        .push_back({Lexer::getSpelling(Current, Sources, Language), Current.getLocation(),
                    Current.is(tok::raw_identifier), Current.hasLeadingSpace()});
  } while (Current.isNot(tok::eof));
  return std::move(Found);
}

std::vector<CompilerText> findCompilerText(CheckContext &Context) {
  return TextReader(Context).read();
}

} // namespace cupel
