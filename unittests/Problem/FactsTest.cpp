//===- FactsTest.cpp - our problems against the facts of KernelBench --------===//
//
// problems/facts.json was written down from KernelBench's problems on its own, so that a slip in a
// problem file is found: names, sizes, dtypes, constants of the computation, cost. The operators,
// with their attributes and in their order, are computed in test/Problem/facts.test.
//
//===----------------------------------------------------------------------===//

#include "cupel/Problem/DType.h"
#include "cupel/Problem/ProblemReader.h"
#include "cupel/Support/File.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"
#include "gtest/gtest.h"
#include <cmath>
#include <set>

using namespace cupel;
using llvm::json::Object;
using llvm::json::Value;

namespace {

const std::string Folder = CUPEL_SOURCE_DIR "/problems";

/// `float32[4096, 64]`, for comparisons that print well.
std::string printTensor(llvm::StringRef DType, llvm::ArrayRef<int64_t> Shape) {
  std::string Text = DType.str() + "[";
  for (int64_t Size : Shape)
    Text += std::to_string(Size) + ",";
  return Text + "]";
}

/// A fact is `["float32", 4096, 64]`.
std::string printFact(const Value &Fact) {
  const llvm::json::Array &Parts = *Fact.getAsArray();
  std::vector<int64_t> Shape;
  for (const Value &Size : llvm::drop_begin(Parts))
    Shape.push_back(*Size.getAsInteger());
  return printTensor(*Parts[0].getAsString(), Shape);
}

int64_t bytesOfFact(const Value &Fact) {
  const llvm::json::Array &Parts = *Fact.getAsArray();
  int64_t Bytes = findDType(*Parts[0].getAsString())->Bytes;
  for (const Value &Size : llvm::drop_begin(Parts))
    Bytes *= *Size.getAsInteger();
  return Bytes;
}

/// Every number that stands in the reference.
std::set<double> numbersIn(llvm::StringRef Source) {
  std::set<double> Numbers;
  llvm::Regex Number("(^|[^A-Za-z0-9_.])([0-9]+\\.?[0-9]*(e[-+]?[0-9]+)?)");
  llvm::SmallVector<llvm::StringRef, 4> Match;
  while (Number.match(Source, &Match)) {
    double Value = 0;
    Match[2].getAsDouble(Value);
    Numbers.insert(Value);
    Source = Source.substr(Match[2].end() - Source.begin());
  }
  return Numbers;
}

void compareTensors(const Object &Facts, const std::map<std::string, std::string> &Ours) {
  EXPECT_EQ(Facts.size(), Ours.size());
  for (const auto &[Name, Fact] : Facts) {
    auto Found = Ours.find(Name.str());
    ASSERT_NE(Found, Ours.end()) << Name.str();
    EXPECT_EQ(Found->second,
              Fact.kind() == Value::Array ? printFact(Fact) : std::to_string(*Fact.getAsNumber()))
        << Name.str();
  }
}

void compareCost(const ProblemSpec &Problem, const CaseSpec &Case, const Object &Fact) {
  ASSERT_TRUE(Problem.Flops && Problem.Bytes);
  double Flops = double(llvm::cantFail(Problem.Flops->evaluate(Case.Sizes)));
  double Wanted = *Fact.getNumber("flops");
  EXPECT_LE(std::fabs(Flops - Wanted), 0.01 * Wanted) << Flops << " and " << Wanted;
  EXPECT_EQ(llvm::cantFail(Problem.Bytes->evaluate(Case.Sizes)),
            int64_t(tensorBytes(Problem, Case)) + bytesOfFact(*Fact.get("output")));
}

/// What issue and design ask of every problem that cupel ships.
void checkCases(const ProblemSpec &Problem) {
  unsigned Small = 0;
  for (const CaseSpec &Case : Problem.Cases)
    if (Case.IsCheck && !Case.IsBenchmark) {
      ++Small;
      EXPECT_LE(tensorBytes(Problem, Case), 16u << 20) << Case.Name;
    }
  EXPECT_GE(Small, 2u);
  EXPECT_FALSE(Problem.Tags.empty());
  EXPECT_TRUE(Problem.findCase("ragged"));
  if (const CaseSpec *Original = Problem.findCase("original")) {
    EXPECT_FALSE(Original->IsCheck || Original->IsBenchmark);
    EXPECT_EQ(Original->Sizes, Problem.benchmarkCase()->Sizes);
    EXPECT_FALSE(Original->Init.empty());
  }
}

void compareProblem(const ProblemSpec &Problem, const Object &Fact) {
  const CaseSpec *Case = Problem.benchmarkCase();
  ASSERT_TRUE(Case);
  EXPECT_EQ(Problem.KernelBenchId, int(*Fact.getInteger("id")));
  std::map<std::string, std::string> Inputs, Parameters;
  for (const InputSpec &Input : Problem.Inputs)
    Inputs[Input.name().str()] =
        Input.Tensor ? printTensor(Input.Tensor->DType, shapeOf(*Input.Tensor, *Case))
                     : std::to_string(Input.Scalar->Value);
  for (const TensorSpec &Parameter : Problem.Parameters)
    Parameters[Parameter.Name] = printTensor(Parameter.DType, shapeOf(Parameter, *Case));
  compareTensors(*Fact.getObject("inputs"), Inputs);
  compareTensors(*Fact.getObject("parameters"), Parameters);
  std::set<double> Numbers = numbersIn(Problem.ReferenceSource);
  for (const Value &Number : *Fact.getArray("numbers"))
    EXPECT_TRUE(Numbers.count(std::fabs(*Number.getAsNumber()))) << *Number.getAsNumber();
  compareCost(Problem, *Case, Fact);
  checkCases(Problem);
}

TEST(Facts, EveryProblemAgrees) {
  std::string Text = llvm::cantFail(readTextFile(Folder + "/facts.json"));
  Value Facts = llvm::cantFail(llvm::json::parse(Text));
  ASSERT_EQ(Facts.getAsObject()->size(), 200u);
  for (const auto &[Name, Fact] : *Facts.getAsObject()) {
    SCOPED_TRACE(Name.str());
    llvm::Expected<ProblemSpec> Problem = readProblem(Folder + "/" + Name.str() + ".toml");
    if (!Problem) {
      ADD_FAILURE() << llvm::toString(Problem.takeError());
      continue;
    }
    EXPECT_EQ("level" + std::to_string(Problem->Level),
              llvm::StringRef(Name).split('/').first.str());
    compareProblem(*Problem, *Fact.getAsObject());
  }
}

TEST(Facts, EveryProblemHasFacts) {
  std::string Text = llvm::cantFail(readTextFile(Folder + "/facts.json"));
  Value Facts = llvm::cantFail(llvm::json::parse(Text));
  for (const char *Level : {"level1", "level2"}) {
    std::error_code Failed;
    for (llvm::sys::fs::directory_iterator I(Folder + "/" + Level, Failed), End;
         I != End && !Failed; I.increment(Failed)) {
      std::string Name = (llvm::Twine(Level) + "/" + llvm::sys::path::stem(I->path())).str();
      EXPECT_TRUE(Facts.getAsObject()->get(Name)) << Name;
    }
    EXPECT_FALSE(Failed) << Failed.message();
  }
}

} // namespace
