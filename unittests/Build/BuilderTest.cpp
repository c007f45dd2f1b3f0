//===- BuilderTest.cpp - ways to fail, fall back and be cached ---------------===//

#include "FakeTools.h"
#include "gtest/gtest.h"
#include <thread>

using namespace cupel;
using namespace cupel::test;

static BuildRecord build(BuildRequest Request) {
  llvm::Expected<BuildRecord> R = buildSubmission(std::move(Request));
  if (R)
    return *R;
  ADD_FAILURE() << llvm::toString(R.takeError());
  return {};
}

static std::string errorOf(BuildRequest Request) {
  llvm::Expected<BuildRecord> R = buildSubmission(std::move(Request));
  if (R)
    return "no error";
  std::vector<Reason> Reasons = takeReasons(R.takeError());
  return Reasons.front().Code + ": " + Reasons.front().Text;
}

static std::string reasonOf(const BuildRecord &R) {
  return R.Reasons.empty() ? "none" : R.Reasons.front().Code;
}

/// The state, the code of the first reason and how many strategies were left.
static std::string summary(const BuildRecord &R) {
  return (toString(R.State) + " " + reasonOf(R) + " " + R.Strategy + " " +
          std::to_string(R.Attempts.size()))
      .str();
}

//===----------------------------------------------------------------------===//
// Success and the cache
//===----------------------------------------------------------------------===//

TEST(Builder, BuildsOnceAndFindsItAgain) {
  FakeTools Tools;
  Tools.nvcc("echo run >> \"$0.runs\"\n"
             "echo \"ptxas info    : Compiling entry function '_Z1kv' for 'sm_90a'\" >&2\n"
             "echo 'ptxas info    : Used 7 registers' >&2\n"
             "echo 'submission.cu(2): warning #1-D: careful' >&2\n" +
             FakeTools::succeed());
  BuildRecord First = build(Tools.request());
  EXPECT_EQ(summary(First), "built none nvcc-slim 0");
  ASSERT_EQ(First.Kernels.size(), 1u);
  EXPECT_EQ(First.Kernels[0].Registers, 7u);
  ASSERT_EQ(First.Diagnostics.size(), 1u);
  EXPECT_EQ(First.Diagnostics[0].Place.File, "user/relu.cu");
  EXPECT_TRUE(llvm::sys::fs::exists(First.Library));

  BuildRequest Again = Tools.request();
  Again.File = "other/name.cu";
  BuildRecord Second = build(Again);
  EXPECT_EQ(Second.State, BuildState::Cached);
  EXPECT_EQ(Second.Library, First.Library);
  EXPECT_EQ(Second.Kernels.size(), 1u);
  EXPECT_EQ(Second.Diagnostics[0].Place.File, "other/name.cu");
  EXPECT_EQ(Tools.read("nvcc.runs"), "run\n");
}

TEST(Builder, EverythingThatMattersChangesTheKey) {
  FakeTools Tools;
  std::string Key = build(Tools.request()).Key;
  auto Changed = [&](llvm::function_ref<void(BuildRequest &)> Change) {
    BuildRequest R = Tools.request();
    Change(R);
    return build(R).Key != Key;
  };
  EXPECT_FALSE(Changed([](BuildRequest &R) { R.File = "b.cu"; }));
  EXPECT_TRUE(Changed([](BuildRequest &R) { R.Source += " "; }));
  EXPECT_TRUE(Changed([](BuildRequest &R) { R.Architectures = {"sm_80"}; }));
  EXPECT_TRUE(Changed([](BuildRequest &R) { R.Architectures = {"sm_90a", "sm_80"}; }));
  EXPECT_TRUE(Changed([](BuildRequest &R) { R.Entries = {tensorEntry("other")}; }));
  EXPECT_TRUE(Changed([](BuildRequest &R) { R.Tools.TorchVersion = "2.12.0"; }));
  EXPECT_TRUE(Changed([](BuildRequest &R) { R.Strategies = {"nvcc-full"}; }));
  EXPECT_TRUE(Changed([&](BuildRequest &) { Tools.write("share/shadow/torch/new.h", "x"); }));
  EXPECT_TRUE(Changed([&](BuildRequest &) { Tools.nvcc("#\n" + FakeTools::succeed()); }));
}

TEST(Builder, DamagedEntryIsMadeAnew) {
  FakeTools Tools;
  BuildRecord First = build(Tools.request());
  llvm::cantFail(writeFileAtomically(First.Library, "half"));
  EXPECT_EQ(build(Tools.request()).State, BuildState::Built);
  EXPECT_EQ(build(Tools.request()).LibraryHash, First.LibraryHash);
  // The size alone would not tell.
  llvm::cantFail(writeFileAtomically(First.Library, "MADE\n"));
  EXPECT_EQ(build(Tools.request()).State, BuildState::Built);
  EXPECT_EQ(llvm::cantFail(readFile(First.Library)), "made\n");
  llvm::sys::fs::remove(First.Library);
  EXPECT_EQ(build(Tools.request()).State, BuildState::Built);
  EXPECT_EQ(build(Tools.request()).State, BuildState::Cached);
}

TEST(Builder, ManyAtOnceCompileOnce) {
  FakeTools Tools;
  Tools.nvcc("echo run >> \"$0.runs\"\nsleep 0.2\n" + FakeTools::succeed());
  std::vector<std::thread> Threads;
  std::vector<BuildRecord> Records(4);
  for (BuildRecord &R : Records)
    Threads.emplace_back([&Tools, &R] { R = build(Tools.request()); });
  for (std::thread &T : Threads)
    T.join();
  EXPECT_EQ(Tools.read("nvcc.runs"), "run\n");
  for (const BuildRecord &R : Records)
    EXPECT_EQ(R.Library, Records[0].Library);
}

TEST(Builder, NothingOfTheEnvironmentReachesTheCompiler) {
  FakeTools Tools;
  Tools.nvcc("env > \"$0.env\"\n" + FakeTools::succeed());
  setenv("NVCC_APPEND_FLAGS", "-DEVIL", 1);
  setenv("CPATH", "/evil", 1);
  build(Tools.request());
  unsetenv("NVCC_APPEND_FLAGS");
  unsetenv("CPATH");
  EXPECT_FALSE(llvm::StringRef(Tools.read("nvcc.env")).contains_insensitive("evil"));
}

//===----------------------------------------------------------------------===//
// Falling back
//===----------------------------------------------------------------------===//

TEST(Builder, CompileErrorWithSlimHeadersTriesTheFullOnes) {
  FakeTools Tools;
  Tools.nvcc("case \"$*\" in */shadow*) echo 'submission.cu(1): error: no member' >&2; exit 1;; "
             "esac\n" +
             FakeTools::succeed());
  BuildRecord R = build(Tools.request());
  EXPECT_EQ(summary(R), "built none nvcc-full 1");
  EXPECT_EQ(R.Attempts[0].Strategy, "nvcc-slim");
  EXPECT_EQ(R.Attempts[0].Reason, "compile-error: user/relu.cu:1: no member");
  EXPECT_GT(R.Attempts[0].Seconds, 0);
  EXPECT_TRUE(R.Diagnostics.empty()); // Of the attempt that counts.
}

TEST(Builder, AFullDiskIsNoErrorOfTheSubmission) {
  FakeTools Tools;
  Tools.script("g++", "case \"$*\" in *-shared*) echo 'ld: final close failed: No space left on "
                      "device' >&2; exit 1;; esac\n" +
                          FakeTools::succeed());
  BuildRecord R = build(Tools.request());
  EXPECT_EQ(summary(R), "failed disk-full nvcc-slim 0");
  EXPECT_NE(R.Reasons[0].Text.find("CUPEL_CACHE_DIR"), std::string::npos) << R.Reasons[0].Text;
}

TEST(Builder, CompileErrorWithBothShowsTheLast) {
  FakeTools Tools;
  Tools.nvcc("case \"$*\" in */shadow*) echo 'submission.cu(1): error: slim' >&2;; "
             "*) echo 'submission.cu(2): error: full' >&2;; esac; exit 2\n");
  BuildRecord R = build(Tools.request());
  EXPECT_EQ(summary(R), "failed compile-error nvcc-full 2");
  EXPECT_EQ(R.Reasons[0].Text, "user/relu.cu:2: full");
  ASSERT_EQ(R.Diagnostics.size(), 1u);
  EXPECT_EQ(R.Diagnostics[0].Message, "full");
  EXPECT_TRUE(R.Library.empty());
}

TEST(Builder, WhatNoCompilerTakesIsNotCompiled) {
  FakeTools Tools;
  Tools.nvcc("echo run >> \"$0.runs\"\n" + FakeTools::succeed());
  BuildRequest Request = Tools.request();
  Request.Entries.clear(); // Lost in the error.
  Request.Errors = {{{"user/relu.cu", 2, 6}, "unknown type name 'flaot'", true}};
  BuildRecord R = build(Request);
  EXPECT_EQ(summary(R), "failed compile-error  0");
  EXPECT_EQ(R.Reasons[0].Text, "user/relu.cu:2:6: unknown type name 'flaot'");
  ASSERT_EQ(R.Diagnostics.size(), 1u);
  EXPECT_EQ(R.Diagnostics[0].Place.Column, 6u);
  EXPECT_FALSE(llvm::sys::fs::exists(Tools.path("nvcc.runs")));
}

TEST(Builder, NvccSaysWhetherTheEntryWasLostInAnError) {
  FakeTools Tools;
  Tools.nvcc("echo 'submission.cu(1): error: expected a declaration' >&2; exit 1\n");
  BuildRequest Request = Tools.request();
  Request.Entries.clear();
  Request.Errors = {{{"user/relu.cu", 2, 6}, "expected unqualified-id", false}};
  BuildRecord R = build(Request);
  EXPECT_EQ(summary(R), "failed compile-error nvcc-full 2");
  EXPECT_EQ(R.Reasons[0].Text, "user/relu.cu:1: expected a declaration");
  // Clang is the one that cannot read it: nobody is to blame.
  Tools.nvcc(FakeTools::succeed());
  R = build(Request);
  EXPECT_EQ(summary(R), "skipped no-entry nvcc-slim 0");
  EXPECT_NE(R.Reasons[0].Text.find("user/relu.cu:2:6: expected unqualified-id"), std::string::npos);
  EXPECT_TRUE(R.Library.empty());
}

TEST(Builder, WhatClangFoundWithAllHeadersIsNotCompiledWithThem) {
  FakeTools Tools;
  Tools.nvcc("case \"$*\" in */shadow*) echo 'submission.cu(2): error: no instance' >&2; exit 1;; "
             "esac\n" +
             FakeTools::succeed());
  BuildRequest Request = Tools.request();
  Request.Errors = {{{"user/relu.cu", 2, 6}, "no matching function", false}};
  BuildRecord R = build(Request);
  EXPECT_EQ(summary(R), "failed compile-error nvcc-slim 1");
  EXPECT_EQ(R.Reasons[0].Text, "user/relu.cu:2: no instance");
  // Of another line it says nothing.
  Request.Errors = {{{"user/relu.cu", 1, 6}, "no matching function", false}};
  EXPECT_EQ(summary(build(Request)), "built none nvcc-full 1");
}

TEST(Builder, FailuresAreNotCached) {
  FakeTools Tools;
  Tools.nvcc("exit 1\n");
  EXPECT_EQ(build(Tools.request()).State, BuildState::Failed);
  // The same time of modification and size, so the same key.
  EXPECT_TRUE(Tools.request().Cache.list().size() <= 1); // The adapter's object at most.
  EXPECT_EQ(build(Tools.request()).State, BuildState::Failed);
}

TEST(Builder, PtxasErrorsDoNotComeFromHeaders) {
  FakeTools Tools;
  Tools.nvcc("echo \"ptxas error   : Entry function '_Z1kPf' uses too much shared data "
             "(0x61a80 bytes, 0xc000 max)\" >&2; exit 255\n");
  BuildRecord R = build(Tools.request());
  EXPECT_EQ(summary(R), "failed compile-error nvcc-slim 1");
  EXPECT_EQ(
      R.Reasons[0].Text,
      "ptxas: Entry function 'k(float*)' uses too much shared data (0x61a80 bytes, 0xc000 max)");
}

TEST(Builder, StrategyThatCannotBeUsedIsLogged) {
  FakeTools Tools;
  BuildRequest R = Tools.request();
  llvm::sys::fs::remove_directories(Tools.path("share/shadow"));
  EXPECT_EQ(summary(build(R)), "built none nvcc-full 1");
  R.Source += "int c;\n";
  R.Tools.PythonInclude.clear();
  BuildRecord None = build(R);
  EXPECT_EQ(summary(None), "failed build-no-strategy  2");
  EXPECT_NE(None.Attempts[1].Reason.find("Python.h"), std::string::npos);
}

//===----------------------------------------------------------------------===//
// nvcc's steps side by side
//===----------------------------------------------------------------------===//

/// Each step is echo to a log; the listing has the form of nvcc 13.0.
static std::string listing(const std::string &Folder) {
  auto Step = [&](const std::string &Name, const std::string &Rest) {
    return "#$ \"" + Folder + "/step\" " + Name + " " + Rest + "\n";
  };
  return "cat >&2 <<'END'\n#$ CICC_PATH=/somewhere\n#$ INCLUDES=\"-I/x\"  \n#$ PTXAS_FLAGS=\n" +
         Step("cpp4", "-E in") +
         Step("cudafe++", "--gen_module_id_file --module_id_file_name \"" + Folder + "/id\" x") +
         Step("cpp1", "-E in") +
         Step("cicc", "\"$CICC_PATH/cicc\" --module_id_file_name \"" + Folder + "/id\"") +
         Step("ptxas", "ptxas x") + Step("fatbinary", "fatbinary x") + "#$ rm x\n" +
         Step("cc", "-c in -o submission.o") + "END\nexit 0\n";
}

static void planTools(FakeTools &Tools, const std::string &Step) {
  Tools.script("step", "echo \"$*\" >> \"$0.log\"\n" + Step);
  Tools.script("nvcc", listing(llvm::StringRef(Tools.path("")).rtrim('/').str()));
}

TEST(Builder, StepsSideBySide) {
  FakeTools Tools;
  planTools(Tools,
            "[ $1 != cpp4 ] || sleep 0.3\n[ $1 != ptxas ] || echo 'ptxas info    : Compiling "
            "entry function '\"'_Z1kv' for 'sm_90a'\" >&2\n");
  BuildRecord R = build(Tools.request());
  EXPECT_EQ(summary(R), "built none nvcc-slim 0");
  EXPECT_EQ(R.Kernels.size(), 1u);
  std::string Log = Tools.read("step.log");
  // The device half is done before the host half is half done, and the last step is the last.
  EXPECT_LT(Log.find("fatbinary"), Log.find("cudafe++")) << Log;
  EXPECT_LT(Log.find("cudafe++"), Log.find("cc -c")) << Log;
  EXPECT_EQ(Log.find("--gen_module_id_file"), std::string::npos);
  EXPECT_NE(Log.find("cicc /somewhere/cicc"), std::string::npos) << Log;
  EXPECT_TRUE(llvm::StringRef(Tools.read("id")).contains("_13_submission_cu_"));
}

TEST(Builder, StepsThatFail) {
  FakeTools Tools;
  planTools(Tools, "[ $1 != cudafe++ ] || { echo 'submission.cu(2): error: no' >&2; exit 2; }\n");
  BuildRecord R = build(Tools.request());
  EXPECT_EQ(summary(R), "failed compile-error nvcc-full 2");
  EXPECT_EQ(R.Reasons[0].Text, "user/relu.cu:2: no");
  planTools(Tools, "[ $1 != cicc ] || kill -SEGV $$\n");
  EXPECT_EQ(summary(build(Tools.request())), "failed nvcc-crashed nvcc-slim 1");
  planTools(Tools, "[ $1 != cc ] || kill -KILL $$\n");
  EXPECT_EQ(summary(build(Tools.request())), "failed build-memory nvcc-slim 1");
  planTools(Tools, "[ $1 != ptxas ] || { echo 'ptxas error   : too much' >&2; exit 255; }\n");
  EXPECT_EQ(summary(build(Tools.request())), "failed compile-error nvcc-slim 1");
}

TEST(Builder, UnknownStepsAreLeftToNvcc) {
  FakeTools Tools;
  Tools.script("nvcc", "case \"$*\" in *--dryrun*) echo '#$ newtool -E x' >&2; exit 0;; esac\n"
                       "echo run >> \"$0.runs\"\n" +
                           FakeTools::succeed());
  EXPECT_EQ(summary(build(Tools.request())), "built none nvcc-slim 0");
  EXPECT_EQ(Tools.read("nvcc.runs"), "run\n");
}

//===----------------------------------------------------------------------===//
// Failing
//===----------------------------------------------------------------------===//

TEST(Builder, Timeout) {
  FakeTools Tools;
  Tools.nvcc("sleep 100\n");
  BuildRequest R = Tools.request();
  R.Limits.TimeoutSeconds = 0.5;
  BuildRecord Record = build(R);
  EXPECT_EQ(summary(Record), "failed build-timeout nvcc-slim 1");
  EXPECT_LT(Record.Seconds, 20);
  EXPECT_NE(Record.Reasons[0].Text.find("its limit of 500 ms"), std::string::npos)
      << Record.Reasons[0].Text;
}

TEST(Builder, Memory) {
  FakeTools Tools;
  Tools.nvcc("head -c 600000000 /dev/zero | tail -n 1 | sleep 20\n");
  BuildRequest R = Tools.request();
  R.Limits.MemoryBytes = 100 << 20;
  EXPECT_EQ(summary(build(R)), "failed build-memory nvcc-slim 1");
  // What the kernel killed, or the compiler gave up on, is told by text only.
  Tools.nvcc("echo 'c++: fatal error: Killed signal terminated program cc1plus' >&2; exit 1\n");
  EXPECT_EQ(summary(build(Tools.request())), "failed build-memory nvcc-slim 1");
}

TEST(Builder, Processes) {
  FakeTools Tools;
  Tools.nvcc("for i in 1 2 3 4 5 6 7 8 9; do sleep 20 & done; wait\n");
  BuildRequest R = Tools.request();
  R.Limits.MaxProcesses = 4;
  EXPECT_EQ(summary(build(R)), "failed build-processes nvcc-slim 1");
}

TEST(Builder, OutputFlood) {
  FakeTools Tools;
  Tools.nvcc("yes error\n");
  EXPECT_EQ(summary(build(Tools.request())), "failed build-output nvcc-slim 1");
}

TEST(Builder, Crash) {
  FakeTools Tools;
  Tools.nvcc("kill -SEGV $$\n");
  EXPECT_EQ(summary(build(Tools.request())), "failed nvcc-crashed nvcc-slim 1");
  Tools.nvcc("echo \"nvcc error   : 'cicc' died due to signal 11 (Invalid memory "
             "reference)\" >&2; exit 11\n");
  EXPECT_EQ(summary(build(Tools.request())), "failed nvcc-crashed nvcc-slim 1");
}

TEST(Builder, LinkError) {
  FakeTools Tools;
  Tools.script("g++", "case \"$*\" in *-shared*) echo 'x.cpp:(.text+0x38): undefined reference to "
                      "`cublasSgemm_v2'\"'\" >&2; exit 1;; esac\n" +
                          FakeTools::succeed());
  BuildRecord R = build(Tools.request());
  EXPECT_EQ(summary(R), "failed link-error nvcc-slim 0");
  EXPECT_EQ(R.Reasons[0].Text,
            "undefined reference to `cublasSgemm_v2'; the problem's policy does not "
            "allow the library cublas");
}

TEST(Builder, WhatTheSubmissionDeclaresAndDoesNotDefine) {
  FakeTools Tools;
  Tools.script("g++", "case \"$*\" in *-shared*) echo 'x.o:(.text+0x38): undefined reference to "
                      "`_Z4restPf'\"'\" >&2; exit 1;; esac\n" +
                          FakeTools::succeed());
  BuildRequest Request = Tools.request();
  Request.Symbols = [] {
    return std::vector<SourceSymbol>{{"_Z4restPf", {"user/relu.cu", 2, 3}, false, true}};
  };
  BuildRecord R = build(Request);
  EXPECT_EQ(summary(R), "failed link-error nvcc-slim 0");
  EXPECT_EQ(R.Reasons[0].Text,
            "user/relu.cu:2:3: undefined reference to `rest(float*)': the submission "
            "declares it and defines it nowhere");
  ASSERT_EQ(R.Diagnostics.size(), 1u);
  EXPECT_EQ(R.Diagnostics[0].Place.Column, 3u);
  // What a header declares may be what is CUDA's.
  Request.Symbols = [] {
    return std::vector<SourceSymbol>{{"_Z4restPf", {"user/relu.cu", 2, 3}, false, false}};
  };
  EXPECT_EQ(build(Request).Reasons[0].Text,
            "user/relu.cu:2:3: undefined reference to `rest(float*)'");
}

TEST(Builder, AdapterThatDoesNotCompile) {
  FakeTools Tools;
  Tools.script("g++", "case \"$*\" in *adapter.cpp*) echo broken >&2; exit 1;; esac\n" +
                          FakeTools::succeed());
  EXPECT_EQ(reasonOf(build(Tools.request())), "adapter-error");
}

TEST(Builder, MissingTools) {
  FakeTools Tools;
  BuildRequest R = Tools.request();
  R.Tools.Nvcc.clear();
  BuildRecord Record = build(R);
  EXPECT_EQ(summary(Record), "skipped nvcc-missing  0");
  EXPECT_NE(Record.Reasons[0].Text.find("CUPEL_CUDA_HOME"), std::string::npos);
  R.Tools.Nvcc = Tools.path("absent");
  EXPECT_EQ(reasonOf(build(R)), "nvcc-missing");
  R = Tools.request();
  R.Tools.TorchHome.clear();
  EXPECT_EQ(summary(build(R)), "skipped torch-missing  0");
  R = Tools.request();
  R.Tools.HostCompiler.clear();
  EXPECT_EQ(summary(build(R)), "skipped host-compiler-missing  0");
}

TEST(Builder, Entries) {
  FakeTools Tools;
  BuildRequest R = Tools.request();
  R.Entries.clear();
  EXPECT_EQ(summary(build(R)), "failed entry-missing  0");
  R.Entries = {entry("f", "at::Tensor", ValueKind::Tensor, {{"s", "S", ValueKind::Unsupported}})};
  EXPECT_EQ(summary(build(R)), "failed entry-unsupported  0");
  R.Entries.push_back(tensorEntry("g"));
  BuildRecord Record = build(R);
  EXPECT_EQ(Record.State, BuildState::Built);
  ASSERT_EQ(Record.Diagnostics.size(), 1u);
  EXPECT_EQ(Record.Diagnostics[0].Severity, "warning");
}

TEST(Builder, RequestsThatMakeNoSense) {
  FakeTools Tools;
  BuildRequest R = Tools.request();
  R.Architectures = {"sm_90a -Xcompiler -evil"};
  EXPECT_TRUE(llvm::StringRef(errorOf(R)).starts_with("build-bad-architecture"));
  R.Architectures.clear();
  EXPECT_TRUE(llvm::StringRef(errorOf(R)).starts_with("build-bad-architecture"));
  R = Tools.request();
  R.Libraries = {"cublass"};
  EXPECT_EQ(errorOf(R),
            "build-unknown-library: cupel cannot link the library 'cublass'; did you mean "
            "'cublas'?");
  R.Libraries = {"cusolver"};
  EXPECT_TRUE(llvm::StringRef(errorOf(R)).starts_with("build-library-missing"));
  R = Tools.request();
  R.Strategies = {"nvcc-slin"};
  EXPECT_EQ(errorOf(R),
            "build-unknown-strategy: no way to build is called 'nvcc-slin'; did you mean "
            "'nvcc-slim'?");
}

TEST(Builder, ArchitectureOfACapability) {
  EXPECT_EQ(architectureFor(90), "sm_90a");
  EXPECT_EQ(architectureFor(80), "sm_80");
  EXPECT_EQ(architectureFor(120), "sm_120a");
}
