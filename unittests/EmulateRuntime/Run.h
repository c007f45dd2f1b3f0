// What the tests of emulated kernels share.
#pragma once

#include "Report.h"

#include <cstring>
#include <cuda_runtime.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace emu = cupel::emu;

/// A launch from the line of the call.
#define LAUNCH(KERNEL, WAITS, ...)                                                                 \
  emu::launcher(emu::Site{#KERNEL, __LINE__, emu::Waits::WAITS}, KERNEL)(__VA_ARGS__)

/// Device memory with the values of a vector.
template <class T> class Device {
public:
  explicit Device(const std::vector<T> &Values) : Size(Values.size()) {
    cudaMalloc(&At, Size * sizeof(T));
    cudaMemcpy(At, Values.data(), Size * sizeof(T), cudaMemcpyHostToDevice);
  }
  explicit Device(size_t N) : Device(std::vector<T>(N)) {}
  ~Device() { cudaFree(At); }
  Device(const Device &) = delete;
  operator T *() const { return At; }
  // Not cudaMemcpy: it fails after an error, and tests look at what was written before. Not
  // checked: code of the host must not read device memory.
  __attribute__((no_sanitize("address"))) std::vector<T> get() const {
    std::vector<T> Values(Size);
    std::memcpy(Values.data(), At, Size * sizeof(T));
    return Values;
  }

private:
  size_t Size;
  T *At = nullptr;
};

/// Each test starts without errors, and says which it expects.
class EmulateTest : public testing::Test {
protected:
  void SetUp() override { cupelEmulateReset(); }
  void TearDown() override { cupelEmulateReset(); }

  static std::vector<std::string> kinds() {
    std::vector<std::string> All;
    for (size_t I = 0; I < cupelEmulateErrorCount(); ++I)
      All.push_back(cupelEmulateErrorAt(I)->Kind);
    return All;
  }
  static std::string texts() {
    std::string All;
    for (size_t I = 0; I < cupelEmulateErrorCount(); ++I)
      All += std::string(cupelEmulateErrorAt(I)->Kind) + ": " + cupelEmulateErrorAt(I)->Text + "\n";
    return All;
  }
  /// The only error, which must be of this kind.
  static CupelEmulationError only(const std::string &Kind) {
    EXPECT_EQ(cupelEmulateErrorCount(), 1u) << texts();
    if (cupelEmulateErrorCount() == 0)
      return {"", "", "", "", 0, {}, {}, 0, 0, 0};
    EXPECT_EQ(cupelEmulateErrorAt(0)->Kind, Kind);
    return *cupelEmulateErrorAt(0);
  }
};
