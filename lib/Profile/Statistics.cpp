//===- Statistics.cpp - medians, noise and confidence of time samples ------===//

#include "cupel/Profile/Statistics.h"
#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <random>

using namespace cupel;
using llvm::ArrayRef;

namespace {

constexpr unsigned Resamples = 1000;
constexpr uint64_t BootstrapSeed = 0x6375706c;

/// Reorders \p Samples.
double quantileInPlace(std::vector<double> &Samples, double Q) {
  assert(!Samples.empty() && Q >= 0 && Q <= 1);
  double Position = Q * static_cast<double>(Samples.size() - 1);
  auto Index = static_cast<size_t>(Position);
  auto Middle = Samples.begin() + static_cast<std::ptrdiff_t>(Index);
  std::nth_element(Samples.begin(), Middle, Samples.end());
  double Below = *Middle;
  double Fraction = Position - static_cast<double>(Index);
  if (Fraction == 0)
    return Below;
  double Above = *std::min_element(Middle + 1, Samples.end());
  return Below + Fraction * (Above - Below);
}

std::vector<ArrayRef<double>> splitBlocks(const BlockedSamples &Blocked) {
  std::vector<ArrayRef<double>> Blocks;
  size_t Start = 0;
  for (unsigned Size : Blocked.BlockSizes) {
    assert(Start + Size <= Blocked.Samples.size());
    if (Size != 0)
      Blocks.push_back(Blocked.Samples.slice(Start, Size));
    Start += Size;
  }
  return Blocks;
}

std::vector<ArrayRef<double>> singleSamples(ArrayRef<double> Samples) {
  std::vector<ArrayRef<double>> Blocks;
  for (size_t I = 0; I != Samples.size(); ++I)
    Blocks.push_back(Samples.slice(I, 1));
  return Blocks;
}

using Draw = std::vector<size_t>;

/// Own reduction to a range: std::uniform_int_distribution differs between libraries. The bias of
/// the remainder is below 2^-40 for any number of blocks that fits memory.
void draw(Draw &Indices, size_t Count, std::mt19937_64 &Random) {
  Indices.resize(Count);
  for (size_t &Index : Indices)
    Index = Random() % Count;
}

double medianOf(ArrayRef<ArrayRef<double>> Blocks, const Draw &Indices,
                std::vector<double> &Scratch) {
  Scratch.clear();
  for (size_t Index : Indices)
    Scratch.insert(Scratch.end(), Blocks[Index].begin(), Blocks[Index].end());
  return quantileInPlace(Scratch, 0.5);
}

/// How much wider the interval is than the percentiles of the resampled ratios. They spread as if
/// the standard deviation were known and had not been taken of \p Count blocks (Hesterberg 2015,
/// "What Teachers Should Know About the Bootstrap", 4.1.5: "expanded percentile interval").
double smallSampleFactor(size_t Count) {
  constexpr double Z = 1.959964; // 97.5 % of the normal distribution.
  const auto N = static_cast<double>(Count), Degrees = N - 1;
  // Student's t by Fisher and Cornish's expansion (Abramowitz and Stegun 26.7.5).
  const double T = Z + (std::pow(Z, 3) + Z) / (4 * Degrees) +
                   (5 * std::pow(Z, 5) + 16 * std::pow(Z, 3) + 3 * Z) / (96 * Degrees * Degrees);
  return T / Z * std::sqrt(N / Degrees);
}

/// \p End of an interval around \p Ratio, moved away from it by \p Factor and by SystematicShare.
double movedOut(double End, double Ratio, double Factor, double Sign) {
  const double Distance = Sign * std::log(End / Ratio);
  return Ratio * std::exp(Sign * (std::max(Distance, 0.0) * Factor + std::log1p(SystematicShare)));
}

bool allPositive(ArrayRef<double> Samples) {
  return llvm::all_of(Samples, [](double Value) { return Value > 0 && std::isfinite(Value); });
}

} // namespace

double cupel::quantile(ArrayRef<double> Samples, double Q) {
  std::vector<double> Copy = Samples.vec();
  return quantileInPlace(Copy, Q);
}

double cupel::median(ArrayRef<double> Samples) { return quantile(Samples, 0.5); }

std::vector<double> cupel::withoutOutliers(ArrayRef<double> Samples) {
  if (Samples.size() < 4)
    return Samples.vec();
  std::vector<double> Kept = Samples.vec();
  double Low = quantileInPlace(Kept, 0.25), High = quantileInPlace(Kept, 0.75);
  double Reach = 3 * (High - Low);
  Kept.clear();
  for (double Value : Samples)
    if (Value >= Low - Reach && Value <= High + Reach)
      Kept.push_back(Value);
  return Kept;
}

std::optional<double> cupel::relativeNoise(ArrayRef<double> Samples) {
  std::vector<double> Kept = withoutOutliers(Samples);
  if (Kept.size() < 2)
    return std::nullopt;
  auto Count = static_cast<double>(Kept.size());
  double Mean = std::accumulate(Kept.begin(), Kept.end(), 0.0) / Count;
  if (!(Mean > 0))
    return std::nullopt;
  double Squares = 0;
  for (double Value : Kept)
    Squares += (Value - Mean) * (Value - Mean);
  return std::sqrt(Squares / (Count - 1)) / Mean;
}

std::optional<Interval> cupel::ratioInterval(const BlockedSamples &Numerator,
                                             const BlockedSamples &Denominator) {
  if (Numerator.Samples.size() < 2 || Denominator.Samples.size() < 2 ||
      !allPositive(Numerator.Samples) || !allPositive(Denominator.Samples))
    return std::nullopt;
  std::vector<ArrayRef<double>> Above = splitBlocks(Numerator), Below = splitBlocks(Denominator);
  bool Paired = Above.size() == Below.size() && Above.size() >= MinBlocksForBootstrap;
  if (!Paired) {
    Above = singleSamples(Numerator.Samples);
    Below = singleSamples(Denominator.Samples);
  }
  std::mt19937_64 Random(BootstrapSeed);
  std::vector<double> Ratios, Scratch;
  Draw Indices;
  for (unsigned I = 0; I != Resamples; ++I) {
    draw(Indices, Above.size(), Random);
    double Top = medianOf(Above, Indices, Scratch);
    if (!Paired)
      draw(Indices, Below.size(), Random);
    Ratios.push_back(Top / medianOf(Below, Indices, Scratch));
  }
  const double Ratio = median(Numerator.Samples) / median(Denominator.Samples);
  const double Factor = smallSampleFactor(Above.size());
  return Interval{movedOut(quantile(Ratios, 0.025), Ratio, Factor, -1),
                  movedOut(quantile(Ratios, 0.975), Ratio, Factor, 1)};
}
