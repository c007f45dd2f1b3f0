//===- HashTest.cpp - content hashes ----------------------------------------===//

#include "cupel/Support/Hash.h"
#include "TestSupport.h"
#include "cupel/Support/File.h"
#include "gtest/gtest.h"

using namespace cupel;

namespace {

TEST(Hash, FieldsKeepTheirBorders) {
  EXPECT_NE(ContentHasher().add("ab").add("c").hex(), ContentHasher().add("a").add("bc").hex());
  EXPECT_NE(ContentHasher().add("").hex(), ContentHasher().hex());
  EXPECT_EQ(contentHash("x"), ContentHasher().add("x").hex());
  EXPECT_EQ(contentHash("x").size(), 32u);
  // The empty input's BLAKE3 hash begins like this: the reference implementation's test vectors.
  EXPECT_EQ(ContentHasher().hex(), "af1349b9f5f9a1a6a0404dea36dcc949");
}

TEST(Hash, OfAFile) {
  TemporaryDirectory Folder = llvm::cantFail(TemporaryDirectory::create("cupel-test"));
  std::string Path = Folder.path().str() + "/file";
  EXPECT_EQ(errorOf(contentHashOfFile(Path)), "file-missing: " + Path + ": no such file");
  llvm::cantFail(writeFileAtomically(Path, "content"));
  EXPECT_EQ(llvm::cantFail(contentHashOfFile(Path)), contentHash("content"));
}

} // namespace
