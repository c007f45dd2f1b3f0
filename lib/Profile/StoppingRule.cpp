//===- StoppingRule.cpp - when enough time samples were taken --------------===//

#include "cupel/Profile/StoppingRule.h"
#include "cupel/Profile/Statistics.h"
#include <cmath>

using namespace cupel;

std::optional<std::string> StoppingRule::afterBlock(llvm::ArrayRef<double> Samples,
                                                    double ElapsedSeconds) {
  std::optional<double> Now = relativeNoise(Samples);
  // What cannot be computed counts as pure noise, so that only the time limit can stop on it.
  Noise.push_back(Now.value_or(1));
  bool Enough = Samples.size() >= Options.MinSamples && Noise.size() >= Options.MinBlocks;
  if (Enough && Now && (*Now < Options.MaxNoise || noiseSettled()))
    return "noise";
  if (ElapsedSeconds >= Options.TimeLimitSeconds)
    return "time";
  return std::nullopt;
}

bool StoppingRule::noiseSettled() const {
  // nvbench looks at up to 512 running values; a value a block needs fewer.
  constexpr size_t Window = 8;
  constexpr double Threshold = 0.05;
  if (Noise.size() < Window)
    return false;
  double Current = Noise.back(), Squares = 0;
  for (double Value : llvm::ArrayRef(Noise).take_back(Window))
    Squares += (Value - Current) * (Value - Current);
  return std::sqrt(Squares / (Window - 1)) < Threshold * Current;
}
