//===- BuildEntryTest.cpp - what a record says was built --------------------===//

#include "cupel/Build/BuildEntry.h"
#include "FakeTools.h"
#include "gtest/gtest.h"

using namespace cupel;
using namespace cupel::test;

namespace {

class BuildEntryTest : public testing::Test {
protected:
  /// The code of checkLibrary's error, or `kept` or `dropped`.
  std::string checked(BuildRecord Changed) {
    std::optional<BuildRecord> Build = std::move(Changed);
    if (llvm::Error E = checkLibrary(Build, Tools.request().Cache, "r.json")) {
      Reason Why = takeReasons(std::move(E)).front();
      EXPECT_TRUE(llvm::StringRef(Why.Text).starts_with("r.json: the ")) << Why.Text;
      return Why.Code;
    }
    return Build ? "kept" : "dropped";
  }

  FakeTools Tools;
  BuildRecord Built = llvm::cantFail(buildSubmission(Tools.request()));
};

TEST_F(BuildEntryTest, TheLibraryThatWasBuiltIsKept) {
  EXPECT_EQ(Built.LibraryHash.size(), 32u);
  EXPECT_EQ(checked(Built), "kept");
  BuildRecord Failed;
  Failed.State = BuildState::Failed;
  EXPECT_EQ(checked(Failed), "kept");
}

TEST_F(BuildEntryTest, AnotherLibraryIsRefused) {
  BuildRecord Other = Built;
  Other.Library = "/etc/passwd";
  EXPECT_EQ(checked(Other), "record-other-library");
  // Neither does the same file outside of the cache count: who may write there is not known.
  Other.Library = Tools.path("copy.so");
  Tools.write("copy.so", llvm::cantFail(readFile(Built.Library)));
  EXPECT_EQ(checked(Other), "record-other-library");
  Other = Built;
  Other.LibraryHash = std::string(32, '0');
  EXPECT_EQ(checked(Other), "record-other-library");
  Other = Built;
  Other.Key = std::string(32, '0');
  EXPECT_EQ(checked(Other), "record-other-library");
}

TEST_F(BuildEntryTest, WhatIsGoneOrDamagedIsBuiltAgain) {
  BuildRecord Older = Built;
  Older.LibraryHash.clear();
  EXPECT_EQ(checked(Older), "dropped");
  std::string Folder = Built.Library.substr(0, Built.Library.rfind('/'));
  llvm::cantFail(writeFileAtomically(Built.Library, "MADE\n")); // As long as before.
  EXPECT_EQ(checked(Built), "dropped");
  EXPECT_FALSE(llvm::sys::fs::exists(Folder));
  EXPECT_EQ(checked(Built), "dropped");
  EXPECT_EQ(llvm::cantFail(buildSubmission(Tools.request())).State, BuildState::Built);
  EXPECT_EQ(checked(Built), "kept");
}

} // namespace
