//===- EmulatedDevice.cpp - a CUDA device that the CPU plays ----------------===//

#include "EmulatedDevice.h"
#include "../../Emulate/Runtime/Report.h"
#include "CudaLabels.h"
#include <dlfcn.h>

using namespace cupel::worker;

namespace {

/// Finds a function of Report.h. The library is there before the process is (it is preloaded), so
/// that its functions stand for the CUDA runtime's in everything; nothing here links it.
template <typename F> F *runtimeFunction(F *, const char *Name) {
  if (void *Found = dlsym(RTLD_DEFAULT, Name))
    return reinterpret_cast<F *>(Found);
  throw WorkerError("device", "device-unavailable",
                    std::string("the emulation's run-time is not loaded (no ") + Name + ")");
}
#define RUNTIME(Name) decltype(&::Name) Name = runtimeFunction<decltype(::Name)>(nullptr, #Name)

/// The emulation's cudaDeviceSynchronize; errors of kernels are in its list.
extern "C" int cupelEmulated_cudaDeviceSynchronize(void);

Json indexOf(const unsigned (&Index)[3]) { return {Index[0], Index[1], Index[2]}; }

class EmulatedDevice : public Device {
public:
  EmulatedDevice() : Cpu(Device::open("cpu")) {
    installCudaLabels({cupelEmulateAllocate, cupelEmulateFree});
  }

  c10::Device torch() const override { return {c10::kCUDA, 0}; }
  c10::Device drawsOn() const override { return c10::kCPU; }
  bool isEmulated() const override { return true; }

  void synchronize() override { cupelEmulated_cudaDeviceSynchronize(); }
  bool isBroken() override { return false; }
  void flushCache() override {}
  void emptyCache() override {}
  int64_t freeBytes() override { return Cpu->freeBytes(); }
  Json info() override { return Cpu->info(); }

  void beginCall(uint64_t Seed) override {
    cupelEmulateReset();
    cupelEmulateSeed(Seed);
  }

  Json errors() override {
    synchronize();
    Json List = Json::array();
    for (size_t I = 0; I < cupelEmulateErrorCount(); ++I) {
      const CupelEmulationError *E = cupelEmulateErrorAt(I);
      Json Record = {{"kind", E->Kind}, {"kernel", E->Kernel},        {"text", E->Text},
                     {"line", E->Line}, {"rejects", E->Rejects != 0}, {"count", E->Count}};
      if (E->InThread) {
        Record["block"] = indexOf(E->Block);
        Record["thread"] = indexOf(E->Thread);
      }
      List.push_back(std::move(Record));
    }
    return List;
  }

  Json kernels() override {
    Json List = Json::array();
    for (size_t I = 0; I < cupelEmulateKernelCount(); ++I) {
      const CupelEmulationKernel *K = cupelEmulateKernelAt(I);
      List.push_back({{"name", K->Name},
                      {"mangled_name", K->MangledName},
                      {"calls", K->Calls},
                      {"grid", indexOf(K->Grid)},
                      {"block", indexOf(K->Block)},
                      {"dynamic_shared_bytes", K->DynamicSharedBytes}});
    }
    return List;
  }

private:
  std::unique_ptr<Device> Cpu;
  RUNTIME(cupelEmulated_cudaDeviceSynchronize);
  RUNTIME(cupelEmulateErrorCount);
  RUNTIME(cupelEmulateErrorAt);
  RUNTIME(cupelEmulateKernelCount);
  RUNTIME(cupelEmulateKernelAt);
  RUNTIME(cupelEmulateReset);
  RUNTIME(cupelEmulateSeed);
  RUNTIME(cupelEmulateAllocate);
  RUNTIME(cupelEmulateFree);
};

} // namespace

std::unique_ptr<Device> cupel::worker::openEmulated() { return std::make_unique<EmulatedDevice>(); }
