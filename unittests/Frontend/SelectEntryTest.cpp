//===- SelectEntryTest.cpp - which bound function answers the problem -------===//

#include "cupel/Frontend/SelectEntry.h"
#include "TestParse.h"

using namespace cupel;

namespace {

/// A problem that gives tensor `x` and float `eps`.
ProblemSpec problem(std::string EntryName = "") {
  ProblemSpec Problem;
  Problem.EntryName = std::move(EntryName);
  TensorSpec X;
  X.Name = "x";
  ScalarSpec Eps;
  Eps.Name = "eps";
  Problem.Inputs.push_back({X, std::nullopt});
  Problem.Inputs.push_back({std::nullopt, Eps});
  Problem.EntryArguments = {"x", "eps"};
  return Problem;
}

EntrySignature entry(std::string Name, std::vector<EntryArgument> Arguments = {
                                           {"x", "at::Tensor", ValueKind::Tensor, false},
                                           {"eps", "double", ValueKind::Float, false}}) {
  EntrySignature Entry;
  Entry.BoundName = std::move(Name);
  Entry.Arguments = std::move(Arguments);
  Entry.ResultType = "at::Tensor";
  Entry.ResultKind = ValueKind::Tensor;
  Entry.Place = {"s.cu", 7, 12};
  return Entry;
}

std::string select(std::vector<EntrySignature> Entries, const ProblemSpec &Problem) {
  ParsedSubmission Submission;
  Submission.File = "s.cu";
  Submission.Entries = std::move(Entries);
  llvm::Expected<size_t> Index = selectEntry(Submission, Problem);
  return Index ? Submission.Entries[*Index].BoundName : textOf(Index.takeError());
}

TEST(SelectEntry, ByNameThenForwardThenFit) {
  EXPECT_EQ(select({entry("forward"), entry("mine")}, problem("mine")), "mine");
  EXPECT_EQ(select({entry("other"), entry("forward")}, problem()), "forward");
  EXPECT_EQ(select({entry("other", {}), entry("fits")}, problem()), "fits");
  EXPECT_EQ(select({entry("forward", {}), entry("forward")}, problem()), "forward");
}

TEST(SelectEntry, Missing) {
  EXPECT_EQ(select({}, problem()),
            "entry-missing: s.cu: no entry: bind a host function that takes and returns tensors "
            "with PYBIND11_MODULE, or call it 'forward'\n");
  EXPECT_EQ(select({entry("my_kernel"), entry("b")}, problem("my_kernal")),
            "entry-missing: s.cu: no entry is called 'my_kernal'; did you mean 'my_kernel'?; "
            "bound: my_kernel, b\n");
}

TEST(SelectEntry, Ambiguous) {
  EXPECT_EQ(select({entry("a"), entry("b")}, problem()),
            "entry-ambiguous: s.cu:7:12: several functions could be the entry (a, b): bind one as "
            "'forward', or name it in the problem's [entry]\n");
}

TEST(SelectEntry, CountTypeOrderAndResult) {
  EXPECT_EQ(select({entry("f", {{"x", "at::Tensor", ValueKind::Tensor, false}})}, problem()),
            "entry-count: s.cu:7:12: f(at::Tensor x) takes 1 argument; the problem gives 2 (x, "
            "eps)\n");
  EXPECT_EQ(
      select({entry("f", {{"x", "at::Tensor", ValueKind::Tensor, false},
                          {"n", "long", ValueKind::Int, false}})},
             problem()),
      "entry-type: s.cu:7:12: argument 'n' of f is of type 'long'; the problem gives 'eps', a "
      "float\n");
  EXPECT_EQ(select({entry("f", {{"eps", "double", ValueKind::Float, false},
                                {"x", "at::Tensor", ValueKind::Tensor, false}})},
                   problem())
                .substr(0, 118),
            "entry-order: s.cu:7:12: f(double eps, at::Tensor x) takes its arguments in another "
            "order than the problem gives them (");
  // Names alone are no proof: what can be called is called.
  ProblemSpec TwoTensors = problem();
  TwoTensors.Inputs[1] = {TwoTensors.Inputs[0].Tensor, std::nullopt};
  TwoTensors.Inputs[1].Tensor->Name = "eps";
  EntrySignature Swapped = entry("f", {{"eps", "at::Tensor", ValueKind::Tensor, false},
                                       {"x", "at::Tensor", ValueKind::Tensor, false}});
  EXPECT_EQ(select({Swapped}, TwoTensors), "f");
  ASSERT_EQ(compareEntry(Swapped, TwoTensors).size(), 1u);
  EXPECT_EQ(compareEntry(Swapped, TwoTensors)[0].Code, "entry-order");
  EntrySignature Void = entry("f");
  Void.ResultKind = ValueKind::None;
  EXPECT_EQ(select({Void}, problem()),
            "entry-result: s.cu:7:12: f returns nothing; it must return the output tensor\n");
  Void.ResultKind = ValueKind::Int;
  Void.ResultType = "int";
  EXPECT_EQ(select({Void}, problem()),
            "entry-result: s.cu:7:12: f returns 'int'; it must return a tensor, or a tuple or "
            "vector of tensors\n");
}

TEST(SelectEntry, DefaultsMayBeLeftOut) {
  EXPECT_EQ(select({entry("f", {{"x", "at::Tensor", ValueKind::OptionalTensor, false},
                                {"eps", "c10::Scalar", ValueKind::Scalar, false},
                                {"n", "int", ValueKind::Int, true}})},
                   problem()),
            "f");
}

} // namespace
