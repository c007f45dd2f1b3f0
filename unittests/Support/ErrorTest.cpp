//===- ErrorTest.cpp - errors as people and records see them ----------------===//

#include "cupel/Support/Error.h"
#include "TestSupport.h"
#include "cupel/Support/PlacedReason.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace cupel;

namespace {

std::string printed(llvm::Error E) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  reportErrors(std::move(E), OS);
  return Text;
}

TEST(Error, IsPrintedWithAsMuchPlaceAsIsKnown) {
  EXPECT_EQ(printed(makeError("a", "text")), "cupel: error: text\n");
  EXPECT_EQ(printed(makeError("a", "text", {"f"})), "f: error: text\n");
  EXPECT_EQ(printed(makeError("a", "text", {"f", 3})), "f:3: error: text\n");
  EXPECT_EQ(printed(makeError("a", "text", {"f", 3, 7})), "f:3:7: error: text\n");
  EXPECT_EQ(printed(llvm::createStringError("foreign")), "cupel: error: foreign\n");
}

TEST(Error, KeepsEveryOneOfSeveral) {
  llvm::Error Both = llvm::joinErrors(makeError("a", "one"), makeError("b", "two", {"f", 1, 2}));
  EXPECT_EQ(errorText(withContext(std::move(Both), "context")),
            "a: context: one\nb: f:1:2: context: two");
  EXPECT_EQ(errorText(withContext(llvm::createStringError("foreign"), "context")),
            "internal: context: foreign");
}

TEST(PlacedReason, KeepsTheirPlaces) {
  std::vector<PlacedReason> Both = takePlacedReasons(
      llvm::joinErrors(makeError("a", "one"), makeError("b", "two", {"f", 1, 2})));
  ASSERT_EQ(Both.size(), 2u);
  EXPECT_EQ(Both[0].message(), "error: one");
  EXPECT_EQ(Both[1].Code, "b");
  EXPECT_EQ(Both[1].Place.Line, 1u);
  EXPECT_EQ(Both[1].message(), "f:1:2: error: two");
}

} // namespace
