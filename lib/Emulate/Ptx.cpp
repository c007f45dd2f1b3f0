//===- Ptx.cpp - the text of inline PTX, taken apart ------------------------===//
//
// PTX ISA 9.0, chapters 4 (syntax) and 9 (instructions).
//
//===----------------------------------------------------------------------===//

#include "Ptx.h"
#include "cupel/Support/Error.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace cupel;
using llvm::StringRef;

namespace {

/// How an instruction's name becomes a function's. Words of the name that are types become template
/// arguments; of the others, those in Keep stay in the name, and those in Drop say nothing here:
/// caches, rounding to nearest (the CPU's), flushing of denormals, scopes.
struct Instruction {
  StringRef Name;
  StringRef Keep; ///< Words between blanks.
  StringRef Drop;
};

constexpr Instruction Known[] = {
    {"mov", "", ""},
    {"add", "", "rn ftz cc"},
    {"sub", "", "rn ftz"},
    {"mul", "lo hi wide", "rn ftz"},
    {"mad", "lo hi wide", "rn ftz"},
    {"fma", "relu", "rn ftz"},
    {"div", "", "rn approx full ftz"},
    {"rem", "", ""},
    {"abs", "", "ftz"},
    {"neg", "", "ftz"},
    {"min", "", "ftz"},
    {"max", "", "ftz"},
    {"and", "", ""},
    {"or", "", ""},
    {"xor", "", ""},
    {"not", "", ""},
    {"shl", "", ""},
    {"shr", "", ""},
    {"lop3", "", ""},
    {"prmt", "", ""},
    {"bfe", "", ""},
    {"bfi", "", ""},
    {"brev", "", ""},
    {"popc", "", ""},
    {"clz", "", ""},
    {"selp", "", ""},
    {"setp", "eq ne lt le gt ge lo ls hi hs", "ftz"},
    {"ex2", "", "approx ftz"},
    {"lg2", "", "approx ftz"},
    {"rcp", "", "approx ftz rn"},
    {"sqrt", "", "approx ftz rn"},
    {"rsqrt", "", "approx ftz"},
    {"sin", "", "approx ftz"},
    {"cos", "", "approx ftz"},
    {"tanh", "", "approx"},
    {"cvt", "rzi rni rmi rpi rz satfinite", "rn rna ftz sat"},
    {"cvta", "to shared", "global local const"},
    {"ld", "shared",
     "global param local const volatile relaxed acquire weak nc ca cg cs lu cv gpu sys cta "
     "shared::cta L1::no_allocate L1::evict_last L1::evict_first L1::evict_normal "
     "L1::evict_unchanged L2::64B L2::128B L2::256B L2::cache_hint v2 v4 v8"},
    {"st", "shared",
     "global param local volatile relaxed release weak wb cg cs wt gpu sys cta shared::cta "
     "L1::no_allocate L1::evict_last L1::evict_first L1::evict_normal L1::evict_unchanged "
     "L2::cache_hint v2 v4 v8"},
    {"atom", "shared add min max and or xor exch cas inc dec",
     "global relaxed acquire release acq_rel gpu sys cta shared::cta noftz"},
    {"red", "shared add min max and or xor inc dec",
     "global relaxed release gpu sys cta shared::cta noftz"},
    {"prefetch", "", "global local L1 L2 L2::evict_last L2::evict_normal"},
    {"prefetchu", "", "L1"},
    {"createpolicy", "",
     "fractional range L2::evict_last L2::evict_first L2::evict_normal L2::evict_unchanged"},
    {"bar", "sync arrive warp", "cta aligned"},
    {"barrier", "sync arrive", "cta aligned"},
    {"membar", "", "gl cta sys"},
    {"fence", "", "sc acq_rel gpu sys cta proxy async shared::cta"},
    {"cp", "async commit_group wait_group wait_all",
     "ca cg shared shared::cta global L2::64B L2::128B L2::256B L2::cache_hint"},
    {"ldmatrix", "x1 x2 x4 trans", "sync aligned m8n8 shared shared::cta"},
    {"mma", "m16n8k4 m16n8k8 m16n8k16 m16n8k32", "sync aligned row col"},
    {"shfl", "up down bfly idx", "sync"},
    {"vote", "ballot any all uni", "sync"},
    {"activemask", "", ""},
    {"match", "any all", "sync"},
    {"redux", "add min max and or xor", "sync"},
    {"nanosleep", "", ""},
    {"trap", "", ""},
    {"griddepcontrol", "wait launch_dependents", ""},
};

bool hasWord(StringRef Words, StringRef Word) {
  llvm::SmallVector<StringRef, 24> List;
  Words.split(List, ' ');
  return llvm::is_contained(List, Word);
}

bool isType(StringRef Word) {
  return hasWord("s8 u8 b8 s16 u16 b16 f16 f16x2 bf16 bf16x2 s32 u32 b32 f32 tf32 s64 u64 b64 f64 "
                 "pred",
                 Word);
}

/// Cuts at white space and in front of and behind punctuation.
std::vector<std::string> tokensOf(StringRef Text) {
  std::vector<std::string> Tokens;
  while (!Text.empty()) {
    if (Text.starts_with("//")) {
      Text = Text.drop_until([](char C) { return C == '\n'; });
    } else if (Text.starts_with("/*")) {
      size_t End = Text.find("*/");
      Text = End == StringRef::npos ? "" : Text.drop_front(End + 2);
    } else if (llvm::isSpace(Text.front())) {
      Text = Text.ltrim();
    } else if (StringRef("{}[],;@!+|").contains(Text.front())) {
      Tokens.push_back(Text.take_front(1).str());
      Text = Text.drop_front();
    } else {
      StringRef Word = Text.take_while(
          [](char C) { return !llvm::isSpace(C) && !StringRef("{}[],;@!+|").contains(C); });
      Tokens.push_back(Word.str());
      Text = Text.drop_front(Word.size());
    }
  }
  return Tokens;
}

class Translator {
public:
  explicit Translator(StringRef Text) : Tokens(tokensOf(Text)) {}

  llvm::Expected<std::string> run() {
    while (At < Tokens.size())
      if (!statement())
        return makeError("not-emulated", Current);
    if (Depth != 0)
      return makeError("not-emulated", "unbalanced braces");
    return Result;
  }

private:
  bool is(StringRef Token) const { return At < Tokens.size() && Tokens[At] == Token; }
  bool take(StringRef Token) {
    bool Is = is(Token);
    At += Is;
    return Is;
  }

  bool statement() {
    Current.clear();
    for (size_t I = At; I < Tokens.size() && Tokens[I] != ";"; ++I)
      Current += (Current.empty() ? "" : " ") + Tokens[I];
    if (take(";"))
      return true;
    if (take("{")) {
      ++Depth;
      Result += "{ ";
      return true;
    }
    if (take("}")) {
      Result += "} ";
      return --Depth >= 0;
    }
    if (is(".reg"))
      return registers();
    std::string Guard;
    if (take("@")) {
      bool Not = take("!");
      std::string Predicate;
      if (!operand(Predicate))
        return false;
      Guard = std::string("if (") + (Not ? "!" : "") + Predicate + ") ";
    }
    return At < Tokens.size() && instruction(Guard);
  }

  /// `.reg .b32 a, b;` and `.reg .pred p<3>;`.
  bool registers() {
    ++At;
    StringRef Type = At < Tokens.size() ? StringRef(Tokens[At++]) : "";
    if (!Type.consume_front(".") || !isType(Type))
      return false;
    do {
      if (At >= Tokens.size())
        return false;
      auto [Name, Count] = StringRef(Tokens[At++]).split('<');
      unsigned N = 0;
      if (!Count.empty() && (Count.drop_back().getAsInteger(10, N) || N > 256))
        return false;
      for (unsigned I = 0; I < std::max(1u, N); ++I)
        Result += ("::cupel::emu::ptx::Register<::cupel::emu::ptx::" + Type + "> " +
                   local(N ? (Name + llvm::Twine(I)).str() : Name.str()) + "{}; ")
                      .str();
    } while (take(","));
    return take(";");
  }

  static std::string local(StringRef Name) {
    std::string Result = "cupelRegister_";
    for (char C : Name)
      Result += llvm::isAlnum(C) ? C : '_';
    return Result;
  }

  bool operand(std::string &Out) {
    if (At >= Tokens.size())
      return false;
    StringRef Token = Tokens[At++];
    unsigned Number = 0;
    if (Token.consume_front("%")) {
      if (!Token.getAsInteger(10, Number)) {
        Out = "cupelOperand" + std::to_string(Number);
        return true;
      }
      static constexpr StringRef Special =
          "laneid warpid nwarpid smid nsmid clock clock_hi clock64 globaltimer gridid tid.x tid.y "
          "tid.z ntid.x ntid.y ntid.z ctaid.x ctaid.y ctaid.z nctaid.x nctaid.y nctaid.z "
          "lanemask_eq lanemask_le lanemask_lt lanemask_ge lanemask_gt dynamic_smem_size";
      if (!hasWord(Special, Token)) {
        Out = local(Token);
        return true;
      }
      Out = "::cupel::emu::ptx::special_";
      for (char C : Token)
        Out += C == '.' ? '_' : C;
      Out += "()";
      return true;
    }
    if (Token.consume_front("-") && Token.empty())
      return false;
    bool Negative = StringRef(Tokens[At - 1]).starts_with("-");
    if (Token.empty())
      return false;
    if (llvm::isDigit(Token.front())) {
      if (Token.consume_front_insensitive("0f")) // The bits of a float.
        Out = "::cupel::emu::ptx::bits(0x" + Token.str() + "u)";
      else
        Out = Token.str();
      Out = (Negative ? "-" : "") + Out;
      return true;
    }
    if (Negative)
      return false;
    Out = local(Token);
    return llvm::all_of(Token, [](char C) { return llvm::isAlnum(C) || C == '_' || C == '$'; });
  }

  /// One operand, or the several of `{a, b}`, `d|p` and `[a+4]`.
  bool operands(std::vector<std::string> &Out) {
    if (take("{")) {
      do {
        if (!operand(Out.emplace_back()))
          return false;
      } while (take(","));
      return take("}");
    }
    if (take("[")) {
      std::string Address, Offset;
      if (!operand(Address))
        return false;
      while (take("+")) {
        if (!operand(Offset))
          return false;
        Address += " + (" + Offset + ")";
      }
      Out.push_back("(" + Address + ")");
      return take("]");
    }
    bool Not = take("!");
    if (!operand(Out.emplace_back()))
      return false;
    if (Not)
      Out.back() = "!" + Out.back();
    return !take("|") || operand(Out.emplace_back());
  }

  bool instruction(StringRef Guard) {
    llvm::SmallVector<StringRef, 12> Words;
    StringRef(Tokens[At]).split(Words, '.');
    ++At;
    const Instruction *I =
        llvm::find_if(Known, [&](const Instruction &K) { return K.Name == Words.front(); });
    if (I == std::end(Known))
      return false;
    std::string Name = I->Name.str(), Types;
    for (StringRef Word : llvm::drop_begin(Words)) {
      if (isType(Word))
        Types += (Types.empty() ? "::cupel::emu::ptx::" : ", ::cupel::emu::ptx::") + Word.str();
      else if (hasWord(I->Keep, Word))
        Name += "_" + Word.str();
      else if (!hasWord(I->Drop, Word))
        return false;
    }
    // `mov.b64 %0, {%1, %2}` and its reverse: the braces tell the two apart.
    std::vector<std::string> Operands;
    bool First = true;
    std::string Arguments;
    while (At < Tokens.size() && !is(";") && !is("}")) {
      if (!First && !take(","))
        return false;
      std::vector<std::string> Group;
      bool Braces = is("{");
      if (!operands(Group))
        return false;
      std::string Joined = llvm::join(Group, ", ");
      Arguments +=
          (First ? "" : ", ") + (Braces ? "::cupel::emu::ptx::group(" + Joined + ")" : Joined);
      First = false;
    }
    Result += (Guard + "::cupel::emu::ptx::" + Name + "_" +
               (Types.empty() ? "" : "<" + Types + ">") + "(" + Arguments + "); ")
                  .str();
    take(";");
    return true;
  }

  std::vector<std::string> Tokens;
  size_t At = 0;
  int Depth = 0;
  std::string Result, Current;
};

} // namespace

llvm::Expected<std::string> cupel::translatePtx(StringRef Text) { return Translator(Text).run(); }
