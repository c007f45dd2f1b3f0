//===- AllowListTest.cpp ----------------------------------------------------===//

#include "Fallback/AllowList.h"
#include "gtest/gtest.h"

using namespace cupel;

TEST(AllowList, KindsOfOperators) {
  EXPECT_EQ(allowanceOfOperator("empty_like"), Allowance::Allowed);
  EXPECT_EQ(allowanceOfOperator("view"), Allowance::Allowed);
  EXPECT_EQ(allowanceOfOperator("contiguous"), Allowance::Allowed);
  EXPECT_EQ(allowanceOfOperator("is_cuda"), Allowance::Allowed);
  EXPECT_EQ(allowanceOfOperator("zeros"), Allowance::Fill);
  EXPECT_EQ(allowanceOfOperator("clone"), Allowance::Copy);
  EXPECT_EQ(allowanceOfOperator("to"), Allowance::Converts);
  EXPECT_EQ(allowanceOfOperator("matmul"), Allowance::Computes);
}

TEST(AllowList, VariantsAreTheirOperator) {
  EXPECT_EQ(allowanceOfOperator("view_symint"), Allowance::Allowed);
  EXPECT_EQ(allowanceOfOperator("empty_out"), Allowance::Allowed);
  EXPECT_EQ(allowanceOfOperator("zeros_outf"), Allowance::Fill);
  EXPECT_EQ(allowanceOfOperator("mm_out"), Allowance::Computes);
}

TEST(AllowList, WhatIsUnknownComputes) {
  EXPECT_EQ(allowanceOfOperator("operator_of_a_later_release"), Allowance::Computes);
  EXPECT_EQ(allowanceOfOperator("is_nonzero"), Allowance::Computes);
  EXPECT_EQ(allowanceOfOperator(""), Allowance::Computes);
}

TEST(AllowList, BaseOperator) {
  EXPECT_EQ(baseOperator("add_"), "add");
  EXPECT_EQ(baseOperator("add_out"), "add");
  EXPECT_EQ(baseOperator("add_outf"), "add");
  EXPECT_EQ(baseOperator("add"), "add");
  EXPECT_EQ(baseOperator("expand_symint"), "expand");
  EXPECT_EQ(baseOperator("__and__"), "__and__");
}

TEST(AllowList, Helpers) {
  EXPECT_TRUE(isAllowedHelper("at::device_of"));
  EXPECT_TRUE(isAllowedHelper("at::cuda::detail::canUse32BitIndexMath"));
  EXPECT_FALSE(isAllowedHelper("at::matmul"));
}
