//===- ForwardSignatureTest.cpp ---------------------------------------------===//

#include "ForwardSignature.h"
#include "gtest/gtest.h"

using namespace cupel;

namespace {

const SourceOrigin Origin{{"p.toml", 10, 1}, true};

/// `NAME:TYPE@LINE:COL ...`, or the error.
std::string forwardOf(const std::string &Source) {
  llvm::Expected<std::vector<ForwardArgument>> Arguments =
      findForward(blankStringsAndComments(Source), Origin);
  if (!Arguments)
    return llvm::toString(Arguments.takeError());
  std::string Text;
  for (const ForwardArgument &A : *Arguments)
    Text += A.Name + ":" + A.Type + "@" + std::to_string(A.Place.Line) + ":" +
            std::to_string(A.Place.Column) + " ";
  return Text;
}

TEST(ForwardSignature, ArgumentsWithTypesAndPlaces) {
  EXPECT_EQ(forwardOf("def forward(self, x: Tensor, s: float = 1.0) -> Tensor:\n    return x\n"),
            "x:Tensor@10:19 s:float@10:30 ");
  EXPECT_EQ(forwardOf("def helper(self, a):\n  pass\n\ndef forward(\n    self,\n    x,\n    y: "
                      "Tuple[Tensor, int],\n):\n"),
            "x:@15:5 y:Tuple[Tensor, int]@16:5 ");
  EXPECT_EQ(forwardOf("def forward(self):\n"), "");
}

TEST(ForwardSignature, CommentsAndStringsAreNoCode) {
  EXPECT_EQ(forwardOf("# def forward(self, no)\n'''\ndef forward(self, no)'''\n"
                      "def forward(self, # x, (\n  y):"),
            "y:@14:3 ");
}

TEST(ForwardSignature, Mistakes) {
  EXPECT_EQ(forwardOf("def backward(self, x): pass"),
            "p.toml:10:1: error: reference.source: no 'def forward(self, ...)' in the reference");
  EXPECT_EQ(forwardOf("\ndef forward(self, (x: Tensor"),
            "p.toml:11:13: error: reference.source: the arguments of forward are never closed by "
            "')'");
  EXPECT_EQ(forwardOf("def forward(x):"), "p.toml:10:13: error: reference.source: the first "
                                          "argument of forward is 'self', not 'x'");
}

TEST(ForwardSignature, SelfAttributesWithoutCalls) {
  std::string Code = "return self.weight * self.helper(x) + myself.other + a.self.b\nself.bias";
  std::vector<SourceName> Names = findSelfAttributes(Code, Origin);
  ASSERT_EQ(Names.size(), 2u);
  EXPECT_EQ(Names[0].Name, "weight");
  EXPECT_EQ(Names[0].Place.Column, 8u);
  EXPECT_EQ(Names[1].Name, "bias");
  EXPECT_EQ(Names[1].Place.Line, 11u);
}

TEST(ForwardSignature, RealDTypes) {
  std::string Text;
  for (const SourceName &Type : findRealDTypes(
           "x.half() + x.to(torch.float16)\n"
           "x.float() * x.to(dtype=torch.bfloat16) + x.double ()\n"
           "self.half(x) + x.float_power(2) + torch.float_power(x, 2) + x.half_way + 1.0 "
           "+ my_torch.float(x) + float(n) + torch.int64 + x.long()",
           Origin))
    Text += Type.Name + "@" + std::to_string(Type.Place.Line) + ":" +
            std::to_string(Type.Place.Column) + " ";
  EXPECT_EQ(Text, ".half()@10:2 torch.float16@10:17 .float()@11:2 torch.bfloat16@11:24 "
                  ".double()@11:43 .float()@12:88 ");
}

TEST(ForwardSignature, UnclosedLiteralsEndWithTheText) {
  EXPECT_EQ(blankStringsAndComments("x = 'abc"), "x =     ");
  EXPECT_EQ(blankStringsAndComments("'\\"), "  ");
  EXPECT_EQ(blankStringsAndComments("#"), " ");
  EXPECT_EQ(blankStringsAndComments(""), "");
}

} // namespace
