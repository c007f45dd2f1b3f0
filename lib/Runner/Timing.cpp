//===- Timing.cpp - interleaved blocks of candidate and baselines ------------===//
//
// One process works at a time, so that each finds the device idle. A round is one block of each
// series; every other round goes backwards, so that a slow drift of the clocks hits all alike. Each
// block has new inputs, and the candidate's last output in it is compared with the reference.
//
//===----------------------------------------------------------------------===//

#include "Randomness.h"
#include "Session.h"
#include "cupel/Profile/Statistics.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <numeric>

using namespace cupel;
using llvm::StringRef;

namespace {

constexpr unsigned FirstBlock = 5;
constexpr unsigned MinBlock = 16, MaxBlock = 512;
/// A block's samples take at least this long, and longer than what comes with them did in the block
/// before: more than half of the time is then spent on measuring, also where new inputs and the
/// comparison are of gigabytes.
constexpr double BlockUs = 30'000;
constexpr double SamplesToOverhead = 1.25;

/// One series under way.
struct Track {
  TimingSeries Series;
  BaselineKind Baseline; ///< Of all but the candidate.
  std::string Package;   ///< Of a baseline that needs one.
  StoppingRule Rule;
  std::optional<std::string> Stop;
  /// What the last block took beyond its samples: new inputs, flushes, the comparison.
  double OverheadUs = 0;
};

class Timer {
public:
  Timer(Session &S, const CaseSpec &Case) : S(S), Case(Case) {}

  llvm::Error run();
  void fail(Reason Why);

private:
  llvm::Error round(unsigned Number);
  llvm::Error candidateBlock(Track &T, const BlockRequest &Block);
  llvm::Error baselineBlock(Track &T, const BlockRequest &Block);
  void addTracks();
  BlockRequest plan(const Track &T, unsigned Round) const;
  void vary(BlockRequest &Block, const Track &T, unsigned Round) const;
  void add(Track &T, const TimeReply &Reply);
  llvm::Error watchClocks(StringRef Action);
  bool done();

  Session &S;
  const CaseSpec &Case;
  std::vector<Track> Tracks; ///< The candidate first.
  std::chrono::steady_clock::time_point Begin = std::chrono::steady_clock::now();
  bool Failed = false;
};

BlockRequest Timer::plan(const Track &T, unsigned Round) const {
  BlockRequest Block;
  Block.Seed = callSeed(S.Master, Case.Name, "time-" + T.Series.Name, Round);
  Block.Warmup = Round == 0 ? 3 : 1;
  Block.Samples = FirstBlock;
  if (!T.Series.SamplesUs.empty()) {
    double Wanted = std::max(BlockUs, SamplesToOverhead * T.OverheadUs);
    double Fitting = Wanted / std::max(median(T.Series.SamplesUs), 1.0);
    Block.Samples = static_cast<unsigned>(std::clamp<double>(Fitting, MinBlock, MaxBlock));
  }
  vary(Block, T, Round);
  Block.WarmSamples = (Block.Samples + 9) / 10;
  const StoppingOptions &Stopping = S.Request.Stopping;
  auto Timed = llvm::count_if(Tracks, [](const Track &T) { return !T.Series.NotMeasured; });
  Block.TimeLimitUs =
      Stopping.TimeLimitSeconds * 1e6 / static_cast<double>(Stopping.MinBlocks * Timed);
  return Block;
}

/// A block's last call is the one that is compared, so nothing may tell a submission which it is:
/// of a length that follows from its own times, a counter would.
void Timer::vary(BlockRequest &Block, const Track &T, unsigned Round) const {
  uint64_t Random = 0;
  StringRef(callSeed(S.Master, Case.Name, "length-" + T.Series.Name, Round))
      .getAsInteger(16, Random);
  Block.Warmup += static_cast<unsigned>(Random % 3);
  Block.Samples += static_cast<unsigned>((Random >> 8) % (Block.Samples / 2 + 1));
}

void Timer::add(Track &T, const TimeReply &Reply) {
  T.Series.BlockSizes.push_back(static_cast<unsigned>(Reply.SamplesUs.size()));
  llvm::append_range(T.Series.SamplesUs, Reply.SamplesUs);
  llvm::append_range(T.Series.HostUs, Reply.HostUs);
  llvm::append_range(T.Series.WarmUs, Reply.WarmUs);
}

/// Only while a block is timed: the reference and the comparison have clocks of their own.
llvm::Error Timer::watchClocks(StringRef Action) {
  ClockReadings &All = S.Record.Clocks ? *S.Record.Clocks : S.Record.Clocks.emplace();
  if (All.NotMeasured)
    return llvm::Error::success();
  llvm::Expected<ClockReadings> Read = S.TheJudge->clocks(Action, S.commandSeconds());
  if (!Read)
    return Read.takeError();
  All.NotMeasured = Read->NotMeasured;
  llvm::append_range(All.SmMhz, Read->SmMhz);
  llvm::append_range(All.TemperatureC, Read->TemperatureC);
  llvm::append_range(All.EventReasons, Read->EventReasons);
  return llvm::Error::success();
}

/// A candidate that fails has no time: what it took before means nothing.
void Timer::fail(Reason Why) {
  Failed = true;
  S.Record.TimingNotMeasured = Why;
  if (!isWorkersOwn(Why))
    S.Record.Reasons.push_back(std::move(Why));
}

llvm::Error Timer::candidateBlock(Track &T, const BlockRequest &Block) {
  Candidate::CallRequest Call = S.callRequest(Case, Block.Seed);
  llvm::Expected<ExpectReply> Expected =
      S.TheJudge->expect(Call.Case, Block.Seed, S.commandSeconds());
  if (!Expected)
    return Expected.takeError();
  Call.Receive = Expected->Receive;
  if (llvm::Error E = watchClocks("start"))
    return E;
  CandidateResult<TimeReply> Reply =
      S.TheCandidate->time(Call, Block, 1.1 * Block.TimeLimitUs / 1e6 + S.callSeconds());
  if (llvm::Error E = watchClocks("stop"))
    return E;
  if (Reason *Why = std::get_if<Reason>(&Reply)) {
    fail(std::move(*Why));
    return llvm::Error::success();
  }
  TimeReply &Timed = std::get<TimeReply>(Reply);
  if (Timed.SamplesUs.empty()) {
    fail(failureReason("protocol-violation", "while it was timed", "no sample in a block"));
    return llvm::Error::success();
  }
  llvm::Expected<CheckedCall> Checked = checkReply(S, *Expected, Timed.Call);
  if (!Checked)
    return Checked.takeError();
  if (!Checked->Reasons.empty())
    fail(failureReason("timed-call-wrong", "", Checked->Reasons.front().Text));
  else
    add(T, Timed);
  return llvm::Error::success();
}

llvm::Error Timer::baselineBlock(Track &T, const BlockRequest &Block) {
  if (T.Series.NotMeasured)
    return llvm::Error::success();
  if (llvm::Error E = watchClocks("start"))
    return E;
  llvm::Expected<TimeReply> Reply =
      S.TheJudge->time(T.Baseline, T.Package, toJson(S.Request.Problem, Case), Block,
                       1.1 * Block.TimeLimitUs / 1e6 + S.callSeconds());
  if (Reply) {
    add(T, *Reply);
    return watchClocks("stop");
  }
  if (!S.TheJudge->alive())
    return Reply.takeError();
  if (llvm::Error E = watchClocks("stop"))
    return llvm::joinErrors(Reply.takeError(), std::move(E));
  // The judge said why it cannot time this baseline; the candidate's own time still counts.
  std::vector<Reason> Why = takeReasons(Reply.takeError());
  T.Series.NotMeasured = Reason{"baseline-failed", Why.front().Text};
  T.Series.SamplesUs.clear();
  T.Series.HostUs.clear();
  T.Series.WarmUs.clear();
  T.Series.BlockSizes.clear();
  return llvm::Error::success();
}

llvm::Error Timer::round(unsigned Number) {
  std::vector<size_t> Order(Tracks.size());
  std::iota(Order.begin(), Order.end(), size_t(0));
  if (Number % 2)
    std::reverse(Order.begin(), Order.end());
  for (size_t Index : Order) {
    Track &T = Tracks[Index];
    BlockRequest Block = plan(T, Number);
    const auto Before = std::chrono::steady_clock::now();
    const size_t Taken = T.Series.SamplesUs.size();
    if (llvm::Error E = Index == 0 ? candidateBlock(T, Block) : baselineBlock(T, Block))
      return E;
    const std::chrono::duration<double, std::micro> Wall =
        std::chrono::steady_clock::now() - Before;
    auto Samples =
        llvm::ArrayRef(T.Series.SamplesUs).drop_front(std::min(Taken, T.Series.SamplesUs.size()));
    T.OverheadUs = Wall.count() - std::accumulate(Samples.begin(), Samples.end(), 0.0);
    if (Failed)
      break;
  }
  return llvm::Error::success();
}

bool Timer::done() {
  double Elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - Begin).count();
  if (S.remainingSeconds() <= 0)
    Elapsed = S.Request.Stopping.TimeLimitSeconds;
  bool AllQuiet = true, TimeIsUp = false;
  for (Track &T : Tracks) {
    if (T.Series.NotMeasured)
      continue;
    T.Stop = T.Rule.afterBlock(T.Series.SamplesUs, Elapsed);
    AllQuiet &= T.Stop.has_value();
    TimeIsUp |= T.Stop == "time";
  }
  return AllQuiet || TimeIsUp;
}

void Timer::addTracks() {
  auto Add = [&](std::string Name) -> Track & {
    Track T{TimingSeries{std::move(Name), {}, {}, {}, "", std::nullopt, {}},
            {},
            "",
            StoppingRule(S.Request.Stopping),
            std::nullopt};
    return Tracks.emplace_back(std::move(T));
  };
  Add("candidate");
  const BaselinePackages Packages(S.Record.Device, S.TorchVersion);
  for (const BaselineKind &Kind : S.Request.Baselines) {
    Track &T = Add(Kind.name());
    T.Baseline = Kind;
    if (!Kind.needsPackage())
      continue;
    std::optional<std::string> Package = Packages.find(S.Request.Problem, Case, Kind);
    T.Package = Package.value_or("");
    if (!Package)
      T.Series.NotMeasured =
          Reason{"baseline-not-made", "make it once with 'cupel baseline " + S.Request.Problem.Id +
                                          " --baseline " + Kind.name() + "'"};
  }
}

llvm::Error Timer::run() {
  addTracks();
  for (unsigned Number = 0;; ++Number) {
    if (llvm::Error E = round(Number))
      return E;
    if (Failed)
      return llvm::Error::success();
    if (done())
      break;
  }
  for (Track &T : Tracks) {
    T.Series.StoppedBy = T.Series.NotMeasured ? "" : T.Stop.value_or("time");
    S.Record.Timing.push_back(std::move(T.Series));
  }
  return llvm::Error::success();
}

} // namespace

llvm::Error cupel::timeBenchmark(Session &S, const CaseSpec &Case) {
  if (S.Request.Problem.Flops || S.Request.Problem.Bytes)
    if (llvm::Error E = findPeaks(S))
      return E;
  S.progress("timing");
  llvm::Expected<std::optional<Reason>> NotReady = S.ensureCandidate();
  if (!NotReady)
    return NotReady.takeError();
  Timer T(S, Case);
  if (*NotReady) {
    T.fail(**NotReady);
    return llvm::Error::success();
  }
  if (llvm::Error E = T.run())
    return withContext(std::move(E), "timing");
  return S.TheJudge->release(S.Request.Workers.Limits.CallSeconds);
}
