//===- PtxTest.cpp - inline PTX taken apart ---------------------------------===//

#include "Ptx.h"
#include "cupel/Support/Error.h"
#include "gtest/gtest.h"

using namespace cupel;

namespace {

std::string translate(llvm::StringRef Text) {
  llvm::Expected<std::string> Calls = translatePtx(Text);
  if (!Calls)
    return "refused: " + takeReasons(Calls.takeError()).front().Text;
  std::string Result = *Calls;
  const std::string Space = "::cupel::emu::ptx::";
  for (size_t At = Result.find(Space); At != std::string::npos; At = Result.find(Space))
    Result.erase(At, Space.size());
  return llvm::StringRef(Result).trim().str();
}

TEST(Ptx, TypesBecomeArguments) {
  EXPECT_EQ(translate("add.s32 %0, %1, %2;"),
            "add_<s32>(cupelOperand0, cupelOperand1, cupelOperand2);");
  EXPECT_EQ(translate("cvt.rn.bf16x2.f32 %0, %1, %2;"),
            "cvt_<bf16x2, f32>(cupelOperand0, cupelOperand1, cupelOperand2);");
}

TEST(Ptx, WordsOfCachesAreLeftOut) {
  EXPECT_EQ(translate("ld.global.nc.L1::no_allocate.L2::128B.v2.f32 {%0, %1}, [%2+16];"),
            "ld_<f32>(group(cupelOperand0, cupelOperand1), (cupelOperand2 + (16)));");
  EXPECT_EQ(translate("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;"),
            "cp_async_((cupelOperand0), (cupelOperand1), 16);");
}

TEST(Ptx, RegistersAndGuards) {
  EXPECT_EQ(translate("{ .reg .pred p; setp.ne.b32 p, %0, 0; @!p st.global.f32 [%1], %2; }"),
            "{ Register<pred> cupelRegister_p{}; setp_ne_<b32>(cupelRegister_p, cupelOperand0, 0); "
            "if (!cupelRegister_p) st_<f32>((cupelOperand1), cupelOperand2); }");
  EXPECT_EQ(translate("mov.u32 %0, %laneid;"), "mov_<u32>(cupelOperand0, special_laneid());");
  EXPECT_EQ(translate("mov.f32 %0, 0f3F800000;"), "mov_<f32>(cupelOperand0, bits(0x3F800000u));");
}

TEST(Ptx, Matrices) {
  EXPECT_EQ(translate("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"),
            "ldmatrix_x2_trans_<b16>(group(cupelOperand0, cupelOperand1), (cupelOperand2));");
  EXPECT_EQ(translate("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0}, {%1}, {%2}, {%3};"),
            "mma_m16n8k8_<f32, tf32, tf32, f32>(group(cupelOperand0), group(cupelOperand1), "
            "group(cupelOperand2), group(cupelOperand3));");
}

TEST(Ptx, WhatIsNotKnownIsRefused) {
  EXPECT_EQ(translate("add.s32 %0, %1, %2; wgmma.fence.sync.aligned;"),
            "refused: wgmma.fence.sync.aligned");
  EXPECT_EQ(translate("cp.async.bulk.commit_group;"), "refused: cp.async.bulk.commit_group");
  EXPECT_EQ(translate("bra.uni DONE;"), "refused: bra.uni DONE");
  EXPECT_EQ(translate("{ add.s32 %0, %1, %2;"), "refused: unbalanced braces");
  EXPECT_EQ(translate("add.s32 %0, {%1"), "refused: add.s32 %0 , { %1");
}

} // namespace
