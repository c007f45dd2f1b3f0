//===- OutsideWorkTest.cpp -------------------------------------------------===//

#include "cupel/Profile/OutsideWork.h"
#include "gtest/gtest.h"
#include <algorithm>

using namespace cupel;

namespace {

TimingRecord timing(double CandidateUs, std::optional<double> RestUs = std::nullopt) {
  TimingRecord T;
  T.State = MeasuredState::Measured;
  T.CandidateUs = CandidateUs;
  T.HostRestUs = RestUs;
  return T;
}

TimingRecord besideBaseline(TimingRecord T, double RestUs) {
  T.Baselines.emplace_back().HostRestUs = RestUs;
  return T;
}

TEST(OutsideWork, WaitingIsNone) {
  EXPECT_FALSE(findOutsideWork(besideBaseline(timing(5, 7), 8), std::nullopt));
  EXPECT_FALSE(findOutsideWork(besideBaseline(timing(3000, 20), 8), 3010));
  EXPECT_FALSE(findOutsideWork(besideBaseline(timing(100, -40), 8), 90)); // Two clocks.
  EXPECT_FALSE(findOutsideWork(TimingRecord(), 100));
}

TEST(OutsideWork, TheHostSeesAnotherStream) {
  std::optional<Reason> Found = findOutsideWork(besideBaseline(timing(5, 107), 8), std::nullopt);
  ASSERT_TRUE(Found);
  EXPECT_EQ(Found->Code, "work-outside-time");
  EXPECT_EQ(Found->Text,
            "the device works for 107 us after a call's time of 5.00 us is over: on a stream that "
            "the current one does not wait for, or by a thread");
}

TEST(OutsideWork, WhoeverElseUsesTheGpuMakesBaselinesWaitToo) {
  EXPECT_FALSE(findOutsideWork(besideBaseline(timing(5, 107), 2000), std::nullopt));
  // Without anything to compare with, waiting says nothing.
  EXPECT_FALSE(findOutsideWork(timing(5, 107), std::nullopt));
}

TEST(OutsideWork, RestsAreOfNearlyAllCalls) {
  TimingSeries Candidate, Eager;
  Candidate.Name = "candidate";
  Eager.Name = "eager";
  for (int I = 0; I != 100; ++I) {
    Candidate.SamplesUs.push_back(10);
    Candidate.HostUs.push_back(I < 10 ? 17
                                      : 500); // A tenth of the calls leaves nothing to wait for.
    Eager.SamplesUs.push_back(20);
    Eager.HostUs.push_back(I < 2 ? 900 : 27);
  }
  TimingRecord T = summarizeTiming({Candidate, Eager});
  EXPECT_DOUBLE_EQ(*T.HostRestUs, 7);
  EXPECT_DOUBLE_EQ(*T.Baselines[0].HostRestUs, 7);
  EXPECT_FALSE(findOutsideWork(T, std::nullopt));
  std::fill(Candidate.HostUs.begin(), Candidate.HostUs.begin() + 10, 500);
  EXPECT_TRUE(findOutsideWork(summarizeTiming({Candidate, Eager}), std::nullopt));
}

TEST(OutsideWork, CuptiSeesWhatIsTooShortForTheHost) {
  EXPECT_FALSE(findOutsideWork(timing(5), 9));
  std::optional<Reason> Found = findOutsideWork(timing(2), 6);
  ASSERT_TRUE(Found);
  EXPECT_NE(Found->Text.find("keeps the device busy for 6.00 us, a timed one takes 2.00 us"),
            std::string::npos);
  EXPECT_FALSE(findOutsideWork(timing(1000), 1200));
  EXPECT_TRUE(findOutsideWork(timing(1000), 1300));
}

} // namespace
