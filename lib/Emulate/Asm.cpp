//===- Asm.cpp - inline PTX as calls of the emulation -----------------------===//
//
// `asm("add.s32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));` becomes a block that loads registers
// from the inputs, calls a function for each instruction and stores the outputs.
//
//===----------------------------------------------------------------------===//

#include "Ptx.h"
#include "Rewrite.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace cupel;
using llvm::StringRef;

/// The register that an operand's constraint asks for (CUDA, "Inline PTX Assembly", 1.2).
static StringRef registerOf(StringRef Constraint) {
  Constraint = Constraint.ltrim("=+&");
  if (Constraint == "h")
    return "b16";
  if (Constraint == "r" || Constraint == "i" || Constraint == "n")
    return "b32";
  if (Constraint == "l")
    return "b64";
  if (Constraint == "f")
    return "f32";
  if (Constraint == "d")
    return "f64";
  return "";
}

namespace {

class AsmRewriter : public clang::DynamicRecursiveASTVisitor {
public:
  explicit AsmRewriter(const RewriteContext &Context) : Context(Context) {}

  bool VisitGCCAsmStmt(clang::GCCAsmStmt *Asm) override {
    if (Context.isOwn(Asm->getAsmLoc()))
      rewrite(Asm);
    return true;
  }

private:
  /// The template with `%%` as `%`, as ptxas gets it.
  static std::string ptxOf(const clang::GCCAsmStmt *Asm) {
    std::string Text = Asm->getAsmString(), Result;
    bool HasOperands = Asm->getNumOutputs() + Asm->getNumInputs() != 0;
    for (size_t I = 0; I < Text.size(); ++I) {
      Result += Text[I];
      if (HasOperands && Text[I] == '%' && I + 1 < Text.size() && Text[I + 1] == '%')
        ++I;
    }
    return Result;
  }

  void rewrite(const clang::GCCAsmStmt *Asm) {
    std::string Shown = StringRef(Asm->getAsmString()).trim().take_front(80).str();
    auto Refuse = [&](const llvm::Twine &Why) {
      Context.refuse(Asm->getAsmLoc(), "inline PTX '" + Why + "'");
    };
    llvm::Expected<std::string> Calls = translatePtx(ptxOf(Asm));
    if (!Calls)
      return Refuse(takeReasons(Calls.takeError()).front().Text);
    std::optional<TokenPlace> Begin = placeOfToken(Context.Pass, Asm->getAsmLoc());
    std::optional<TokenPlace> End = placeOfToken(Context.Pass, Asm->getRParenLoc());
    if (!Begin || !End || End->Context != Begin->Context || End->Offset < Begin->Offset)
      return Refuse(Shown);

    std::string Before, After;
    for (unsigned I = 0; I < Asm->getNumOutputs() + Asm->getNumInputs(); ++I) {
      bool IsOutput = I < Asm->getNumOutputs();
      unsigned Input = I - Asm->getNumOutputs();
      std::string Constraint =
          IsOutput ? Asm->getOutputConstraint(I) : Asm->getInputConstraint(Input);
      std::optional<std::string> Value =
          textOf(IsOutput ? Asm->getOutputExpr(I) : Asm->getInputExpr(Input), Begin->Context);
      // An input may be tied to an output by its number.
      unsigned Tied = 0;
      if (!StringRef(Constraint).getAsInteger(10, Tied) && Tied < Asm->getNumOutputs())
        Constraint = Asm->getOutputConstraint(Tied);
      StringRef Type = registerOf(Constraint);
      if (!Value || Type.empty())
        return Refuse(Shown);
      std::string Name = "cupelOperand" + std::to_string(I);
      bool Reads = !IsOutput || StringRef(Constraint).contains('+');
      Before +=
          "::cupel::emu::ptx::Register<::cupel::emu::ptx::" + Type.str() + "> " + Name + "{};";
      if (Reads)
        Before += " ::cupel::emu::ptx::load(" + Name + ", " + *Value + ");";
      if (IsOutput)
        After += " ::cupel::emu::ptx::store(" + *Value + ", " + Name + ");";
    }
    StringRef Old = Context.text(Begin->Offset, End->Offset + 1 - Begin->Offset);
    std::string New =
        "do { " + Before + " " + *Calls + After + " } while (false)" + newlinesOf(Old);
    auto [Known, IsNew] = Written.insert({Begin->Offset, New});
    if (!IsNew && Known->second != New)
      return Context.refuse(Asm->getAsmLoc(), "inline PTX that differs with a macro's argument");
    Context.Edits.replace(Begin->Offset, Old.size(), std::move(New));
  }

  std::optional<std::string> textOf(const clang::Expr *E, unsigned In) const {
    std::optional<TokenPlace> First = placeInContext(Context.Pass, E->getBeginLoc(), In);
    std::optional<TokenPlace> Last = placeInContext(Context.Pass, E->getEndLoc(), In);
    if (!First || !Last || Last->Offset < First->Offset)
      return std::nullopt;
    // A call of a macro ends at its closing parenthesis, which is not one of its tokens' places.
    std::string Text =
        Context
            .text(First->Offset,
                  Last->Offset + tokenLength(Context.Pass, Last->Offset) - First->Offset)
            .str();
    if (StringRef(Text).count('(') != StringRef(Text).count(')'))
      return std::nullopt;
    llvm::replace(Text, '\n', ' ');
    llvm::erase(Text, '\\');
    return Text;
  }

  /// Lines keep their numbers; in a macro's body the ends of lines are escaped.
  static std::string newlinesOf(StringRef Old) {
    std::string Result;
    for (size_t I = 0; I < Old.size(); ++I)
      if (Old[I] == '\n')
        Result += I > 0 && Old[I - 1] == '\\' ? " \\\n" : "\n";
    return Result;
  }

  const RewriteContext &Context;
  /// What was written for the text at an offset, which a macro can use for several instructions.
  std::map<unsigned, std::string> Written;
};

} // namespace

void cupel::rewriteAsm(const RewriteContext &Context) {
  AsmRewriter Rewriter(Context);
  for (clang::Decl *D : Context.Pass.topLevelDecls())
    Rewriter.TraverseDecl(D);
}
