//===- DeviceImageTest.cpp - names in the device image -------------------------===//

#include "DeviceImage.h"
#include "gtest/gtest.h"

using namespace cupel;

namespace {

std::string match(std::vector<DeviceSymbol> Registered, std::vector<DeviceSymbol> InImage) {
  llvm::Expected<std::vector<std::string>> Names = matchDeviceSymbols(Registered, InImage);
  if (!Names)
    return takeReasons(Names.takeError()).front().Text;
  std::string Result;
  for (const std::string &Name : *Names)
    Result += (Result.empty() ? "" : " ") + Name;
  return Result;
}

DeviceSymbol kernel(std::string Name) { return {true, std::move(Name), 0}; }
DeviceSymbol variable(std::string Name, uint64_t Bytes) { return {false, std::move(Name), Bytes}; }

// The names of both compilers, as clang++ 22 and nvcc 13.0 make them.
const char *const AnonymousVariable =
    "_ZN38_INTERNAL_9461ceff_8_names_cu_ddbd662340_GLOBAL__N__9461ceff_8_names_cu_ddbd66235anonvE";

TEST(DeviceImage, NamesOfInternalLinkage) {
  EXPECT_EQ(
      match({kernel("_ZL7kstaticPf"), kernel("_ZN12_GLOBAL__N_15kanonEPf"), kernel("_Z6publicPf"),
             variable("_ZL2cw", 36), variable("ce", 36), variable("_ZN12_GLOBAL__N_15anonvE", 16)},
            {variable("cw", 36), variable("ce", 36), variable(AnonymousVariable, 16),
             kernel("_Z7kstaticPf"), kernel("_Z6publicPf"),
             kernel("_ZN40_GLOBAL__N__9461ceff_8_names_cu_ddbd66235kanonEPf")}),
      std::string("_Z7kstaticPf _ZN40_GLOBAL__N__9461ceff_8_names_cu_ddbd66235kanonEPf "
                  "_Z6publicPf cw ce ") +
          AnonymousVariable);
}

TEST(DeviceImage, WhatDoesNotFit) {
  EXPECT_EQ(match({kernel("_Z1kPf")}, {kernel("_Z1kPd")}),
            "the kernel 'k(float*)' is not in the device image");
  EXPECT_EQ(
      match({kernel("_ZL1kPf")}, {kernel("_ZN40_GLOBAL__N__9461ceff_8_names_cu_ddbd66231kEPf")}),
      "the kernel 'k(float*)' is not in the device image");
  EXPECT_EQ(match({variable("_ZL1w", 8)}, {variable("w", 16)}),
            "the device variable 'w' has another size in the device image");
  EXPECT_EQ(match({variable("w", 8)}, {kernel("w")}),
            "the device variable 'w' is not in the device image");
}

TEST(DeviceImage, TheSameNameIsBetterThanALikeOne) {
  std::vector<DeviceSymbol> Image = {kernel("_ZL1kv"), kernel("_Z1kv")};
  EXPECT_EQ(match({kernel("_Z1kv")}, Image), "_Z1kv");
  EXPECT_EQ(match({kernel("_ZL1kv")}, Image), "_ZL1kv");
  EXPECT_EQ(match({kernel("_ZN12_GLOBAL__N_11kEv")},
                  {kernel("_ZN11_GLOBAL__N_1kEv"), kernel("_ZN11_GLOBAL__N_1kEv")}),
            "the kernel '(anonymous namespace)::k()' is in the device image under several names");
}

TEST(DeviceImage, NoElfFile) {
  EXPECT_TRUE(llvm::errorToBool(readDeviceSymbols("no ELF file").takeError()));
}

TEST(DeviceImage, Assembler) {
  std::string Text = imageAssembler("/tmp/x/device.fatbin", {"_Z1kPf", "w"});
  EXPECT_NE(Text.find("cupel_image:\n\t.incbin \"/tmp/x/device.fatbin\"\n"), std::string::npos);
  EXPECT_NE(Text.find("cupel_name_1:\n\t.asciz \"w\"\n"), std::string::npos);
}

} // namespace
