//===- PrecompiledHeaderTest.cpp - made once, made anew, shared -------------===//

#include "PrecompiledHeader.h"
#include "TestParse.h"
#include "cupel/Frontend/Headers.h"
#include "cupel/Frontend/HostPass.h"
#include <csignal>
#include <sys/resource.h>
#include <thread>

using namespace cupel;

namespace {

class PrecompiledHeaderTest : public ParseFixture {
protected:
  std::string prefix() const { return Options.Tools.ShareDir + "/parse/cupel/prefix-cuda.h"; }

  /// A prefix of its own, small enough to be made in a blink.
  void SetUp() override {
    ParseFixture::SetUp();
    if (IsSkipped())
      return;
    Options.Tools.ShareDir = path("share");
    write("share/parse/cupel/prefix-cuda.h", "#include \"part.h\"\n");
    write("share/parse/cupel/part.h", "int first;\n");
  }

  std::string make() {
    llvm::Expected<std::string> Path =
        precompiledHeader(Options.Tools, {PassKind::Host, HeaderSet::CudaOnly, "sm_90"});
    return Path ? *Path : textOf(Path.takeError());
  }
};

TEST_F(PrecompiledHeaderTest, ChangedHeaderMakesANewOne) {
  std::string First = make();
  EXPECT_EQ(First, make());
  write("share/parse/cupel/part.h", "int second_is_longer;\n");
  forgetPrecompiledHeaders();
  std::string Second = make();
  EXPECT_NE(First, Second);
  ParsedSubmission S = parse("int x = sizeof(second_is_longer);\n");
  EXPECT_EQ(S.State, ParseState::Complete) << messagesOf(S);
}

// glibc expects types of gcc 13 that Clang does not have.
TEST_F(PrecompiledHeaderTest, HeadersAreReadAsByClangAndASubmissionAsByGcc) {
  write("share/parse/cupel/part.h", "enum { VersionInHeaders = __GNUC__ };\n");
  ParsedSubmission S = parse("static_assert(VersionInHeaders == 4);\n"
                             "static_assert(__GNUC__ > 4 && __GNUG__ == __GNUC__);\n");
  EXPECT_EQ(S.State, ParseState::Complete) << messagesOf(S);
}

TEST(VersionOfGcc, IsThatOfTheLibraryInUse) {
  EXPECT_EQ(versionOfGcc({"-internal-isystem",
                          "/usr/lib/gcc/x86_64-linux-gnu/13/../../../../include/c++/13",
                          "-internal-isystem", "/usr/include/c++/12/backward"}),
            "#undef __GNUC__\n#define __GNUC__ 13\n#undef __GNUG__\n#define __GNUG__ 13\n");
  EXPECT_EQ(versionOfGcc({"-O2", "-isystem", "/usr/include/c++/v1"}), "");
}

TEST_F(PrecompiledHeaderTest, ConcurrentMakersShareOne) {
  std::vector<std::string> Paths(4);
  std::vector<std::thread> Threads;
  for (std::string &Path : Paths)
    Threads.emplace_back([&] { Path = make(); });
  for (std::thread &Thread : Threads)
    Thread.join();
  for (const std::string &Path : Paths)
    EXPECT_EQ(Path, Paths.front());
}

TEST_F(PrecompiledHeaderTest, SaysThatItTakesItsTime) {
  std::vector<std::string> Told;
  onPreparingHeaders([&](llvm::StringRef Set) { Told.push_back(Set.str()); });
  make();
  EXPECT_EQ(Told, std::vector<std::string>{"cuda"});
  onPreparingHeaders([&](llvm::StringRef Set) { Told.push_back(Set.str()); });
  forgetPrecompiledHeaders();
  make(); // It is there.
  onPreparingHeaders(nullptr);
  EXPECT_EQ(Told.size(), 1u);
}

TEST_F(PrecompiledHeaderTest, BrokenHeaderIsAnErrorWithItsPlace) {
  write("share/parse/cupel/part.h", "int;\nbroken x;\n");
  std::string Text = make();
  EXPECT_NE(Text.find("frontend-no-pch: "), std::string::npos) << Text;
  EXPECT_NE(Text.find("part.h:2:1: the headers do not parse: unknown type name 'broken'"),
            std::string::npos)
      << Text;
}

/// As on a full disk: what is written beyond a limit is refused.
TEST_F(PrecompiledHeaderTest, ACacheThatTakesNoMoreIsTold) {
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit Before;
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &Before), 0);
  rlimit Small = Before;
  Small.rlim_cur = 1000;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &Small), 0);
  std::string Text = make();
  ::setrlimit(RLIMIT_FSIZE, &Before);
  std::signal(SIGXFSZ, SIG_DFL);
  EXPECT_EQ(Text.substr(0, 17), "cache-unwritable:") << Text;
  EXPECT_NE(Text.find("File too large"), std::string::npos) << Text;
  EXPECT_NE(Text.find("; set CUPEL_CACHE_DIR to"), std::string::npos) << Text;
}

TEST_F(PrecompiledHeaderTest, ACacheThatCannotBeUsedIsToldAtOnce) {
  setenv("CUPEL_CACHE_DIR", path("cache").c_str(), 1);
  write("cache/pch", "no folder");
  std::vector<std::string> Told;
  onPreparingHeaders([&](llvm::StringRef Set) { Told.push_back(Set.str()); });
  std::string Text = make();
  onPreparingHeaders(nullptr);
  EXPECT_EQ(Text.substr(0, 17), "cache-unwritable:") << Text;
  EXPECT_TRUE(Told.empty());
}

} // namespace
