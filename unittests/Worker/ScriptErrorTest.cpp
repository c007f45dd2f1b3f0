#include "ScriptError.h"
#include "gtest/gtest.h"

using namespace cupel::worker;

TEST(ScriptError, OfTheCompiler) {
  ScriptError Error = readScriptError("\nUnknown builtin op: aten::foo.\nNo similar ops.\n:\n"
                                      "  File \"<string>\", line 3\n"
                                      "def forward(self, x: Tensor) -> Tensor:\n"
                                      "    y = x\n"
                                      "    return torch.foo(x)\n"
                                      "           ~~~~~~~~~ <--- HERE\n");
  EXPECT_EQ(Error.Text, "Unknown builtin op: aten::foo.\nNo similar ops.");
  EXPECT_EQ(Error.Line, 3);
  EXPECT_EQ(Error.Column, 12);
}

TEST(ScriptError, TheInnermostCallOfTheInterpreter) {
  ScriptError Error =
      readScriptError("The following operation failed in the TorchScript interpreter.\n"
                      "Traceback of TorchScript (most recent call last):\n"
                      "  File \"<string>\", line 4, in forward\n"
                      "def forward(self, x: Tensor):\n"
                      "    return self.helper(x)\n"
                      "           ~~~~~~~~~~~ <--- HERE\n"
                      "  File \"<string>\", line 2, in helper\n"
                      "def helper(self, x: Tensor):\n"
                      "    y = torch.matmul(x, x)\n"
                      "        ~~~~~~~~~~~~ <--- HERE\n"
                      "    return torch.relu(y)\n"
                      "RuntimeError: mat1 and mat2 shapes cannot be multiplied (3x5 and 3x5)\n");
  EXPECT_EQ(Error.Text, "mat1 and mat2 shapes cannot be multiplied (3x5 and 3x5)");
  EXPECT_EQ(Error.Line, 2);
  EXPECT_EQ(Error.Column, 9);
}

TEST(ScriptError, WithoutAMarkOrAPlace) {
  ScriptError Error = readScriptError("expected ) but found 'eof' here:\n"
                                      "  File \"<string>\", line 3\n"
                                      "    return torch.matmul(x, x\n");
  EXPECT_EQ(Error.Text, "expected ) but found 'eof' here");
  EXPECT_EQ(Error.Line, 3);
  EXPECT_EQ(Error.Column, 0);
  Error = readScriptError("something else\n");
  EXPECT_EQ(Error.Text, "something else");
  EXPECT_EQ(Error.Line, 0);
}
