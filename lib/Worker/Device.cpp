//===- Device.cpp - where a run takes place: the CPU or a GPU ---------------===//

#include "Device.h"
#include "Emulation/EmulatedDevice.h"
#include <ATen/Context.h>
#include <ATen/Functions.h>
#include <ATen/Parallel.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAStream.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <fstream>
#include <malloc.h>
#include <torch/headeronly/version.h>
#include <unistd.h>
#include <vector>

using namespace cupel::worker;

std::string cupel::worker::bytesText(int64_t Bytes) {
  const char *Units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  double Value = static_cast<double>(Bytes);
  size_t Unit = 0;
  for (; Value >= 1024 && Unit + 1 < std::size(Units); ++Unit)
    Value /= 1024;
  char Text[48];
  std::snprintf(Text, sizeof Text, Unit == 0 ? "%.0f %s" : "%.1f %s", Value, Units[Unit]);
  return Text;
}

void cupel::worker::requireMemory(Device &Device, int64_t Bytes, const std::string &What) {
  int64_t Free = Device.freeBytes();
  if (Bytes > Free)
    throw WorkerError("memory", "out-of-memory",
                      What + " needs " + bytesText(Bytes) + ", and " + bytesText(Free) +
                          " are free");
}

void cupel::worker::checkCuda(int Error, const char *Stage, const char *What) {
  if (Error == cudaSuccess)
    return;
  auto Code = static_cast<cudaError_t>(Error);
  bool Memory = Code == cudaErrorMemoryAllocation;
  WorkerError E(Stage, Memory ? "out-of-memory" : "cuda-error",
                std::string(What) + ": " + cudaGetErrorString(Code));
  E.CudaError = cudaGetErrorName(Code);
  throw E;
}

//===----------------------------------------------------------------------===//
// CPU
//===----------------------------------------------------------------------===//

namespace {

std::string cpuName() {
  std::ifstream In("/proc/cpuinfo");
  for (std::string Line; std::getline(In, Line);)
    if (Line.starts_with("model name"))
      return Line.substr(Line.find(':') + 2);
  return "cpu";
}

/// Bytes of the line `Name:` of /proc/meminfo.
int64_t memoryInfo(const char *Name) {
  std::ifstream In("/proc/meminfo");
  for (std::string Line; std::getline(In, Line);)
    if (Line.starts_with(Name))
      return std::strtoll(Line.c_str() + std::strlen(Name) + 1, nullptr, 10) * 1024;
  return 0;
}

class CpuDevice : public Device {
public:
  CpuDevice() {
    // Freed blocks must be handed out again for Poison.cpp to reach what at::empty returns; by
    // default malloc maps large blocks afresh, full of zeros.
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, INT32_MAX);
    // The team of OpenMP's threads spins at each barrier: on a machine with more to do than cores a
    // reference took a hundred times longer on two threads than on one. Check sizes need no more.
    if (!std::getenv("OMP_NUM_THREADS"))
      at::set_num_threads(1);
  }

  c10::Device torch() const override { return c10::kCPU; }
  void synchronize() override {}
  bool isBroken() override { return false; }
  void flushCache() override {
    long Size = sysconf(_SC_LEVEL3_CACHE_SIZE);
    Cache.resize(Size > 0 ? 2 * static_cast<size_t>(Size) : size_t(64) << 20);
    std::memset(Cache.data(), ++Pattern, Cache.size());
  }
  void emptyCache() override {}
  int64_t freeBytes() override { return memoryInfo("MemAvailable"); }
  Json info() override {
    return {{"device_name", cpuName()},
            {"torch", TORCH_VERSION},
            {"memory_bytes", memoryInfo("MemTotal")}};
  }

private:
  std::vector<char> Cache;
  int Pattern = 0;
};

//===----------------------------------------------------------------------===//
// GPU
//===----------------------------------------------------------------------===//

/// `GPU-1b2c...`, as nvidia-smi spells it.
std::string uuidText(const cudaUUID_t &Uuid) {
  std::string Text = "GPU-";
  for (size_t I = 0; I != sizeof Uuid.bytes; ++I) {
    char Digits[4];
    std::snprintf(Digits, sizeof Digits, "%02x", static_cast<unsigned char>(Uuid.bytes[I]));
    Text += I == 4 || I == 6 || I == 8 || I == 10 ? "-" : "";
    Text += Digits;
  }
  return Text;
}

/// The kernel module's version, `580.65.06`, or where it cannot be seen the CUDA version of the
/// driver. NVML would say it too, and takes a while to start.
std::string driverVersion() {
  std::string Text;
  if (std::ifstream In("/sys/module/nvidia/version"); std::getline(In, Text) && !Text.empty())
    return Text;
  int Version = 0;
  cudaDriverGetVersion(&Version);
  return "CUDA " + std::to_string(Version / 1000) + "." + std::to_string(Version % 1000 / 10);
}

class CudaDevice : public Device {
public:
  explicit CudaDevice(const cudaDeviceProp &Properties) : Properties(Properties) {}
  ~CudaDevice() override { cudaFree(Cache); }

  c10::Device torch() const override { return {c10::kCUDA, 0}; }

  void synchronize() override {
    int Waited = cudaDeviceSynchronize();
    int Left = cudaGetLastError();
    checkCuda(Waited != cudaSuccess ? Waited : Left, "device", "CUDA");
  }

  bool isBroken() override {
    cudaGetLastError();
    return cudaDeviceSynchronize() != cudaSuccess;
  }

  void flushCache() override {
    if (!Cache)
      checkCuda(cudaMalloc(&Cache, flushBytes()), "device", "the buffer that flushes the L2 cache");
    checkCuda(cudaMemsetAsync(Cache, 0, flushBytes(), c10::cuda::getCurrentCUDAStream()), "device",
              "flushing the L2 cache");
  }

  void flushCacheClean() override {
    flushCache();
    // Reading pushes the lines that the fill left behind out to memory. Without it their way there,
    // half the cache's size, counts as the next kernel's (seen against ncu on an H200: 25 MB).
    auto Options = at::TensorOptions().dtype(at::kFloat).device(at::kCUDA);
    at::from_blob(Cache, {static_cast<int64_t>(flushBytes() / sizeof(float))}, Options).sum();
  }

  size_t flushBytes() const {
    return std::max<size_t>(2 * static_cast<size_t>(Properties.l2CacheSize), size_t(32) << 20);
  }

  std::string pciBusId() override {
    char Text[32] = "";
    checkCuda(cudaDeviceGetPCIBusId(Text, sizeof Text, 0), "device", "asking for the bus");
    return Text;
  }

  void emptyCache() override { c10::cuda::CUDACachingAllocator::emptyCache(); }

  int64_t freeBytes() override {
    emptyCache();
    size_t Free = 0, Total = 0;
    checkCuda(cudaMemGetInfo(&Free, &Total), "device", "asking for the free memory");
    return static_cast<int64_t>(Free);
  }

  void resetPeakBytes() override { c10::cuda::CUDACachingAllocator::resetPeakStats(0); }

  std::optional<int64_t> peakBytes() override {
    constexpr auto All = static_cast<size_t>(c10::CachingAllocator::StatType::AGGREGATE);
    return c10::cuda::CUDACachingAllocator::getDeviceStats(0).allocated_bytes[All].peak;
  }

  Json info() override {
    int Runtime = 0;
    cudaRuntimeGetVersion(&Runtime);
    return {{"device_name", Properties.name},
            {"uuid", uuidText(Properties.uuid)},
            {"driver", driverVersion()},
            {"torch", TORCH_VERSION},
            {"cuda", std::to_string(Runtime / 1000) + "." + std::to_string(Runtime % 1000 / 10)},
            {"sm", std::to_string(10 * Properties.major + Properties.minor)},
            {"sm_count", Properties.multiProcessorCount},
            {"l2_bytes", Properties.l2CacheSize},
            {"memory_bytes", Properties.totalGlobalMem},
            {"memory_gb_per_s", memoryRate()}};
  }

private:
  int attribute(cudaDeviceAttr Which) const {
    int Value = 0;
    return cudaDeviceGetAttribute(&Value, Which, 0) == cudaSuccess ? Value : 0;
  }

  /// What the memory's pins can carry: two transfers a clock. Null where the driver does not tell.
  Json memoryRate() const {
    const double Hertz = 1e3 * attribute(cudaDevAttrMemoryClockRate);
    const double Bytes = attribute(cudaDevAttrGlobalMemoryBusWidth) / 8.0;
    return Hertz > 0 && Bytes > 0 ? Json(2 * Hertz * Bytes * 1e-9) : Json();
  }

  cudaDeviceProp Properties;
  void *Cache = nullptr;
};

std::unique_ptr<Device> openCuda() {
  auto Unavailable = [](const std::string &Why) {
    return WorkerError("device", "device-unavailable", "no CUDA device: " + Why);
  };
  int Count = 0;
  if (cudaError_t Error = cudaGetDeviceCount(&Count); Error != cudaSuccess)
    throw Unavailable(cudaGetErrorString(Error));
  if (Count == 0)
    throw Unavailable("the driver lists none");
  // Before anything asks torch whether it has CUDA, since it remembers the answer.
  if (!dlopen("libtorch_cuda.so", RTLD_NOW | RTLD_GLOBAL))
    throw Unavailable(dlerror());
  // Which compiled baselines name, and would not find by our run path.
  dlopen("libtorch.so", RTLD_NOW | RTLD_GLOBAL);
  try {
    at::globalContext().lazyInitDevice(c10::DeviceType::CUDA);
  } catch (const std::exception &E) {
    throw Unavailable(E.what());
  }
  cudaDeviceProp Properties;
  checkCuda(cudaGetDeviceProperties(&Properties, 0), "device",
            "asking for the device's properties");
  return std::make_unique<CudaDevice>(Properties);
}

} // namespace

std::unique_ptr<Device> Device::open(const std::string &Kind) {
  if (Kind == "cpu")
    return std::make_unique<CpuDevice>();
  if (Kind == "cuda")
    return openCuda();
  if (Kind == "emulated")
    return openEmulated();
  throw WorkerError("request", "bad-request",
                    "'" + Kind + "' is no device; it is 'cuda', 'cpu' or 'emulated'");
}
