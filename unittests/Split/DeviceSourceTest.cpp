//===- DeviceSourceTest.cpp - what nvcc gets of a submission ------------------===//

#include "cupel/Split/DeviceSource.h"
#include "TestParse.h"
#include "llvm/ADT/StringExtras.h"

using namespace cupel;

namespace {

class DeviceSourceTest : public ParseFixture {
protected:
  llvm::Expected<std::string> make(llvm::StringRef Source, llvm::StringRef Arch = "sm_90a") {
    ParsedSubmission S = parse(Source.str());
    EXPECT_EQ(S.State, ParseState::Complete) << messagesOf(S);
    return deviceSource(S, Arch);
  }

  /// The submission's lines that are left, without blanks at their ends, and the tail.
  std::string left(llvm::StringRef Source) {
    llvm::Expected<std::string> Text = make(Source);
    if (!Text)
      return textOf(Text.takeError());
    size_t Start = Text->find("#line 1 \"submission.cu\"\n");
    EXPECT_NE(Start, std::string::npos);
    std::string Result;
    for (llvm::StringRef Line : llvm::split(llvm::StringRef(*Text).substr(Start + 24), '\n'))
      if (!Line.trim().empty() && !Line.starts_with("#undef"))
        Result += Line.rtrim().str() + "\n";
    return Result;
  }

  std::string headers(llvm::StringRef Source) {
    llvm::Expected<std::string> Text = make(Source);
    if (!Text)
      return textOf(Text.takeError());
    return Text->substr(0, Text->find("#line"));
  }

  std::string refusal(llvm::StringRef Source, llvm::StringRef Arch = "sm_90a") {
    llvm::Expected<std::string> Text = make(Source, Arch);
    if (Text)
      return "none";
    // Without the place, which names a temporary folder.
    std::string Why = takeReasons(Text.takeError()).front().Text;
    return llvm::StringRef(Why).rsplit(": ").second.empty()
               ? Why
               : llvm::StringRef(Why).rsplit(": ").second.str();
  }
};

TEST_F(DeviceSourceTest, HostCodeGoesAndLinesStay) {
  llvm::Expected<std::string> Text = make("#include <vector>\n"
                                          "static int blocks(int n) {\n  return n / 32;\n}\n"
                                          "__global__ void k(float *x) { *x = 1; }\n"
                                          "void run(float *x) { k<<<blocks(64), 32>>>(x); }\n");
  ASSERT_TRUE(bool(Text)) << textOf(Text.takeError());
  llvm::StringRef Rest = llvm::StringRef(*Text).split("#line 1 \"submission.cu\"\n").second;
  llvm::SmallVector<llvm::StringRef, 8> Lines;
  Rest.split(Lines, '\n');
  ASSERT_EQ(Lines.size(), 7u);
  EXPECT_EQ(Lines[4], "__global__ void k(float *x) { *x = 1; }");
  for (unsigned I : {0u, 1u, 2u, 3u, 5u, 6u})
    EXPECT_EQ(Lines[I].trim(), "") << I;
}

TEST_F(DeviceSourceTest, WhatDeviceCodeNeedsStays) {
  EXPECT_EQ(left("constexpr int Used = 4, Beside = 5;\n"
                 "constexpr int Unused = 6;\n"
                 "struct Shape { int n; };\n"
                 "struct HostOnly { std::vector<int> v; };\n"
                 "enum Mode { A, B };\n"
                 "using Alias = Shape;\n"
                 "constexpr int twice(int x) { return 2 * x; }\n"
                 "int thrice(int x) { return 3 * x; }\n"
                 "__device__ int helper(Alias s) { return s.n + Used + twice(3); }\n"
                 "__global__ void k(int *x, Shape s, Mode m) { *x = helper(s) + m; }\n"),
            "constexpr int Used = 4, Beside = 5;\n"
            "struct Shape { int n; };\n"
            "enum Mode { A, B };\n"
            "using Alias = Shape;\n"
            "constexpr int twice(int x) { return 2 * x; }\n"
            "__device__ int helper(Alias s) { return s.n + Used + twice(3); }\n"
            "__global__ void k(int *x, Shape s, Mode m) { *x = helper(s) + m; }\n");
}

TEST_F(DeviceSourceTest, VariablesOfTheDevice) {
  EXPECT_EQ(left("__constant__ float weights[9];\nstatic __device__ int counter;\nint host;\n"
                 "__global__ void k(float *x) { *x = weights[1] + counter; }\n"
                 "void put(const float *w) { cudaMemcpyToSymbol(weights, w, 36); }\n"),
            "__constant__ float weights[9];\nstatic __device__ int counter;\n"
            "__global__ void k(float *x) { *x = weights[1] + counter; }\n");
}

TEST_F(DeviceSourceTest, LinkageOfC) {
  EXPECT_EQ(left("extern \"C\" __global__ void k(int *x) { *x = 1; }\n"
                 "extern \"C\" void host() {}\n"
                 "extern \"C\" {\n__global__ void l(int *x) { *x = 2; }\nvoid other() {}\n}\n"),
            "extern \"C\" __global__ void k(int *x) { *x = 1; }\n"
            "extern \"C\" {\n__global__ void l(int *x) { *x = 2; }\n}\n");
}

TEST_F(DeviceSourceTest, InstancesOfKernels) {
  EXPECT_EQ(
      left("struct Add { __device__ float operator()(float a) const { return a + 1; } };\n"
           "namespace n { namespace {\n"
           "template <class T, int N, class F> __global__ void k(T *x, F f) { x[N] = f(x[0]); }\n"
           "} }\n"
           "template <class T> __global__ void unused(T *x) { *x = 0; }\n"
           "void run(float *x, double *y) {\n"
           "  n::k<float, 4><<<1, 1>>>(x, Add());\n"
           "  auto *p = &n::k<double, 2, Add>; p<<<1, 1>>>(y, Add());\n"
           "}\n"),
      "struct Add { __device__ float operator()(float a) const { return a + 1; } };\n"
      "namespace n { namespace {\n"
      "template <class T, int N, class F> __global__ void k(T *x, F f) { x[N] = f(x[0]); }\n"
      "} }\n"
      "template <class T> __global__ void unused(T *x) { *x = 0; }\n"
      "void cupel_kernels(void **kernels);\n"
      "void cupel_kernels(void **kernels) {\n"
      "  *kernels++ = reinterpret_cast<void *>(static_cast<void (*)(float *, Add)>"
      "(&::n::k<float, 4, Add>));\n"
      "  *kernels++ = reinterpret_cast<void *>(static_cast<void (*)(double *, Add)>"
      "(&::n::k<double, 2, Add>));\n"
      "}\n");
}

TEST_F(DeviceSourceTest, SpecializationsGoWithTheirTemplate) {
  EXPECT_EQ(left("template <class T> struct Limit { static constexpr T value = 1; };\n"
                 "template <> struct Limit<int> { static constexpr int value = 7; };\n"
                 "template <class T> struct Host { T t; };\n"
                 "template <> struct Host<int> { long t; };\n"
                 "template <class T> __device__ T get() { return Limit<T>::value; }\n"
                 "__global__ void k(int *x) { *x = get<int>(); }\n"),
            "template <class T> struct Limit { static constexpr T value = 1; };\n"
            "template <> struct Limit<int> { static constexpr int value = 7; };\n"
            "template <class T> __device__ T get() { return Limit<T>::value; }\n"
            "__global__ void k(int *x) { *x = get<int>(); }\n");
}

TEST_F(DeviceSourceTest, ConditionsAndMacrosStay) {
  EXPECT_EQ(
      left("#define TILE 16\n"
           "#ifdef FAST\nvoid fast(float *x) {}\n#else\n"
           "__global__ void slow(float *x) {}\n#endif\n"
           "void host() {\n#if TILE > 8\n  int a = 1;\n#endif\n}\n"
           "#pragma nv_diag_suppress 177\n"
           "__global__ void k(float *x) { x[TILE] = 1; }\n"),
      "#define TILE 16\n"
      "#ifdef FAST\nvoid fast(float *x) {}\n#else\n__global__ void slow(float *x) {}\n#endif\n"
      "#if TILE > 8\n#endif\n"
      "#pragma nv_diag_suppress 177\n"
      "__global__ void k(float *x) { x[TILE] = 1; }\n");
}

TEST_F(DeviceSourceTest, ExplicitInstantiationsOfHostTemplatesGo) {
  EXPECT_EQ(
      left("template <class T> __global__ void k(T *x) { *x = 1; }\n"
           "template <class T> void run(T *x) { k<T><<<1, 1>>>(x); }\n"
           "template void run<float>(float *);\n"),
      "template <class T> __global__ void k(T *x) { *x = 1; }\n"
      "void cupel_kernels(void **kernels);\n"
      "void cupel_kernels(void **kernels) {\n"
      "  *kernels++ = reinterpret_cast<void *>(static_cast<void (*)(float *)>(&::k<float>));\n"
      "}\n");
}

TEST_F(DeviceSourceTest, NamespacesOfUsingDirectivesExist) {
  std::string Text = headers("namespace host { namespace deep {} }\nusing namespace host::deep;\n"
                             "namespace d = host::deep;\n__global__ void k(int *x) { *x = 1; }\n");
  EXPECT_NE(Text.find("namespace host { namespace deep { }}\n"), std::string::npos) << Text;
}

// An inline namespace that is opened without the word is another one.
TEST_F(DeviceSourceTest, InlineNamespacesStayInline) {
  std::string Text =
      headers("namespace a { inline namespace v1 { namespace b { namespace {} } } }\n"
              "using namespace a::b;\nnamespace c = a::b;\nnamespace d = a::v1;\n"
              "__global__ void k(int *x) { *x = 1; }\n");
  EXPECT_NE(Text.find("namespace a { inline namespace v1 { namespace b { }}}\n"), std::string::npos)
      << Text;
  EXPECT_NE(Text.find("namespace a { inline namespace v1 { }}\n"), std::string::npos) << Text;
}

TEST_F(DeviceSourceTest, OneMacroForBoth) {
  const std::string Source =
      "#define THREADS 32\n"
      "#define BOTH(name) \\\n  __global__ void name##_kernel(float *x) { *x = 1; } \\\n"
      "  void name(float *x) { name##_kernel<<<blocks(64), THREADS>>>(x); }\nBOTH(relu)\n";
  EXPECT_EQ(left("static int blocks(int n) { return n; }\n" + Source),
            "static int blocks(int n) { return n; }\n" + Source);
}

TEST_F(DeviceSourceTest, HeadersThatDeviceCodeNames) {
  std::string Text = headers("#include <cuda_fp16.h>\n#include <tuple>\n#include <vector>\n"
                             "std::vector<int> host;\n"
                             "__global__ void k(__half *x) { *x = __float2half(INFINITY); }\n");
  EXPECT_NE(Text.find("#include <cuda_fp16.h>\n"), std::string::npos) << Text;
  EXPECT_EQ(Text.find("#include <vector>\n"), std::string::npos) << Text;
}

//===----------------------------------------------------------------------===//
// What is left to nvcc on the whole file
//===----------------------------------------------------------------------===//

TEST_F(DeviceSourceTest, LambdasHaveNoName) {
  EXPECT_EQ(refusal("template <class F> __global__ void k(float *x, F f) { *x = f(*x); }\n"
                    "void run(float *x) {\n"
                    "  k<<<1, 1>>>(x, [] __device__(float a) { return a + 1; });\n}\n"),
            "the kernel 'k' is instantiated for a type without a name");
}

TEST_F(DeviceSourceTest, ConditionsOnTheCompiler) {
  EXPECT_EQ(refusal("#ifdef __clang__\n#define FACTOR 2\n#else\n#define FACTOR 3\n#endif\n"
                    "__global__ void k(float *x) { *x = FACTOR; }\n"),
            "a condition on '__clang__', which compilers define differently");
  EXPECT_EQ(refusal("#if __CUDA_ARCH__ >= 800\n#endif\n__global__ void k(int *x) { *x = 1; }\n"),
            "none");
  EXPECT_EQ(
      refusal("#if __CUDA_ARCH__ >= 800\n#endif\n__global__ void k(int *x) { *x = 1; }\n", "sm_80"),
      "a condition on __CUDA_ARCH__, and another GPU than the parse's");
}

TEST_F(DeviceSourceTest, DeclarationsOfAnotherFile) {
  write("own.h", "__device__ int helper() { return 3; }\n");
  ParsedSubmission S = parse("#include \"own.h\"\n__global__ void k(int *x) { *x = helper(); }\n");
  EXPECT_EQ(textOf(deviceSource(S, "sm_90a").takeError()),
            "not-split: " + S.File +
                ":1:1: Clang does not read all of it: a submission is one "
                "file; 'own.h' is another\n");
}

TEST_F(DeviceSourceTest, WhatClangCannotRead) {
  ParsedSubmission S = parse("__global__ void k(int *x) { *x = missing; }\n");
  EXPECT_EQ(textOf(deviceSource(S, "sm_90a").takeError()),
            "not-split: " + S.File +
                ":1:34: Clang does not read all of it: use of undeclared identifier 'missing'\n");
}

TEST_F(DeviceSourceTest, RegistrationsNeedTorchsOwnHeaders) {
  const std::string Library = "namespace torch { class Library {}; }\n"
                              "__global__ void k(int *x) { *x = 1; }\n";
  EXPECT_EQ(refusal(Library + "static void TORCH_LIBRARY_init_mine(torch::Library &m) {}\n"),
            "it registers operators with torch's dispatcher, whose headers the parse leaves out");
  EXPECT_EQ(
      refusal(Library + "namespace a { void mine(int *) {} void other(torch::Library *) {} }\n"),
      "none");
}

} // namespace
