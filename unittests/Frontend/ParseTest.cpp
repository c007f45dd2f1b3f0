//===- ParseTest.cpp - passes, places, kernels and launches -----------------===//

#include "TestParse.h"
#include "cupel/Frontend/SourceSymbols.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"

using namespace cupel;

namespace {

using ParseTest = ParseFixture;

TEST_F(ParseTest, CompleteSourceHasBothPasses) {
  ParsedSubmission S = parse("__global__ void k(float *x) { *x = 1; }\n"
                             "void run(float *x) { k<<<1, 32>>>(x); }\n");
  EXPECT_EQ(S.State, ParseState::Complete) << messagesOf(S);
  ASSERT_TRUE(S.Host && S.Device);
  EXPECT_EQ(S.Headers, "cuda");
  ASSERT_EQ(S.Host->topLevelDecls().size(), 2u);
  ASSERT_EQ(S.Kernels.size(), 1u);
  EXPECT_EQ(S.Kernels[0].Name, "k");
  EXPECT_EQ(S.Kernels[0].Place.Line, 1u);
  ASSERT_EQ(S.Launches.size(), 1u);
  EXPECT_EQ(S.Launches[0].Kernel, S.Kernels[0].Function);
  EXPECT_EQ(S.Launches[0].Caller->getName(), "run");
  EXPECT_EQ(S.Launches[0].Place.Line, 2u);
  EXPECT_EQ(S.Launches[0].Place.Column, 22u);
}

TEST_F(ParseTest, DevicePassSeesTheArchitecture) {
  ParsedSubmission S = parse("__device__ int f() {\n"
                             "#if __CUDA_ARCH__ == 900\n"
                             "  return undeclared;\n"
                             "#endif\n"
                             "  return 0;\n}\n");
  EXPECT_EQ(S.State, ParseState::Partial);
  ASSERT_EQ(S.Messages.size(), 1u) << messagesOf(S);
  EXPECT_EQ(S.Messages[0].Pass, PassKind::Device);
  EXPECT_EQ(S.Messages[0].Place.Line, 3u);
}

// A condition on gcc's version chooses what the build reads.
TEST_F(ParseTest, HasTheVersionOfTheGccThatBuilds) {
  ParsedSubmission S =
      parse("#if __GNUC__ != _GLIBCXX_RELEASE || __GNUC__ < 9\n#error gcc\n#endif\n");
  EXPECT_EQ(S.State, ParseState::Complete) << messagesOf(S);
}

/// Line and column of the errors that nvcc is not asked about.
static std::string sure(const ParsedSubmission &S, llvm::StringRef Architecture = "sm_90a") {
  std::string Result;
  for (const CompilerMessage *M : sureErrors(S, Architecture))
    Result += std::to_string(M->Place.Line) + ":" + std::to_string(M->Place.Column) + " ";
  return Result;
}

// nvcc 13.0 refuses each of these: what it says was compared by hand.
TEST_F(ParseTest, ErrorsThatNoCompilerLacks) {
  EXPECT_EQ(sure(parse("void f() { undeclared(1); }\n")), "1:12 ");
  EXPECT_EQ(sure(parse("void f() {\n  flaot x;\n  int y\n}\n")), "2:3 3:8 ");
  EXPECT_EQ(sure(parse("struct S { int a; };\nint f(S s) { return s.b; }\n")), "2:23 ");
  EXPECT_EQ(sure(parse("template <class T> void f(T) { undeclared(1); }\n")), "1:32 ");
  EXPECT_EQ(sure(parse("#ifdef __CUDACC__\nvoid f() { undeclared(1); }\n#endif\n")), "2:12 ");
  EXPECT_EQ(sure(parse("void f() {}}\n")), "1:12 1:12 "); // In both passes.
  // A brace is missing; the line itself may be as special as it likes.
  EXPECT_EQ(sure(parse("void f() {\n__host__ void g() {}\n")), "2:19 ");
}

TEST_F(ParseTest, ASubmissionIsOneFile) {
  write("own.h", "__device__ int helper() { return 3; }\n");
  write("cuda_fp16.h", "");
  EXPECT_EQ(sure(parse("#include \"own.h\"\n__global__ void k(int *x) { *x = helper(); }\n")),
            "1:1 1:1 ");
  EXPECT_EQ(parse("#if __has_include(\"own.h\")\n#endif\n").State, ParseState::Partial);
  // Here it is the folder's, in a build it would be CUDA's.
  ParsedSubmission S = parse("#include \"cuda_fp16.h\"\n");
  EXPECT_EQ(messagesOf(S), "1: a submission is one file; 'cuda_fp16.h' is another\n"
                           "1: a submission is one file; 'cuda_fp16.h' is another\n");
  EXPECT_EQ(parse("#include <cuda_fp16.h>\n#include <vector>\n#include \"math.h\"\n").State,
            ParseState::Complete);
}

TEST_F(ParseTest, ErrorsThatMayBeClangsAlone) {
  // What nvcc knows by itself.
  EXPECT_EQ(sure(parse("__device__ void f() { __nv_newest(1); }\n")), "");
  // Whether nvcc reads it is not known.
  EXPECT_EQ(sure(parse("#ifdef __NVCC__\n#define F 1\n#endif\nint f() { return F; }\n")), "");
  EXPECT_EQ(sure(parse("#include <cuda/std/array>\nint f() { return cuda::ptx::newest; }\n")), "");
  // What follows a launch that Clang refuses and nvcc takes.
  EXPECT_EQ(sure(parse("__global__ void k() {}\nvoid f() { k<<<1>>>(); undeclared(); }\n")), "");
  // Attributes and assembler have a form for each compiler.
  EXPECT_EQ(sure(parse("int x __align__(16) 3;\n")), "");
  // Another GPU's text was not read.
  constexpr char Chosen[] =
      "#if __CUDA_ARCH__ >= 900\n__device__ int f() { return undeclared; }\n#endif\n";
  EXPECT_EQ(sure(parse(Chosen)), "2:29 ");
  EXPECT_EQ(sure(parse(Chosen), "sm_80"), "");
  // A macro's text may be a header's.
  EXPECT_EQ(sure(parse("#define M undeclared(1)\nvoid f() { M; }\n")), "");
  EXPECT_EQ(sure(parse("#include \"absent.h\"\nvoid f() { undeclared(1); }\n")), "");
}

TEST_F(ParseTest, SymbolsHaveAPlace) {
  ParsedSubmission S = parse("namespace n { void rest(float *); }\n"
                             "extern __device__ float part(float);\n"
                             "template <class T> void all(T);\n"
                             "__global__ void k(float *x) { *x = part(*x); }\n"
                             "struct C { C(int); void go(); };\n"
                             "extern int number, defined;\n"
                             "int defined = 1;\n"
                             "void run(float *x) {\n"
                             "  k<<<1, 1>>>(x);\n"
                             "  n::rest(x);\n"
                             "  all(number + defined);\n"
                             "  C(3).go();\n"
                             "  cudaFree(x);\n}\n");
  auto Find = [Symbols = sourceSymbols(S)](llvm::StringRef Mangled) -> std::string {
    for (const SourceSymbol &Symbol : Symbols)
      if (Symbol.Mangled == Mangled)
        return std::to_string(Symbol.Place.Line) + ":" + std::to_string(Symbol.Place.Column) +
               (Symbol.IsOwn ? " own" : "") + (Symbol.IsDefined ? " defined" : "");
    return "none";
  };
  EXPECT_EQ(Find("_ZN1n4restEPf"), "10:6 own");
  EXPECT_EQ(Find("_Z4partf"), "4:36 own");
  EXPECT_EQ(Find("_Z3allIiEvT_"), "11:3 own");
  EXPECT_EQ(Find("_Z1kPf"), "4:17 own defined");
  EXPECT_EQ(Find("_ZN1CC1Ei"), "12:3 own");
  EXPECT_EQ(Find("_ZN1C2goEv"), "12:8 own");
  EXPECT_EQ(Find("number"), "11:7 own");
  EXPECT_EQ(Find("defined"), "7:5 own defined");
  EXPECT_EQ(Find("_Z3runPf"), "8:6 own defined");
  EXPECT_EQ(Find("cudaFree"), "13:3");
}

TEST_F(ParseTest, DevicePassReadsDeviceLambdas) {
  ParsedSubmission S = parse("template <class F> __global__ void each(F f) { f(); }\n"
                             "void run() {\n"
                             "  auto f = [] __device__ () {\n"
                             "#ifdef __CUDA_ARCH__\n"
                             "    undeclared();\n"
                             "#endif\n"
                             "  };\n"
                             "  each<<<1, 1>>>(f);\n}\n");
  EXPECT_EQ(S.State, ParseState::Partial);
  ASSERT_FALSE(S.Messages.empty());
  EXPECT_EQ(S.Messages[0].Place.Line, 5u) << messagesOf(S);
}

// nvcc runs none of these constructors and destructors, and warns.
TEST_F(ParseTest, SharedMemoryOfClassesWithConstructors) {
  constexpr llvm::StringLiteral Classes = R"(
struct State { float m = -1.0f, d = 0.0f; };
struct Made { float v; __device__ Made() : v(3) {} };
template <class T> struct Both { T v; __device__ Both() { v = 0; } __device__ ~Both() { v = 1; } };
template <class T> __global__ void of(float *o) {
  __shared__ Both<T> b;
  b.v = *o;
}
__global__ void k(float *o) {
  __shared__ State s[4][32];
  __shared__ Made c;
  State own;
  s[0][1].m = o[0] + own.m;
  *o = s[0][1].m + c.v;
}
void run(float *o) {
  State s;
  s.m = *o;
  k<<<1, 32>>>(o);
  of<float><<<1, 32>>>(o);
}
)";
  ParsedSubmission S = parse(Classes);
  EXPECT_EQ(S.State, ParseState::Complete) << messagesOf(S);
  for (const clang::Decl *D : S.Host->topLevelDecls())
    if (const auto *Class = llvm::dyn_cast<clang::CXXRecordDecl>(D))
      for (const clang::CXXConstructorDecl *Constructor : Class->ctors())
        if (Constructor->isDefaultConstructor())
          EXPECT_FALSE(Constructor->isTrivial()) << Class->getName().str();
  // As nvcc: with an initializer of its own it is an error.
  EXPECT_EQ(parse(Classes.str() + "__global__ void bad() { __shared__ float z = 0.0f; }\n").State,
            ParseState::Partial);
}

TEST_F(ParseTest, LaunchesOfAllShapes) {
  ParsedSubmission S = parse(R"(
template <int N> __global__ void tiled(float *x) { x[N] = 1; }
__global__ void plain(float *x) { *x = 1; }
#define START(k, x) k<<<1, 32>>>(x)
template <class T> void dependent(T *x) { tiled<sizeof(T)><<<1, 1>>>(x); }
void run(float *x, void (*chosen)(float *)) {
  START(plain, x);
  auto lambda = [&] { tiled<3><<<1, 1>>>(x); };
  lambda();
  dependent(x);
  chosen<<<1, 1>>>(x);
  void *arguments[] = {&x};
  cudaLaunchKernel((const void *)plain, dim3(1), dim3(1), arguments, 0, 0);
  cudaLaunchCooperativeKernel((void *)&tiled<3>, dim3(1), dim3(1), arguments, 0, 0);
  cudaLaunchConfig_t config = {};
  cudaLaunchKernelEx(&config, plain, x);
  cudaLaunchKernelExC(&config, (const void *)plain, arguments);
}
)");
  EXPECT_EQ(S.State, ParseState::Complete) << messagesOf(S);
  ASSERT_EQ(S.Kernels.size(), 2u);
  EXPECT_EQ(S.Kernels[0].Name, "tiled");
  std::vector<std::pair<unsigned, std::string>> Found;
  for (const LaunchInfo &L : S.Launches)
    Found.push_back({L.Place.Line, L.Kernel ? L.Kernel->getNameAsString() : "?"});
  std::vector<std::pair<unsigned, std::string>> Expected = {
      {5, "tiled"},  {7, "plain"},  {8, "tiled"},  {11, "?"},
      {13, "plain"}, {14, "tiled"}, {16, "plain"}, {17, "plain"}};
  EXPECT_EQ(Found, Expected);
}

TEST_F(ParseTest, PlacesArePhysical) {
  ParsedSubmission S = parse("#line 700 \"elsewhere.h\"\n"
                             "# 1 \"/usr/include/stdio.h\" 3\n"
                             "__global__ void k() { undeclared(); }\n");
  ASSERT_EQ(S.Kernels.size(), 1u);
  EXPECT_EQ(S.Kernels[0].Place.Line, 3u);
  EXPECT_EQ(S.Kernels[0].Place.File, S.File);
  ASSERT_FALSE(S.Messages.empty());
  EXPECT_EQ(S.Messages[0].Place.Line, 3u) << messagesOf(S);
}

TEST_F(ParseTest, BrokenSourceIsJudgedOnWhatWasRead) {
  ParsedSubmission S = parse("__global__ void k(float *x) { *x = 1; }\n"
                             "void broken() { int x = ; nothing(; }\n"
                             "void run(float *x) { k<<<1, 1>>>(x); }\n");
  EXPECT_EQ(S.State, ParseState::Partial);
  EXPECT_EQ(S.Kernels.size(), 1u);
  EXPECT_EQ(S.Launches.size(), 1u);
  ASSERT_FALSE(S.Messages.empty());
  EXPECT_EQ(S.Messages[0].Place.Line, 2u);
  EXPECT_EQ(S.Messages[0].Severity, CompilerMessage::Level::Error);
}

TEST_F(ParseTest, OwnIncludesBelongToTheSubmission) {
  write("helper.cuh", "__global__ void helper() {}\n");
  ParsedSubmission S = parse("#include \"helper.cuh\"\n#include <vector>\n#pragma unroll\n"
                             "#define TWICE(x) ((x) * 2)\nvoid run() { helper<<<1, 1>>>(); }\n");
  ASSERT_EQ(S.Kernels.size(), 1u);
  EXPECT_EQ(S.Kernels[0].Place.File, path("helper.cuh"));
  llvm::ArrayRef<DirectiveInfo> Directives = S.Host->directives();
  ASSERT_EQ(Directives.size(), 4u);
  EXPECT_EQ(Directives[0].Text, "helper.cuh");
  EXPECT_EQ(Directives[0].File, path("helper.cuh"));
  EXPECT_EQ(Directives[1].Text, "vector");
  EXPECT_EQ(Directives[2].Kind, DirectiveInfo::Directive::Pragma);
  EXPECT_EQ(Directives[3].Text, "TWICE");
}

TEST_F(ParseTest, TemplatesOfTheSubmissionAreMade) {
  ParsedSubmission S = parse("#include <vector>\n"
                             "template <class T> void inner(T x) { x.missing(); }\n"
                             "template <class T> void outer(T x) { inner(x); }\n"
                             "void run() { std::vector<int> v; v.push_back(1); outer(v); }\n");
  EXPECT_EQ(S.State, ParseState::Partial);
  ASSERT_FALSE(S.Messages.empty());
  EXPECT_EQ(S.Messages[0].Place.Line, 2u) << messagesOf(S);
}

TEST_F(ParseTest, GenericCodeGivenToHeadersIsMade) {
  ParsedSubmission S = parse("#include <functional>\n"
                             "void run() {\n"
                             "  std::function<void(int)> f = [](auto x) { x.missing(); };\n"
                             "}\n");
  EXPECT_EQ(S.State, ParseState::Partial);
  ASSERT_FALSE(S.Messages.empty());
  EXPECT_EQ(S.Messages[0].Place.Line, 3u) << messagesOf(S);
}

TEST_F(ParseTest, TypesWithoutLinkageInHeaderTemplates) {
  ParsedSubmission S =
      parse("#include <functional>\n"
            "void run() { auto l = [](void *) {}; std::function<void(void *)> f = l; }\n");
  EXPECT_EQ(S.State, ParseState::Complete) << messagesOf(S);
}

TEST_F(ParseTest, MissingTorchIsAMessage) {
  ParsedSubmission S = parse("#include <torch/extension.h>\n");
  EXPECT_EQ(S.State, ParseState::Partial);
  ASSERT_FALSE(S.Messages.empty());
  EXPECT_EQ(S.Messages[0].Message, "'torch/extension.h' file not found");
}

TEST_F(ParseTest, NoCudaIsAnError) {
  Options.Tools.CudaHome = "/nonexistent";
  llvm::Expected<ParsedSubmission> S = tryParse("int x;\n");
  ASSERT_FALSE(bool(S));
  std::string Text = textOf(S.takeError());
  EXPECT_NE(Text.find("frontend-no-cuda: no CUDA headers"), std::string::npos) << Text;
}

TEST_F(ParseTest, UnreadableFilesAreErrors) {
  llvm::Expected<ParsedSubmission> Missing = parseSubmission(path("none.cu"), Options);
  ASSERT_FALSE(bool(Missing));
  EXPECT_NE(textOf(Missing.takeError()).find("file-missing"), std::string::npos);
  llvm::Expected<ParsedSubmission> Binary = tryParse(llvm::StringRef("int x;\0int y;", 13));
  ASSERT_FALSE(bool(Binary));
  EXPECT_NE(textOf(Binary.takeError()).find("file-binary"), std::string::npos);
  Options.SizeLimit = 10;
  llvm::Expected<ParsedSubmission> Big = tryParse("int much_too_long;\n");
  ASSERT_FALSE(bool(Big));
  EXPECT_NE(textOf(Big.takeError()).find("file-too-big"), std::string::npos);
}

} // namespace
