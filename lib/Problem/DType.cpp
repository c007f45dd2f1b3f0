//===- DType.cpp - the element types of a problem's tensors -----------------===//

#include "cupel/Problem/DType.h"
#include "llvm/ADT/STLExtras.h"

using namespace cupel;

llvm::ArrayRef<DType> cupel::dtypes() {
  using Family = DType::Family;
  static constexpr DType Table[] = {
      {"float64", 8, Family::Real, -1.7976931348623157e308, 1.7976931348623157e308},
      {"float32", 4, Family::Real, -3.4028234663852886e38, 3.4028234663852886e38},
      {"float16", 2, Family::Real, -65504, 65504},
      {"bfloat16", 2, Family::Real, -3.3895313892515355e38, 3.3895313892515355e38},
      {"int64", 8, Family::Integer, -9223372036854775808.0, 9223372036854775807.0},
      {"int32", 4, Family::Integer, -2147483648.0, 2147483647.0},
      {"int16", 2, Family::Integer, -32768, 32767},
      {"int8", 1, Family::Integer, -128, 127},
      {"uint8", 1, Family::Integer, 0, 255},
      {"bool", 1, Family::Bool, 0, 1},
  };
  return Table;
}

const DType *cupel::findDType(llvm::StringRef Name) {
  const auto *Found = llvm::find_if(dtypes(), [&](const DType &D) { return D.Name == Name; });
  return Found == dtypes().end() ? nullptr : Found;
}
