//===- SourceTextTest.cpp - directives and words -------------------------------===//

#include "SourceText.h"
#include "gtest/gtest.h"

using namespace cupel;

namespace {

std::string directivesOf(llvm::StringRef Source) {
  clang::LangOptions Language;
  Language.CPlusPlus = true;
  SourceText Text(Source, Language);
  std::string Result;
  for (const TextDirective &D : Text.directives()) {
    Result += Source.slice(D.Begin, D.End).str() + "|" + D.Keyword.str() + "|" + D.Name.str();
    for (llvm::StringRef Word : D.Words)
      Result += "," + Word.str();
    Result += "\n";
  }
  return Result;
}

TEST(SourceText, Directives) {
  EXPECT_EQ(directivesOf("#include <torch/extension.h> // slow\n# include \"x.h\"\n"
                         "int a; # no directive\n  #if defined(A) && B > 3\n#else\n#endif"),
            "#include <torch/extension.h>|include|torch/extension.h,torch,extension,h\n"
            "# include \"x.h\"|include|x.h\n"
            "#if defined(A) && B > 3|if|,defined,A,B\n"
            "#else|else|\n#endif|endif|\n");
}

TEST(SourceText, SplicedLines) {
  EXPECT_EQ(directivesOf("#define M(x) \\\n  do { f(x); } \\\n  while (0)\nint b;\n"),
            "#define M(x) \\\n  do { f(x); } \\\n  while (0)|define|M,x,do,f,x,while\n");
}

TEST(SourceText, NotInStringsAndComments) {
  EXPECT_EQ(directivesOf("/*\n#define A\n*/\nconst char *s = R\"(\n#define B\n)\";\n"), "");
}

TEST(SourceText, MacrosKeepAllBodies) {
  clang::LangOptions Language;
  SourceText Text("#define A b\n#undef A\n#define A c\nint A;\n", Language);
  EXPECT_EQ(Text.macros().at("A"), (std::set<llvm::StringRef>{"b", "c"}));
  EXPECT_EQ(Text.words().size(), 2u);
}

} // namespace
