//===- RewriteTest.cpp - CUDA's own syntax as C++ ---------------------------===//

#include "TestParse.h"
#include "cupel/Emulate/Emulate.h"

using namespace cupel;

namespace {

class RewriteTest : public ParseFixture {
protected:
  /// The rewritten text behind the prelude, or the errors.
  std::string rewrite(llvm::StringRef Source) {
    ParsedSubmission S = parse(Source.str());
    EXPECT_EQ(S.State, ParseState::Complete) << messagesOf(S);
    llvm::Expected<std::string> Text = rewriteForEmulation(S);
    if (!Text) {
      std::string Errors;
      for (const Reason &R : takeReasons(Text.takeError()))
        Errors += R.Code + ": " + R.Text + "\n";
      return Errors;
    }
    size_t Start = Text->find("#line 1\n");
    EXPECT_NE(Start, std::string::npos);
    return Start == std::string::npos ? *Text : Text->substr(Start + 8);
  }
};

std::string launcher(llvm::StringRef Name, unsigned Line, llvm::StringRef Wait) {
  return ("::cupel::emu::launcher(::cupel::emu::Site{\"" + Name + "\", " + llvm::Twine(Line) +
          ", ::cupel::emu::Waits::" + Wait + "}, ")
      .str();
}

TEST_F(RewriteTest, Launch) {
  EXPECT_EQ(rewrite("__global__ void k(float *x) { *x = 1; }\n"
                    "void run(float *x) { k<<<1, 32>>>(x); }\n"),
            "__global__ void k(float *x) { *x = 1; }\n"
            "void run(float *x) { " +
                launcher("k", 2, "Never") + "k)(1, 32)(x); }\n");
}

TEST_F(RewriteTest, LaunchOfTemplateInMacro) {
  EXPECT_EQ(rewrite("template <class T, int N> __global__ void k(T *x) { __syncthreads(); }\n"
                    "#define RUN(kernel, ...) \\\n"
                    "  kernel<<<1, 32>>>(__VA_ARGS__)\n"
                    "void run(float *x) { RUN((k<float, 4>), x); }\n"),
            "template <class T, int N> __global__ void k(T *x) { __syncthreads(); }\n"
            "#define RUN(kernel, ...) \\\n"
            "  " +
                launcher("k", 4, "Barriers") +
                "kernel)(1, 32)(__VA_ARGS__)\n"
                "void run(float *x) { RUN((k<float, 4>), x); }\n");
}

TEST_F(RewriteTest, VolatileAccesses) {
  EXPECT_EQ(
      rewrite("__device__ void k(volatile int *flag, int *data, volatile int *volatile *p) {\n"
              "  volatile int own = 0;\n"
              "  while (*flag == 0);\n"
              "  flag[data[own]] += **p;\n"
              "  int x = *(volatile int *)data; (*flag)++;\n"
              "}\n"),
      "__device__ void k(volatile int *flag, int *data, volatile int *volatile *p) {\n"
      "  volatile int own = 0;\n"
      "  while ( ::cupel::emu::observed(*flag) == 0);\n"
      "   ::cupel::emu::observed(flag[data[own]]) +=  ::cupel::emu::observed(**p);\n"
      "  int x =  ::cupel::emu::observed(*(volatile int *)data); ( "
      "::cupel::emu::observed(*flag))++;\n"
      "}\n");
}

// By value and by address, but not in code of the device, where the value is a constant, and where
// only the type counts.
TEST_F(RewriteTest, NamesOfVariablesOfTheDeviceInCodeOfTheHost) {
  const std::string Device =
      "__constant__ float table[4];\n"
      "namespace { __constant__ int hidden; }\n"
      "namespace a { static __device__ float4 *v; }\n"
      "__device__ constexpr int N = 4;\n"
      "__device__ __managed__ int both;\n"
      "__device__ float *there = table;\n"
      "template <class T, int M> constexpr int size(T (&)[M]) { return M; }\n"
      "__device__ float f(int i) { return table[i]; }\n";
  EXPECT_EQ(
      rewrite(Device +
              "#define TABLE table\n"
              "static int *const ints[sizeof(int[N]) + size(table)] = {[] { return &hidden; }()};\n"
              "float *here = table;\n"
              "__host__ __device__ float g(int i) { return table[i] * N; }\n"
              "float4 host(decltype(table) x) {\n"
              "  x[N - 1] = sizeof(table) + both + *TABLE + [] { return table[0]; }();\n"
              "  return *a::v;\n"
              "}\n"),
      Device + "#define TABLE  ::cupel::emu::named((table))\n"
               "static int *const ints[sizeof(int[N]) + size( ::cupel::emu::named((table)))] = {[] "
               "{ return & ::cupel::emu::namedAtStart((hidden)); }()};\n"
               "float *here =  ::cupel::emu::namedAtStart((table));\n"
               "__host__ __device__ float g(int i) { return  ::cupel::emu::named((table))[i] * "
               "N; }\n"
               "float4 host(decltype(table) x) {\n"
               "  x[N - 1] = sizeof(table) + both + *TABLE + [] { return  "
               "::cupel::emu::named((table))[0]; }();\n"
               "  return  ::cupel::emu::whole(* ::cupel::emu::named((a::v)));\n"
               "}\n"
               "\nstatic const bool cupelConstants = "
               "::cupel::emu::markConstants({\"(anonymous namespace)::hidden\", \"table\"});\n");
}

// A macro's body is edited once, so it cannot become two instructions.
TEST_F(RewriteTest, PtxThatAMacrosArgumentChooses) {
  std::string Macro = "#define OP(NAME) asm(NAME \".u32 %0, %0, %1;\" : \"+r\"(d) : \"r\"(a))\n"
                      "__device__ unsigned f(unsigned d, unsigned a) {\n"
                      "  OP(\"add\");\n";
  EXPECT_NE(rewrite(Macro + "  OP(\"add\");\n  return d;\n}\n").find("::ptx::add_"),
            std::string::npos);
  EXPECT_NE(rewrite(Macro + "  OP(\"sub\");\n  return d;\n}\n")
                .find("4:3: not emulated: inline PTX that differs with a macro's argument"),
            std::string::npos);
}

TEST_F(RewriteTest, LaunchInAMacrosArgument) {
  EXPECT_EQ(rewrite("template <class T> __global__ void k(T *x) { ++*x; }\n"
                    "#define BOTH(...) \\\n"
                    "  { using T = float; __VA_ARGS__; } { using T = int; __VA_ARGS__; }\n"
                    "void run(void *x) { BOTH(k<T><<<1, 32>>>((T *)x)) }\n"),
            "template <class T> __global__ void k(T *x) { ++*x; }\n"
            "#define BOTH(...) \\\n"
            "  { using T = float; __VA_ARGS__; } { using T = int; __VA_ARGS__; }\n"
            "void run(void *x) { BOTH(" +
                launcher("k", 4, "Never") + "k<T>)(1, 32)((T *)x)) }\n");
}

TEST_F(RewriteTest, OneMacroForSeveralKernels) {
  std::string Text = rewrite("__global__ void a(float *x) { *x = 1; }\n"
                             "__global__ void b(float *x) { __syncwarp(); }\n"
                             "#define RUN(kernel) kernel<<<1, 32>>>(x)\n"
                             "void run(float *x) { RUN(a);\n RUN(b); }\n");
  EXPECT_NE(Text.find("#define RUN(kernel) ::cupel::emu::launcher(::cupel::emu::Site{nullptr, "
                      "__LINE__, ::cupel::emu::Waits::Barriers}, kernel)(1, 32)(x)\n"),
            std::string::npos)
      << Text;
}

TEST_F(RewriteTest, DeducedAndOverloadedKernelsAreCalled) {
  std::string Text = rewrite("template <class T> __global__ void k(T *x) { *x = 1; }\n"
                             "void run(float *x) { k<<<1, 32>>>(x); }\n");
  EXPECT_NE(Text.find("[&](auto &&...cupelArgument) { k(cupelArgument...); })(1, 32)(x); }"),
            std::string::npos)
      << Text;
}

// A plain launch has the function's address, whose symbol is its name; a deduced one has the name
// that the parse knows.
TEST_F(RewriteTest, DeducedKernelsHaveTheNameOfTheirInstance) {
  std::string Text =
      rewrite("struct Max {}; struct Sum {};\n"
              "template <class T, class F> __global__ void k(T *x, F f) { *x = 1; }\n"
              "void run(float *x) { k<<<1, 32>>>(x, Max()); k<<<1, 32>>>(x, Sum()); }\n"
              "template <class F> void any(float *x, F f) { k<<<1, 32>>>(x, f); }\n");
  for (const char *Part :
       {"Never, 0, \"_Z1kIf3MaxEvPT_T0_\"}, ", "Never, 0, \"_Z1kIf3SumEvPT_T0_\"}, ",
        "any(float *x, F f) { ::cupel::emu::launcher(::cupel::emu::Site{\"k\", 4, "
        "::cupel::emu::Waits::Never}, "})
    EXPECT_NE(Text.find(Part), std::string::npos) << Part << " in\n" << Text;
}

TEST_F(RewriteTest, LaunchBounds) {
  std::string Text =
      rewrite("constexpr int Most = 128;\n"
              "__global__ void __launch_bounds__(Most, 2) a() {}\n"
              "template <int N> __global__ void __launch_bounds__(N) b() {}\n"
              "template <int N> void any() { b<N><<<1, N>>>(); }\n"
              "void run() { a<<<1, 32>>>(); b<64><<<1, 64>>>(); any<512>(); any<256>(); }\n"
              "void *pointer() { return (void *)a; }\n");
  for (const char *Part : {"Site{\"a\", 5, ::cupel::emu::Waits::Never, 128}, ",
                           "Site{\"b\", 5, ::cupel::emu::Waits::Never, 64}, ",
                           "Site{\"b\", 4, ::cupel::emu::Waits::Never, 512}, ",
                           "Site{\"a\", 2, ::cupel::emu::Waits::Never, 128}, a)"})
    EXPECT_NE(Text.find(Part), std::string::npos) << Part << " in\n" << Text;
}

// Copies of objects through pointers, by whatever spelling; scalars and variables stay.
TEST_F(RewriteTest, CopiesOfWholeObjects) {
  EXPECT_EQ(rewrite("#define F4(p) (reinterpret_cast<float4 *>(&(p))[0])\n"
                    "struct Pack { float v[8]; };\n"
                    "__device__ void f(float *x, float4 *y, const Pack *p, int i) {\n"
                    "  float4 a = *reinterpret_cast<float4 *>(x + 1), b[2] = {y[0], a};\n"
                    "  F4(x[i]) = F4(x[0]);\n"
                    "  y[i] = i?b[1]:*y;\n"
                    "  x[0] = *x + y->x + p[1].v[i]; b[0] = a;\n"
                    "}\n"
                    "template <class T, class V> __device__ V g(T *x, V *y, int i) {\n"
                    "  V v = reinterpret_cast<const V *>(x)[i];\n"
                    "  V &r = *y; y[i] = v; return *y;\n"
                    "}\n"),
            "#define F4(p) ( ::cupel::emu::whole(reinterpret_cast<float4 *>(&(p))[0]))\n"
            "struct Pack { float v[8]; };\n"
            "__device__ void f(float *x, float4 *y, const Pack *p, int i) {\n"
            "  float4 a =  ::cupel::emu::whole(*reinterpret_cast<float4 *>(x + 1)), "
            "b[2] = { ::cupel::emu::whole(y[0]), a};\n"
            "  F4(x[i]) = F4(x[0]);\n"
            "   ::cupel::emu::whole(y[i]) = i?b[1]: ::cupel::emu::whole(*y);\n"
            "  x[0] = *x + y->x + p[1].v[i]; b[0] = a;\n"
            "}\n"
            "template <class T, class V> __device__ V g(T *x, V *y, int i) {\n"
            "  V v =  ::cupel::emu::whole(reinterpret_cast<const V *>(x)[i]);\n"
            "  V &r = *y;  ::cupel::emu::whole(y[i]) = v; return  ::cupel::emu::whole(*y);\n"
            "}\n");
}

TEST_F(RewriteTest, SharedVariables) {
  EXPECT_EQ(rewrite("template <int N> __global__ void k() {\n"
                    "  static __shared__ float a[N][4], b;\n"
                    "  extern __shared__ char s[];\n"
                    "  a[0][0] = b; s[0] = 0;\n}\n"
                    "void run() { k<4><<<1, 1>>>(); }\n"),
            "template <int N> __global__ void k() {\n"
            "   __shared__ float (&a)[N][4] = ::cupel::emu::sharedVariable<decltype(a), "
            "decltype([] {})>(\"a\"), (&b) = ::cupel::emu::sharedVariable<decltype(b), "
            "decltype([] {})>(\"b\");\n"
            "   __shared__ char (&s)[] = ::cupel::emu::dynamicShared<decltype(s)>();\n"
            "  a[0][0] = b; s[0] = 0;\n}\n"
            "void run() { " +
                launcher("k", 6, "Never") + "k<4>)(1, 1)(); }\n");
}

TEST_F(RewriteTest, SharedVariableBehindItsMacro) {
  EXPECT_EQ(rewrite("__global__ void k() { __shared__ float a[4]; a[0] = 1; }\n"
                    "#define ROOM(type, name) __shared__ type name[32]\n"
                    "__global__ void l() { ROOM(float, b); ROOM(int, c); b[0] = c[0]; }\n"),
            "__global__ void k() { __shared__ float (&a)[4] = "
            "::cupel::emu::sharedVariable<decltype(a), decltype([] {})>(\"a\"); a[0] = 1; }\n"
            "#define ROOM(type, name) __shared__ type (&name)[32] = "
            "::cupel::emu::sharedVariable<decltype(name), decltype([] {})>(\"name\")\n"
            "__global__ void l() { ROOM(float, b); ROOM(int, c); b[0] = c[0]; }\n");
}

TEST_F(RewriteTest, SharedVariableOfANamespace) {
  EXPECT_EQ(rewrite("extern __shared__ float s[];\n"
                    "__global__ void k() { s[1] = 2; }\n"),
            "extern __shared__ float s[];\n"
            "__global__ void k() { ::cupel::emu::dynamicShared<decltype((s))>()[1] = 2; }\n");
}

TEST_F(RewriteTest, AddressOfAKernel) {
  EXPECT_EQ(rewrite("__global__ void k(int *x) { *x = 1; }\n"
                    "void run(void **a) {\n"
                    "  cudaLaunchKernel((void *)k, 1, 2, a, 0, 0);\n}\n"),
            "__global__ void k(int *x) { *x = 1; }\n"
            "void run(void **a) {\n"
            "  cudaLaunchKernel((void *)::cupel::emu::registered(::cupel::emu::Site{\"k\", 1, "
            "::cupel::emu::Waits::Never}, k), 1, 2, a, 0, 0);\n}\n");
}

TEST_F(RewriteTest, WhatWaits) {
  auto WaitOf = [&](const std::string &Body) {
    std::string Text = rewrite("__device__ int flag; __device__ void inner() { __syncthreads(); }\n"
                               "__global__ void k(int *x, int n) { " +
                               Body +
                               " }\n"
                               "void run(int *x) { k<<<1, 32>>>(x, 1); }\n");
    for (const char *Wait : {"Never", "Barriers", "Anything"})
      if (Text.find(std::string("Waits::") + Wait) != std::string::npos)
        return std::string(Wait);
    return Text;
  };
  EXPECT_EQ(WaitOf("for (int i = threadIdx.x; i < n; i += 32) atomicAdd(x + i, 1);"), "Never");
  EXPECT_EQ(WaitOf("int o = *x, a; do { a = o; o = atomicCAS(x, a, a + 1); } while (a != o);"),
            "Never");
  EXPECT_EQ(WaitOf("for (int i = 0; i < n; ++i) atomicCAS(x + i, 0, n);"), "Never");
  EXPECT_EQ(WaitOf("if (atomicCAS(x, 0, 1) == 0) x[1] = n;"), "Never");
  EXPECT_EQ(WaitOf("inner();"), "Barriers");
  EXPECT_EQ(WaitOf("*x = __shfl_down_sync(~0u, *x, 1);"), "Barriers");
  EXPECT_EQ(WaitOf("while (atomicAdd(&flag, 0) == 0) ;"), "Anything");
  EXPECT_EQ(WaitOf("volatile int *f = x; while (*f == 0) ;"), "Anything");
  EXPECT_EQ(WaitOf("int v; do { v = atomicAdd(x, 0); } while (v < n);"), "Anything");
  EXPECT_EQ(WaitOf("int o; do { o = atomicCAS(&flag, 0, 1); } while (o != 0);"), "Anything");
  EXPECT_EQ(WaitOf("bool done = false; while (!done) if (atomicCAS(&flag, 0, 1) == 0) {"
                   " ++*x; atomicExch(&flag, 0); done = true; }"),
            "Anything");
}

TEST_F(RewriteTest, TheRunTimeIsOutOfReach) {
  auto Refused = [&](llvm::StringRef Source) {
    return llvm::StringRef(rewrite(Source)).starts_with("not-emulated: ");
  };
  EXPECT_TRUE(
      Refused("extern \"C\" void cupelEmulateReset(void); void f() { cupelEmulateReset(); }\n"));
  EXPECT_TRUE(Refused("namespace cupel::emu { void reset(); }\n"));
  EXPECT_TRUE(Refused("extern \"C\" void __cupel_load4(unsigned long) {}\n"));
  EXPECT_TRUE(Refused("__attribute__((no_sanitize(\"address\"))) __device__ void f() {}\n"));
  EXPECT_FALSE(Refused("__device__ void couple() {}\n"));
}

// A condition on them must choose for the emulation's compiler what it chose for the parse.
TEST_F(RewriteTest, VersionsOfTheBuildingCompilers) {
  auto Whole = [&](llvm::StringRef Source) {
    return llvm::cantFail(rewriteForEmulation(parse(Source.str())));
  };
  EXPECT_EQ(
      Whole("#if __GNUC__ > 8\nvoid f() {}\n#endif\n").find("#undef __GNUC__\n#define __GNUC__ "),
      0u);
  EXPECT_EQ(Whole("#include <cuda.h>\n#ifdef __CUDACC_VER_MAJOR__\n#endif\n")
                .find("#define __CUDACC_VER_MAJOR__ "),
            0u);
  EXPECT_EQ(Whole("void f() {}\n").find("__GNUC__"), std::string::npos);
}

// The text is built once, as the device reads it.
TEST_F(RewriteTest, WhatTheHostReadsOtherwise) {
  auto Refused = [&](const std::string &Source) {
    const std::string All = rewrite(Source);
    llvm::StringRef Rest = All;
    std::string Names;
    while (Rest.consume_front("not-emulated: ")) {
      auto [Line, Next] = Rest.split('\n');
      EXPECT_TRUE(Line.contains("runs on the host, for which __CUDA_ARCH__ gives it another text"))
          << Line.str();
      Names += (Names.empty() ? "" : " ") + Line.split('\'').second.split('\'').first.str();
      Rest = Next;
    }
    EXPECT_TRUE(Rest.empty() || Names.empty()) << Rest.str();
    return Names;
  };
  const std::string Pick = "__host__ __device__ int pick() {\n"
                           "#ifdef __CUDA_ARCH__\n"
                           "  return threadIdx.x;\n"
                           "#else\n"
                           "  return 256;\n"
                           "#endif\n"
                           "}\n";
  const std::string Kernel = "__global__ void k(int *x) { *x = pick(); }\n";
  EXPECT_EQ(Refused(Pick + Kernel + "void f(int *x) { k<<<1, pick()>>>(x); }\n"), "pick");
  EXPECT_EQ(Refused(Pick + "inline __host__ __device__ int twice() { return 2 * pick(); }\n"
                           "template <class T> T any() { return twice(); }\n"
                           "int f() { return any<int>(); }\n"),
            "pick");
  EXPECT_EQ(Refused(Pick + "const int size = pick();\n"), "pick");
  EXPECT_EQ(Refused(Pick + "int f() { auto g = [] { return pick(); }; return g(); }\n"), "pick");
  // Members, what is made when an object is, and templates by their instances.
  EXPECT_EQ(Refused("struct S {\n"
                    "  int n;\n"
                    "  __host__ __device__ S() {\n"
                    "#ifdef __CUDA_ARCH__\n"
                    "    n = 1;\n"
                    "#endif\n"
                    "  }\n"
                    "  template <class T> __host__ __device__ T get() {\n"
                    "#ifdef __CUDA_ARCH__\n"
                    "    return n;\n"
                    "#else\n"
                    "    return T();\n"
                    "#endif\n"
                    "  }\n"
                    "};\n"
                    "int f() { return S().get<int>(); }\n"),
            "get S");
  // Functions of the host alone, their macros and constants.
  EXPECT_EQ(Refused("#ifdef __CUDA_ARCH__\n#define N 1\nconstexpr int M = 1;\n"
                    "#else\n#define N 2\nconstexpr int M = 2;\n#endif\n"
                    "__global__ void k(int *x) { *x = N + M; }\n"
                    "int f() { return N; }\nint g() { return M; }\n"),
            "f M");
  EXPECT_EQ(Refused("#ifndef __CUDA_ARCH__\nint f() { return 1; }\n#endif\n"), "f");

  // What runs on the device alone may differ, and so may what the host does not call.
  EXPECT_EQ(Refused(Pick + Kernel + "void f(int *x) { k<<<1, 32>>>(x); }\n"), "");
  EXPECT_EQ(Refused("__device__ int pick() {\n"
                    "#if __CUDA_ARCH__ >= 800\n  return 1;\n#else\n  return 2;\n#endif\n}\n" +
                    Kernel + "void f(int *x) { k<<<1, 32>>>(x); }\n"),
            "");
  EXPECT_EQ(Refused("__host__ __device__ int one() { return 1; }\n" + Pick + Kernel +
                    "int f() { return one(); }\n"),
            "");
  EXPECT_EQ(Refused("#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800\n"
                    "__host__ __device__ int pick() { return 1; }\n#endif\n"
                    "int f() { return pick(); }\n"),
            "");
  EXPECT_EQ(Refused("template <class F> __global__ void k(F f) { f(); }\n"
                    "void f(int *x) {\n"
                    "  k<<<1, 1>>>([=] __device__ {\n"
                    "#ifdef __CUDA_ARCH__\n    *x = 1;\n#endif\n  });\n}\n"),
            "");
}

TEST_F(RewriteTest, WhatIsNotEmulated) {
  EXPECT_EQ(rewrite("__global__ void k(cudaTextureObject_t t, float *x) {\n"
                    "  *x = tex1Dfetch<float>(t, 0);\n}\n"),
            "not-emulated: " + path("submission.cu") +
                ":2:8: not emulated: a texture ('tex1Dfetch')\n");
}

} // namespace
