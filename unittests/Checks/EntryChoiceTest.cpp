//===- EntryChoiceTest.cpp --------------------------------------------------===//

#include "cupel/Checks/EntryChoice.h"
#include "gtest/gtest.h"

using namespace cupel;

namespace {

EntrySignature entry(llvm::StringRef Name, std::vector<ValueKind> Kinds, size_t Defaults = 0) {
  EntrySignature E;
  E.BoundName = Name.str();
  for (size_t I = 0; I < Kinds.size(); ++I)
    E.Arguments.push_back({"a", "", Kinds[I], I + Defaults >= Kinds.size()});
  return E;
}

/// Two tensors and a float.
ProblemSpec problem() {
  ProblemSpec P;
  for (const char *Name : {"x", "w"}) {
    InputSpec Input;
    Input.Tensor.emplace().Name = Name;
    P.Inputs.push_back(Input);
  }
  InputSpec Scale;
  Scale.Scalar.emplace().Name = "s";
  P.Inputs.push_back(Scale);
  P.EntryArguments = {"x", "w", "s"};
  return P;
}

using enum ValueKind;

} // namespace

TEST(EntryChoice, Fits) {
  ProblemSpec P = problem();
  EXPECT_TRUE(fitsProblem(entry("f", {Tensor, Tensor, Float}), P));
  EXPECT_TRUE(fitsProblem(entry("f", {Tensor, OptionalTensor, Scalar}), P));
  EXPECT_TRUE(fitsProblem(entry("f", {Tensor, Tensor, Float, Int}, 1), P));
  EXPECT_FALSE(fitsProblem(entry("f", {Tensor, Tensor, Float, Int}), P));
  EXPECT_FALSE(fitsProblem(entry("f", {Tensor, Tensor}), P));
  EXPECT_FALSE(fitsProblem(entry("f", {Tensor, Float, Tensor}), P));
  EXPECT_FALSE(fitsProblem(entry("f", {Tensor, Tensor, Int}), P)); // Would cut 0.5 to 0.
  EXPECT_FALSE(fitsProblem(entry("f", {Tensor, Tensor, Bool}), P));
}

TEST(EntryChoice, Order) {
  ProblemSpec P = problem();
  std::vector<EntrySignature> Entries = {entry("forward", {Tensor}),
                                         entry("other", {Tensor, Tensor, Float})};
  EXPECT_EQ(chooseEntry(Entries, &P), 1u);      // The only one that fits.
  EXPECT_EQ(chooseEntry(Entries, nullptr), 0u); // `forward`.
  P.EntryName = "forward";
  EXPECT_EQ(chooseEntry(Entries, &P), 0u); // By name, whatever fits.
  P.EntryName = "nobody";
  EXPECT_EQ(chooseEntry(Entries, &P), std::nullopt);
}

TEST(EntryChoice, OneNoneSeveral) {
  ProblemSpec P = problem();
  EXPECT_EQ(chooseEntry({}, &P), std::nullopt);
  EXPECT_EQ(chooseEntry({entry("f", {})}, &P), 0u); // Told apart by the entry checks.
  EXPECT_EQ(chooseEntry({entry("f", {}), entry("g", {})}, nullptr), std::nullopt);
  EntrySignature Fits = entry("f", {Tensor, Tensor, Float});
  EXPECT_EQ(chooseEntry({Fits, entry("g", {Tensor, Tensor, Scalar})}, &P), std::nullopt);
}
