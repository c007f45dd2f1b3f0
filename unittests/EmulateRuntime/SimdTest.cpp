// SIMD and dot product intrinsics, against loops over the parts and the documented examples.

#include "Run.h"

namespace {

using Simd = EmulateTest;

TEST_F(Simd, Bytes) {
  EXPECT_EQ(__vadd4(0x01ff7f80, 0x01010101), 0x02008081u);
  EXPECT_EQ(__vaddss4(0x01ff7f80, 0x01010181), 0x02007f80u);
  EXPECT_EQ(__vaddus4(0x01ff7f80, 0x01010180), 0x02ff80ffu);
  EXPECT_EQ(__vsub4(0x00000000, 0x01010101), 0xffffffffu);
  EXPECT_EQ(__vsubus4(0x00050000, 0x01010101), 0x00040000u);
  EXPECT_EQ(__vabs4(0x80ff0102), 0x80010102u);
  EXPECT_EQ(__vabsss4(0x80ff0102), 0x7f010102u);
  EXPECT_EQ(__vabsdiffu4(0x00ff10f0, 0xff00f010), 0xffffe0e0u);
  EXPECT_EQ(__vavgu4(0x01020304, 0x02020202), 0x02020303u);
  EXPECT_EQ(__vavgs4(0x01ff03fd, 0x0200fdfe), 0x02ff00fdu); // Away from zero.
  EXPECT_EQ(__vhaddu4(0x01ff0300, 0x02ff0201), 0x01ff0200u);
  EXPECT_EQ(__vcmpeq4(0x01020304, 0x01ff03ff), 0xff00ff00u);
  EXPECT_EQ(__vcmpgts4(0x01ff7f80, 0x00000000), 0xff00ff00u);
  EXPECT_EQ(__vcmpgtu4(0x01ff7f80, 0x00000000), 0xffffffffu);
  EXPECT_EQ(__vsetltu4(0x01ff7f80, 0x80808080), 0x01000100u);
  EXPECT_EQ(__vmaxs4(0x01ff7f80, 0x00000000), 0x01007f00u);
  EXPECT_EQ(__vminu4(0x01ff7f80, 0x40404040), 0x01404040u);
  EXPECT_EQ(__vsadu4(0x00ff1020, 0xff002010), 255u + 255 + 16 + 16);
}

TEST_F(Simd, Halves) {
  EXPECT_EQ(__vadd2(0xffff7fff, 0x00010001), 0x00008000u);
  EXPECT_EQ(__vaddss2(0x80007fff, 0xffff0001), 0x80007fffu);
  EXPECT_EQ(__vneg2(0x00018000), 0xffff8000u);
  EXPECT_EQ(__vnegss2(0x00018000), 0xffff7fffu);
  EXPECT_EQ(__vmins2(0xffff0005, 0x00010004), 0xffff0004u);
  EXPECT_EQ(__vsads2(0xffff0005, 0x00010007), 4u);
  EXPECT_EQ(__vcmples2(0xffff0005, 0x00010004), 0xffff0000u);
}

TEST_F(Simd, DotProducts) {
  EXPECT_EQ(__dp4a(int(0x01ff0280), 0x03040506, 10), 10 + 1 * 3 - 1 * 4 + 2 * 5 - 128 * 6);
  EXPECT_EQ(__dp4a(0x01ff0280u, 0x03040506u, 10u), 10u + 1 * 3 + 255 * 4 + 2 * 5 + 128 * 6);
  EXPECT_EQ(__dp4a(char4{-1, 2, 3, 4}, char4{5, 6, 7, 8}, 1), 1 - 5 + 12 + 21 + 32);
  EXPECT_EQ(__dp2a_lo(int(0xffff0003), 0x07060504, 1), 1 + 3 * 4 - 5);
  EXPECT_EQ(__dp2a_hi(0xffff0003u, 0x07060504u, 1u), 1u + 3 * 6 + 65535 * 7);
}

TEST_F(Simd, Dpx) {
  EXPECT_EQ(__vimax3_s32(-5, 7, 3), 7);
  EXPECT_EQ(__vimin3_s32_relu(-5, 7, 3), 0);
  EXPECT_EQ(__viaddmax_s32(3, 4, 9), 9);
  EXPECT_EQ(__viaddmin_u32(3, 4, 9), 7u);
  bool First = false;
  EXPECT_EQ(__vibmax_s32(5, 5, &First), 5);
  EXPECT_TRUE(First);
}

} // namespace
