// Variables of the device: their bounds, what their names are in code of the host, and constants.

#include "Run.h"

namespace {

using Variables = EmulateTest;

__device__ float Table[64];
__constant__ int Weights[3] = {1, 2, 3};

constexpr unsigned TableLine = __LINE__ + 1;
__global__ void looksUp(float *out, long at) { out[threadIdx.x] = Table[at + threadIdx.x]; }
__global__ void stores(long at) { Table[at] = 1; }
__global__ void weighs(int *out, int at) { *out = Weights[at]; }

TEST_F(Variables, HaveBounds) {
  const Device<float> Out(64);
  LAUNCH(looksUp, Never, 1, 64)(Out, 0);
  LAUNCH(stores, Never, 1, 1)(63);
  const Device<int> Weight(1);
  LAUNCH(weighs, Never, 1, 1)(Weight, 2);
  EXPECT_EQ(texts(), "");
  LAUNCH(looksUp, Never, 1, 2)(Out, 63);
  const CupelEmulationError E = only("global-out-of-bounds");
  EXPECT_STREQ(E.Text, "reads 4 bytes 0 bytes past the end of variable "
                       "'(anonymous namespace)::Table' of 256 bytes");
  EXPECT_EQ(E.Line, TableLine);
  EXPECT_EQ(E.Thread[0], 1u);
  cupelEmulateReset();
  LAUNCH(weighs, Never, 1, 1)(Weight, 4);
  EXPECT_NE(std::string(only("global-out-of-bounds").Text).find("Weights' of 12 bytes"),
            std::string::npos);
}

TEST_F(Variables, AccessesFarBehindThem) {
  const Device<float> Out(1);
  for (const long At : {1L << 18, 1L << 22}) {
    LAUNCH(looksUp, Never, 1, 1)(Out, At);
    EXPECT_NE(std::string(only("global-out-of-bounds").Text)
                  .find("reads 4 bytes outside of all allocations and variables, "),
              std::string::npos);
    cupelEmulateReset();
    LAUNCH(stores, Never, 1, 1)(At);
    only("global-out-of-bounds");
    cupelEmulateReset();
  }
}

__constant__ const float Half = 0.5f;
__constant__ float4 Vectors[2];
const bool Marked = emu::markConstants({"(anonymous namespace)::Vectors"});

// What a name means to code that both sides run.
float *tableOfEither() { return emu::named(Table); }

__global__ void readsAt(const float *in, float *out) { *out = in[1]; }
__global__ void readsEither(float *out) { *out = tableOfEither()[1]; }
__global__ void storesConstant() { const_cast<float4 &>(Vectors[1]).y = 1.0f; }
__global__ void loadsConstant(float *out) { *out = Vectors[1].y; }

TEST_F(Variables, TheHostsNameOfAVariableOfTheDevice) {
  const Device<float> Out(1);
  const float Values[] = {0, 4, 0};
  EXPECT_EQ(cudaMemcpyToSymbol(emu::named(Table), Values, sizeof(Values)), cudaSuccess);
  float *Address = nullptr;
  EXPECT_EQ(cudaGetSymbolAddress(reinterpret_cast<void **>(&Address), emu::named(Table)),
            cudaSuccess);
  LAUNCH(readsAt, Never, 1, 1)(Address, Out);
  EXPECT_EQ(Out.get()[0], 4.0f);
  LAUNCH(readsEither, Never, 1, 1)(Out);
  EXPECT_EQ(Out.get()[0], 4.0f);
  float Back = 0;
  EXPECT_EQ(cudaMemcpyFromSymbol(&Back, emu::named(Table), 4, 4), cudaSuccess);
  EXPECT_EQ(Back, 4.0f);
  // A constant's value is the same on both sides.
  EXPECT_EQ(emu::named(Half), 0.5f);
  EXPECT_EQ(cudaMemcpy(Out, &emu::named(Half), 4, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(texts(), "");
  LAUNCH(readsAt, Never, 1, 1)(tableOfEither(), Out);
  const CupelEmulationError E = only("host-memory");
  EXPECT_EQ(E.Rejects, 1);
  EXPECT_EQ(std::string(E.Text).rfind("reads 4 bytes of the host's own '(anonymous "
                                      "namespace)::Table', named (line ",
                                      0),
            0u)
      << E.Text;
}

TEST_F(Variables, TheHostReadsAndCopiesWhatItNames) {
  const Device<float> Out(1);
  volatile float Read = emu::named(Table)[2];
  static_cast<void>(Read);
  EXPECT_EQ(only("host-memory").InThread, 0);
  EXPECT_EQ(only("host-memory").Line, unsigned(__LINE__ - 3));
  cupelEmulateReset();
  emu::named(Table)[2] = 1.0f;
  only("host-memory");
  cupelEmulateReset();
  for (const auto Kind : {cudaMemcpyHostToDevice, cudaMemcpyDeviceToDevice, cudaMemcpyDefault}) {
    EXPECT_EQ(cudaMemcpy(Out, emu::named(Table), 4, Kind), cudaErrorInvalidValue);
    only("host-memory");
    cupelEmulateReset();
  }
  EXPECT_EQ(cudaMemset(emu::named(Table), 0, 4), cudaErrorInvalidValue);
  only("host-memory");
}

TEST_F(Variables, AKernelWritesAConstant) {
  const Device<float> Out(1);
  const float4 Values[2] = {{}, {0, 3, 0, 0}};
  EXPECT_EQ(cudaMemcpyToSymbol(emu::named(Vectors), Values, sizeof(Values)), cudaSuccess);
  LAUNCH(loadsConstant, Never, 1, 1)(Out);
  EXPECT_EQ(Out.get()[0], 3.0f);
  EXPECT_EQ(texts(), "");
  LAUNCH(storesConstant, Never, 1, 1)();
  EXPECT_STREQ(
      only("constant-write").Text,
      "writes 4 bytes of '(anonymous namespace)::Vectors', which is __constant__: no kernel "
      "may change it");
}

} // namespace
