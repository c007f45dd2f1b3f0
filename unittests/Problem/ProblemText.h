//===- ProblemText.h - a small valid problem to change ----------------------===//
#ifndef CUPEL_UNITTESTS_PROBLEM_PROBLEMTEXT_H
#define CUPEL_UNITTESTS_PROBLEM_PROBLEMTEXT_H

#include "gtest/gtest.h"
#include <string>

namespace cupel {

inline const std::string ValidProblem = R"([problem]
name = "Scaled ReLU"
level = 1
tags = ["activation"]

[reference]
source = '''
def forward(self, x: Tensor, s: float) -> Tensor:
    return torch.relu(x * self.weight) * s
'''

[[input]]
name = "x"
dtype = "float32"
shape = ["batch", "2 * dim"]
init = { kind = "normal", mean = 0.0, std = 1.0 }

[[input]]
name = "s"
scalar = "float"
value = 3.5

[[parameter]]
name = "weight"
dtype = "float32"
shape = ["2 * dim"]
init = { kind = "uniform", low = 0, high = 1, transform = "uneven" }

[[case]]
name = "benchmark"
role = ["check", "benchmark"]
sizes = { batch = 16, dim = 64 }

[[case]]
name = "ragged"
role = ["check"]
sizes = { batch = 3, dim = 7 }
init = { x = { kind = "constant", value = 2 } }

[cost]
flops = "2 * batch * dim"
)";

/// \p ValidProblem with the one occurrence of \p Old replaced.
inline std::string withChange(const std::string &Old, const std::string &New) {
  std::string Text = ValidProblem;
  size_t At = Text.find(Old);
  EXPECT_NE(At, std::string::npos) << Old;
  EXPECT_EQ(Text.find(Old, At + 1), std::string::npos) << Old << " is there twice";
  return Text.replace(At, Old.size(), New);
}

} // namespace cupel

#endif // CUPEL_UNITTESTS_PROBLEM_PROBLEMTEXT_H
