//===- OutsideWorkTest.cpp -------------------------------------------------===//

#include "cupel/Profile/OutsideWork.h"
#include "gtest/gtest.h"

using namespace cupel;

namespace {

TimingRecord timing(double CandidateUs, double HostUs) {
  TimingRecord T;
  T.State = MeasuredState::Measured;
  T.CandidateUs = CandidateUs;
  T.HostUs = HostUs;
  return T;
}

void addBaseline(TimingRecord &T, double TimeUs, double HostUs) {
  BaselineTiming &B = T.Baselines.emplace_back();
  B.TimeUs = TimeUs;
  B.HostUs = HostUs;
}

TEST(OutsideWork, WaitingIsNone) {
  EXPECT_FALSE(findOutsideWork(timing(5, 15), std::nullopt));
  EXPECT_FALSE(findOutsideWork(timing(3000, 3020), 3010));
  EXPECT_FALSE(findOutsideWork(timing(100, 60), 90)); // Clocks of two machines' making.
  EXPECT_FALSE(findOutsideWork(TimingRecord(), 100));
}

TEST(OutsideWork, TheHostSeesAnotherStream) {
  std::optional<Reason> Found = findOutsideWork(timing(5, 112), std::nullopt);
  ASSERT_TRUE(Found);
  EXPECT_EQ(Found->Code, "work-outside-time");
  EXPECT_EQ(
      Found->Text,
      "the device works for 107 us after a call's time of 5.00 us is over: on a stream that the "
      "current one does not wait for, or by a thread");
}

TEST(OutsideWork, WaitingTakesAsLongForABaseline) {
  TimingRecord T = timing(50, 110);
  EXPECT_TRUE(findOutsideWork(T, std::nullopt));
  addBaseline(T, 200, 208);
  EXPECT_TRUE(findOutsideWork(T, std::nullopt));
  addBaseline(T, 40, 95);
  EXPECT_FALSE(findOutsideWork(T, std::nullopt));
}

TEST(OutsideWork, CuptiSeesWhatIsTooShortForTheHost) {
  EXPECT_FALSE(findOutsideWork(timing(5, 15), 9));
  std::optional<Reason> Found = findOutsideWork(timing(2, 12), 6);
  ASSERT_TRUE(Found);
  EXPECT_NE(Found->Text.find("keeps the device busy for 6.00 us, a timed one takes 2.00 us"),
            std::string::npos);
  EXPECT_FALSE(findOutsideWork(timing(1000, 1010), 1200));
  EXPECT_TRUE(findOutsideWork(timing(1000, 1010), 1300));
}

} // namespace
