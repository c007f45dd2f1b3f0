#include "Protocol.h"
#include "gtest/gtest.h"
#include <cmath>
#include <unistd.h>

using namespace cupel::worker;

TEST(Protocol, NumbersThatJsonDoesNotHave) {
  EXPECT_EQ(number(1.5), Json(1.5));
  EXPECT_EQ(number(NAN), Json("nan"));
  EXPECT_EQ(number(INFINITY), Json("inf"));
  EXPECT_EQ(number(-INFINITY), Json("-inf"));
}

TEST(Protocol, Seeds) {
  EXPECT_EQ(parseSeed("ff"), 255u);
  EXPECT_EQ(parseSeed("0xFfFfFfFfFfFfFfFf"), UINT64_MAX);
  for (const char *Bad : {"", "0x", "12g", "10000000000000000", "-1", " 1"})
    EXPECT_THROW(parseSeed(Bad), WorkerError) << Bad;
}

TEST(Protocol, FieldErrorsNameTheField) {
  Json Object = {{"count", "three"}, {"none", nullptr}};
  try {
    field<int>(Object, "count");
    FAIL();
  } catch (const WorkerError &E) {
    EXPECT_EQ(E.Code, "bad-request");
    EXPECT_NE(std::string(E.what()).find("'count'"), std::string::npos);
  }
  try {
    field<int>(Object, "missing");
    FAIL();
  } catch (const WorkerError &E) {
    EXPECT_STREQ(E.what(), "the field 'missing' is missing");
  }
  EXPECT_EQ(field<int>(Object, "none", 7), 7);
  EXPECT_EQ(field<int>(Object, "missing", 7), 7);
}

TEST(Protocol, ChannelSplitsLinesAndEndsWithThePipe) {
  int Request[2], Reply[2];
  ASSERT_EQ(pipe(Request), 0);
  ASSERT_EQ(pipe(Reply), 0);
  Channel Pipe(Request[0], Reply[1]);
  std::string Text = "{\"a\":1}\n\n{\"b\":2}\nrest";
  ASSERT_EQ(write(Request[1], Text.data(), Text.size()), static_cast<ssize_t>(Text.size()));
  close(Request[1]);
  EXPECT_EQ(Pipe.readLine(), "{\"a\":1}");
  EXPECT_EQ(Pipe.readLine(), "");
  EXPECT_EQ(Pipe.readLine(), "{\"b\":2}");
  EXPECT_EQ(Pipe.readLine(), std::nullopt);
  // Texts of exceptions need not be UTF-8.
  EXPECT_TRUE(Pipe.write({{"text", "\xff"}}));
  char Buffer[64];
  ssize_t Count = read(Reply[0], Buffer, sizeof Buffer);
  EXPECT_EQ(std::string(Buffer, static_cast<size_t>(Count)), "{\"text\":\"\xEF\xBF\xBD\"}\n");
}
