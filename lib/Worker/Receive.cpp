//===- Receive.cpp - how outputs get from the candidate to the judge --------===//

#include "Receive.h"
#include <ATen/ops/clone.h>
#include <ATen/ops/from_blob.h>
#include <cstring>
#include <cuda_runtime_api.h>
#include <fcntl.h>
#include <random>
#include <sys/mman.h>
#include <unistd.h>

using namespace cupel::worker;

namespace {

[[noreturn]] void failed(const std::string &What) {
  throw WorkerError("receive", "receive-failed", What);
}

//===----------------------------------------------------------------------===//
// Memory that both processes have from the start
//===----------------------------------------------------------------------===//

int ExchangeFd = -1;
/// The judge's: where the next buffer begins, and how many there are.
size_t ExchangeEnd = 0, ExchangeUsers = 0;

constexpr size_t PageBytes = 4096;

/// A part of it, mapped.
class ExchangePart {
public:
  ExchangePart(size_t Offset, size_t Bytes) : Bytes(Bytes) {
    Data = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE, MAP_SHARED, ExchangeFd,
                static_cast<off_t>(Offset));
    if (Data == MAP_FAILED)
      failed(std::string("memory for an output: ") + std::strerror(errno));
  }
  ~ExchangePart() { munmap(Data, Bytes); }
  ExchangePart(const ExchangePart &) = delete;

  const size_t Bytes;
  void *Data;
};

/// Takes the next part, big enough now and not only when it is touched.
size_t takeExchange(size_t Bytes) {
  size_t Offset = ExchangeEnd, Room = (Bytes + PageBytes - 1) / PageBytes * PageBytes;
  if (int Error = posix_fallocate(ExchangeFd, static_cast<off_t>(Offset), static_cast<off_t>(Room)))
    throw WorkerError("receive", "out-of-memory",
                      "no memory for an output of " + bytesText(static_cast<int64_t>(Bytes)) +
                          ": " + std::strerror(Error));
  ExchangeEnd += Room;
  ++ExchangeUsers;
  return Offset;
}

class ExchangeBuffer : public ReceiveBuffer {
public:
  ExchangeBuffer(Device &Device, size_t Bytes)
      : On(Device), Offset(takeExchange(Bytes)), Memory(Offset, Bytes) {}
  ~ExchangeBuffer() override {
    fallocate(ExchangeFd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(Offset),
              static_cast<off_t>(Memory.Bytes));
    if (--ExchangeUsers == 0)
      ExchangeEnd = 0;
  }

  Json describe() const override {
    return {{"kind", "memory"}, {"offset", Offset}, {"bytes", Memory.Bytes}};
  }
  void poison() override { std::memset(Memory.Data, 0xFF, Memory.Bytes); }
  at::Tensor contents(c10::IntArrayRef Shape, c10::ScalarType Type) override {
    auto View = at::from_blob(Memory.Data, Shape, c10::TensorOptions().dtype(Type));
    return View.to(On.torch(), Type, /*non_blocking=*/false, /*copy=*/true);
  }

private:
  Device &On;
  size_t Offset;
  ExchangePart Memory;
};

//===----------------------------------------------------------------------===//
// Shared memory with a name
//===----------------------------------------------------------------------===//

/// A POSIX shared memory object, mapped.
class SharedMemory {
public:
  SharedMemory(const std::string &Name, size_t Bytes, bool Create) : Name(Name), Bytes(Bytes) {
    int Fd = shm_open(Name.c_str(), O_RDWR | (Create ? O_CREAT | O_EXCL : 0), 0600);
    if (Fd < 0)
      failed("shared memory '" + Name + "': " + std::strerror(errno));
    // posix_fallocate and not ftruncate: without room it fails here instead of with SIGBUS later.
    int Error = Create ? posix_fallocate(Fd, 0, static_cast<off_t>(Bytes)) : 0;
    if (Error == 0)
      Data = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE, MAP_SHARED, Fd, 0);
    ::close(Fd);
    Owner = Create;
    if (Error == 0 && Data != MAP_FAILED)
      return;
    if (Create)
      shm_unlink(Name.c_str());
    if (Error == ENOSPC)
      throw WorkerError("receive", "out-of-memory",
                        "/dev/shm has no room for an output of " +
                            bytesText(static_cast<int64_t>(Bytes)));
    failed("shared memory '" + Name + "': " + std::strerror(Error ? Error : errno));
  }
  ~SharedMemory() {
    munmap(Data, Bytes);
    if (Owner)
      shm_unlink(Name.c_str());
  }
  SharedMemory(const SharedMemory &) = delete;

  const std::string Name;
  const size_t Bytes;
  void *Data = MAP_FAILED;

private:
  bool Owner = false;
};

std::string randomName() {
  std::random_device Random;
  char Name[40];
  std::snprintf(Name, sizeof Name, "/cupel-%08x%08x%08x", Random(), Random(), Random());
  return Name;
}

class SharedBuffer : public ReceiveBuffer {
public:
  SharedBuffer(Device &Device, size_t Bytes) : On(Device), Memory(randomName(), Bytes, true) {}

  Json describe() const override {
    return {{"kind", "shm"}, {"handle", Memory.Name}, {"bytes", Memory.Bytes}};
  }
  void poison() override { std::memset(Memory.Data, 0xFF, Memory.Bytes); }
  at::Tensor contents(c10::IntArrayRef Shape, c10::ScalarType Type) override {
    auto View = at::from_blob(Memory.Data, Shape, c10::TensorOptions().dtype(Type));
    return View.to(On.torch(), Type, /*non_blocking=*/false, /*copy=*/true);
  }

private:
  Device &On;
  SharedMemory Memory;
};

//===----------------------------------------------------------------------===//
// CUDA IPC
//===----------------------------------------------------------------------===//

/// The driver maps and exports memory in pieces of this size (CUDA Programming Guide, Interprocess
/// Communication), so a smaller allocation could share its piece with another one.
constexpr size_t IpcGranularity = size_t(2) << 20;

std::string hex(const void *Data, size_t Size) {
  static const char Digits[] = "0123456789abcdef";
  std::string Text;
  for (size_t I = 0; I < Size; ++I) {
    auto Byte = static_cast<const unsigned char *>(Data)[I];
    Text += {Digits[Byte >> 4], Digits[Byte & 15]};
  }
  return Text;
}

bool unhex(const std::string &Text, void *Data, size_t Size) {
  if (Text.size() != 2 * Size)
    return false;
  for (size_t I = 0; I < Size; ++I) {
    unsigned Byte;
    if (std::sscanf(Text.c_str() + 2 * I, "%2x", &Byte) != 1)
      return false;
    static_cast<unsigned char *>(Data)[I] = static_cast<unsigned char>(Byte);
  }
  return true;
}

class CudaBuffer : public ReceiveBuffer {
public:
  CudaBuffer(Device &Device, size_t Bytes) : On(Device), Bytes(Bytes) {
    Room = (Bytes + IpcGranularity - 1) / IpcGranularity * IpcGranularity;
    checkCuda(cudaMalloc(&Data, Room), "receive", "a receive buffer");
  }
  ~CudaBuffer() override { cudaFree(Data); }
  CudaBuffer(const CudaBuffer &) = delete;

  /// Whether this machine's driver exports the allocation.
  bool exported() {
    if (cudaIpcGetMemHandle(&Handle, Data) == cudaSuccess)
      return true;
    cudaGetLastError();
    return false;
  }

  Json describe() const override {
    return {{"kind", "cuda_ipc"}, {"handle", hex(&Handle, sizeof Handle)}, {"bytes", Bytes}};
  }
  void poison() override {
    checkCuda(cudaMemset(Data, 0xFF, Room), "receive", "poisoning a receive buffer");
    On.synchronize();
  }
  at::Tensor contents(c10::IntArrayRef Shape, c10::ScalarType Type) override {
    return at::for_blob(Data, Shape)
        .options(c10::TensorOptions(On.torch()).dtype(Type))
        .target_device(On.torch())
        .make_tensor()
        .clone();
  }

private:
  Device &On;
  size_t Bytes, Room;
  void *Data = nullptr;
  cudaIpcMemHandle_t Handle{};
};

void sendThroughIpc(const std::string &HandleText, const at::Tensor &Output) {
  cudaIpcMemHandle_t Handle;
  if (!unhex(HandleText, &Handle, sizeof Handle))
    failed("the handle is no CUDA IPC handle");
  void *Target = nullptr;
  checkCuda(cudaIpcOpenMemHandle(&Target, Handle, cudaIpcMemLazyEnablePeerAccess), "receive",
            "opening a receive buffer");
  int Copied = cudaMemcpy(Target, Output.const_data_ptr(), Output.nbytes(), cudaMemcpyDefault);
  // A copy on the device returns before it is done, and the judge does not wait for this process.
  if (Copied == cudaSuccess)
    Copied = cudaDeviceSynchronize();
  cudaIpcCloseMemHandle(Target);
  checkCuda(Copied, "receive", "copying an output");
}

} // namespace

void cupel::worker::setExchangeMemory(int Fd) { ExchangeFd = Fd; }

std::unique_ptr<ReceiveBuffer> ReceiveBuffer::make(Device &Device, int64_t Bytes) {
  auto Size = static_cast<size_t>(std::max<int64_t>(Bytes, 1));
  std::unique_ptr<ReceiveBuffer> Result;
  if (Device.isCuda()) {
    auto Cuda = std::make_unique<CudaBuffer>(Device, Size);
    if (Cuda->exported())
      Result = std::move(Cuda);
  }
  if (!Result && ExchangeFd >= 0)
    Result = std::make_unique<ExchangeBuffer>(Device, Size);
  if (!Result)
    Result = std::make_unique<SharedBuffer>(Device, Size);
  Result->poison();
  return Result;
}

void cupel::worker::sendOutput(Device &Device, const Json &Receive, const at::Tensor &Output) {
  auto Kind = field<std::string>(Receive, "kind");
  auto Bytes = field<size_t>(Receive, "bytes");
  if (Output.nbytes() > Bytes)
    failed("an output of " + std::to_string(Output.nbytes()) + " bytes for a buffer of " +
           std::to_string(Bytes));
  at::Tensor Dense = Output.contiguous();
  auto CopyTo = [&](void *Data) {
    at::from_blob(Data, Dense.sizes(), c10::TensorOptions().dtype(Dense.scalar_type()))
        .copy_(Dense);
  };
  if (Kind == "memory") {
    CopyTo(ExchangePart(field<size_t>(Receive, "offset"), Bytes).Data);
    return;
  }
  auto Handle = field<std::string>(Receive, "handle");
  if (Kind == "cuda_ipc") {
    Device.synchronize();
    sendThroughIpc(Handle, Dense);
  } else if (Kind == "shm") {
    CopyTo(SharedMemory(Handle, Bytes, false).Data);
  } else {
    failed("there is no kind of buffer '" + Kind + "'");
  }
}
