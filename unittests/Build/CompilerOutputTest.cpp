//===- CompilerOutputTest.cpp - what nvcc 13.0, g++ 12 and ld print ----------===//

#include "cupel/Build/CompilerOutput.h"
#include "cupel/Support/File.h"
#include "gtest/gtest.h"

using namespace cupel;

static std::vector<BuildDiagnostic> read(llvm::StringRef Output, llvm::StringRef Source,
                                         unsigned Max = 50) {
  OutputReaderOptions Options{"submission.cu", "user/relu.cu", Source, Max, "", {}};
  return readCompilerOutput(Output, Options);
}

static std::string shown(const std::vector<BuildDiagnostic> &Diagnostics) {
  std::string Text;
  for (const BuildDiagnostic &D : Diagnostics)
    Text += D.Place.File + ":" + std::to_string(D.Place.Line) + ":" +
            std::to_string(D.Place.Column) + ": " + D.Severity + ": " + D.Message + "\n";
  return Text;
}

TEST(CompilerOutput, EdgErrorWithItsColumn) {
  EXPECT_EQ(shown(read("submission.cu(2): error: identifier \"foo\" is undefined\n"
                       "   return foo(1); }\n"
                       "          ^\n\n"
                       "1 error detected in the compilation of \"submission.cu\".\n",
                       "int g() {\n return foo(1); }\n")),
            "user/relu.cu:2:9: error: identifier \"foo\" is undefined\n");
}

TEST(CompilerOutput, EdgColumnIsUnknownWhenMacrosAreExpanded) {
  EXPECT_EQ(shown(read("submission.cu(1): error: identifier \"y\" is undefined\n"
                       "  __attribute__((global)) void k(int *x) { x[0] = y; }\n"
                       "                                                  ^\n",
                       "__global__ void k(int *x) { x[0] = y; }\n")),
            "user/relu.cu:1:0: error: identifier \"y\" is undefined\n");
}

TEST(CompilerOutput, HeaderErrorGoesToTheInnermostLineOfTheSubmission) {
  EXPECT_EQ(
      shown(read(
          "/usr/include/c++/12/bits/stl_vector.h(564): error: reference to void is not allowed\n"
          "        vector(size_type __n, const value_type& __value,\n"
          "                                              ^\n"
          "          detected during:\n"
          "            instantiation of class \"A\" at line 88 of /usr/include/x.h\n"
          "            instantiation of class \"B\" at line 4 of submission.cu\n"
          "            instantiation of class \"C\" at line 2 of submission.cu\n",
          "1\n2\n3\n4\n")),
      "user/relu.cu:4:0: error: in stl_vector.h:564: reference to void is not allowed\n");
}

TEST(CompilerOutput, IncludeChain) {
  EXPECT_EQ(shown(read("In file included from /opt/a.h:3,\n"
                       "                 from submission.cu:2:\n"
                       "/opt/b.h:9:10: fatal error: c.h: No such file or directory\n"
                       "    9 | #include \"c.h\"\n"
                       "submission.cu:3:10: fatal error: nope.h: No such file or directory\n",
                       "1\n2\n3\n")),
            "user/relu.cu:2:0: error: in b.h:9: c.h: No such file or directory\n"
            "user/relu.cu:3:10: error: nope.h: No such file or directory\n");
}

TEST(CompilerOutput, AdapterIsNotTheSubmission) {
  EXPECT_EQ(shown(read("submission.cu(9): error: no instance of overloaded function matches\n",
                       "1\n2\n")),
            ":0:0: error: in the adapter that calls the entry: no instance of overloaded function "
            "matches\n");
}

TEST(CompilerOutput, PtxasNvccAssemblerAndLinker) {
  EXPECT_EQ(shown(read(
                "ptxas error   : Entry function '_Z1kPf' uses too much shared data (0x61a80 bytes, "
                "0xc000 max)\n"
                "ptxas /tmp/x.ptx, line 26; error   : Not a name of any known instruction: 'frob'\n"
                "ptxas fatal   : Ptx assembly aborted due to errors\n"
                "ptxas info    : 0 bytes gmem\n"
                "nvcc fatal   : Unsupported gpu architecture 'sm_17'\n"
                "submission.cu:2: Error: no such instruction: `foo bar'\n"
                "/usr/bin/ld: a.o: in function `f2()':\n"
                "x.cpp:(.text+0x38): undefined reference to `bar(int)'\n"
                "collect2: error: ld returned 1 exit status\n"
                "c++: fatal error: Killed signal terminated program cc1plus\n",
                "1\n2\n")),
            ":0:0: error: ptxas: Entry function 'k(float*)' uses too much shared data (0x61a80 "
            "bytes, 0xc000 max)\n"
            ":0:0: error: ptxas: Not a name of any known instruction: 'frob'\n"
            ":0:0: error: nvcc: Unsupported gpu architecture 'sm_17'\n"
            "user/relu.cu:2:0: error: no such instruction: `foo bar'\n"
            ":0:0: error: undefined reference to `bar(int)'\n"
            ":0:0: error: c++: Killed signal terminated program cc1plus\n");
}

TEST(CompilerOutput, PtxasSummaryIsTheErrorWhereNoneHasAPlace) {
  EXPECT_EQ(shown(read("ptxas fatal   : Ptx assembly aborted due to errors\n", "1\n")),
            ":0:0: error: ptxas: Ptx assembly aborted due to errors\n");
}

TEST(CompilerOutput, TwoPassesTellOnce) {
  std::string Warning =
      "submission.cu(1): warning #177-D: variable \"x\" was declared but never referenced\n";
  EXPECT_EQ(shown(read(Warning + Warning, "int x;\n")),
            "user/relu.cu:1:0: warning: variable \"x\" was declared but never referenced\n");
}

TEST(CompilerOutput, BoundKeepsErrors) {
  std::string Output, Source;
  for (int I = 1; I <= 9; ++I) {
    Output += "submission.cu(" + std::to_string(I) + "): " + (I == 9 ? "error" : "warning #1-D") +
              ": m\n";
    Source += "x\n";
  }
  std::vector<BuildDiagnostic> Found = read(Output, Source, 2);
  EXPECT_EQ(shown(Found), "user/relu.cu:9:0: error: m\nuser/relu.cu:1:0: warning: m\n"
                          ":0:0: note: 7 more messages are not shown\n");
}

TEST(CompilerOutput, HostileTextIsOneCleanLine) {
  std::vector<BuildDiagnostic> Found = read("submission.cu(1): error: \x1b[31m#error\x07\n", "x\n");
  ASSERT_EQ(Found.size(), 1u);
  EXPECT_EQ(Found[0].Message.find('\x1b'), std::string::npos);
  EXPECT_TRUE(
      read("\xff\xfe((((: error: ]]]\n(1): error\nsubmission.cu(99999999999999): error: x\n", "")
          .size() <= 1);
}

TEST(PtxasFigures, EveryKernel) {
  std::vector<KernelResources> K =
      readPtxasFigures("ptxas info    : 28 bytes gmem, 16 bytes cmem[3]\n"
                       "ptxas info    : Compiling entry function '_Z1kPfi' for 'sm_90a'\n"
                       "ptxas info    : Function properties for _Z1kPfi\n"
                       "    8 bytes stack frame, 4 bytes spill stores, 12 bytes spill loads\n"
                       "ptxas info    : Used 32 registers, used 1 barriers, 400 bytes smem, 360 "
                       "bytes cmem[0], 8 bytes cmem[2]\n"
                       "ptxas info    : Function properties for _Z6helperv\n"
                       "    99 bytes stack frame, 98 bytes spill stores, 97 bytes spill loads\n"
                       "ptxas info    : Compiling entry function '_Z1jv' for 'sm_80'\n"
                       "ptxas info    : Function properties for _Z1jv\n"
                       "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
                       "ptxas info    : Used 6 registers\n");
  ASSERT_EQ(K.size(), 2u);
  EXPECT_EQ(K[0].Name, "k(float*, int)");
  EXPECT_EQ(K[0].Architecture, "sm_90a");
  EXPECT_EQ(K[0].Registers, 32u);
  EXPECT_EQ(K[0].SharedBytes, 400u);
  EXPECT_EQ(K[0].ConstantBytes, 368u);
  EXPECT_EQ(K[0].StackBytes, 8u);
  EXPECT_EQ(K[0].SpillStoreBytes, 4u);
  EXPECT_EQ(K[0].SpillLoadBytes, 12u);
  EXPECT_EQ(K[1].Registers, 6u);
  EXPECT_EQ(K[1].StackBytes, 0u);
}

TEST(CompilerOutput, SymbolsHaveThePlaceOfTheSource) {
  OutputReaderOptions Options{"submission.cu", "user/relu.cu", "1\n2\n3\n4\n", 50, "", {}};
  const std::vector<SourceSymbol> Symbols = {{"_ZN12_GLOBAL__N_11kEPf", {"a.cu", 2, 5}, true, true},
                                             {"_Z4restf", {"a.cu", 3, 7}, false, true}};
  Options.Symbols = [&] { return llvm::ArrayRef(Symbols); };
  EXPECT_EQ(
      shown(readCompilerOutput(
          "ptxas error   : Entry function '_ZN32_GLOBAL__N__b61cb846_4_a_cu_main1kEPf' uses too "
          "much shared data (0x186a00 bytes, 0x38c00 max)\n"
          "ptxas fatal   : Unresolved extern function '_Z4restf'\n"
          "x.o: undefined reference to `_Z5otherf'\n",
          Options)),
      "user/relu.cu:2:5: error: ptxas: Entry function '(anonymous namespace)::k(float*)' uses too "
      "much shared data (0x186a00 bytes, 0x38c00 max)\n"
      "user/relu.cu:3:7: error: undefined reference to `rest(float)': the submission declares it "
      "and defines it nowhere\n"
      ":0:0: error: undefined reference to `other(float)'\n");
}

TEST(CompilerOutput, PtxHasTheLinesOfTheSource) {
  TemporaryDirectory Folder = llvm::cantFail(TemporaryDirectory::create("cupel-ptx"));
  llvm::cantFail(writeFileAtomically(Folder.path().str() + "/submission.ptx",
                                     ".visible .entry k(\n"
                                     "\t.loc\t1 6 3\n"
                                     "\tst.shared.f32 [%r1], %f1;\n"
                                     "\t.loc\t2 70 1, function_name $L, inlined_at 1 7 1\n"
                                     "\tnonsense.f32 %f1;\n"
                                     "}\n.visible .entry l(\n\tnonsense.f32 %f1;\n"
                                     "\t.file\t1 \"/b/submission.cu\"\n\t.file\t2 \"/b/x.h\"\n"));
  OutputReaderOptions Options{"submission.cu", "user/relu.cu", "1\n", 50, Folder.path().str(), {}};
  EXPECT_EQ(shown(readCompilerOutput("ptxas /b/submission.ptx, line 5; error   : Not a name\n"
                                     "ptxas /b/submission.ptx, line 8; error   : No place\n"
                                     "ptxas /b/absent.ptx, line 5; error   : No file\n",
                                     Options)),
            "user/relu.cu:6:3: error: ptxas: Not a name\n"
            ":0:0: error: ptxas: No place\n:0:0: error: ptxas: No file\n");
}
