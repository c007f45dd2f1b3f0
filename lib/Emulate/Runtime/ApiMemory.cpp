// The CUDA runtime's memory functions. Device memory is memory of this process, and every stream's
// work is done when the call that asks for it returns, so copies need no direction.

#include "ApiError.h"
#include "DeviceMemory.h"
#include "Errors.h"
#include "HostHeap.h"
#include "HostNames.h"

#include <cstring>
#include <dlfcn.h>

using namespace cupel::emu;

static cudaError_t allocateAt(void **At, size_t Size, bool HostVisible) {
  if (!At)
    return fail(cudaErrorInvalidValue);
  if (const cudaError_t Sticky = sticky())
    return Sticky;
  *At = nullptr;
  if (Size == 0)
    return cudaSuccess;
  if (Size > DeviceMemoryBytes || deviceBytesInUse() + Size > DeviceMemoryBytes)
    return fail(cudaErrorMemoryAllocation);
  *At = allocate(Size, HostVisible ? MemoryKind::HostVisible : MemoryKind::Device);
  if (!*At)
    return fail(cudaErrorMemoryAllocation);
  // NaN as floats: what was never written shows in the results.
  std::memset(*At, 0xff, Size);
  return cudaSuccess;
}

static cudaError_t freeAt(void *At) {
  return !At || release(At) ? cudaSuccess : fail(cudaErrorInvalidValue);
}

namespace {
/// A function of the runtime that copies or sets memory, and where it was called.
struct Request {
  const char *Function;
  const void *Return;
};
struct Rows {
  const void *First;
  size_t Pitch, Width, Count;
};
} // namespace

#define REQUEST(NAME)                                                                              \
  Request { NAME, __builtin_return_address(0) }

// Whether the rows lie in allocations, as far as these are known of the host. A GPU refuses what
// goes over the end of the device's, which a submission need not see, or writes over what lies
// behind a tensor in the same block of torch's allocator.
static bool reaches(const Request &R, const Rows &Of, bool Write) {
  for (size_t Row = 0; Of.Width && Row < Of.Count; ++Row) {
    const uintptr_t At = reinterpret_cast<uintptr_t>(Of.First) + Row * Of.Pitch;
    const std::string What = std::string(R.Function) + (Write ? " writes " : " reads ") +
                             std::to_string(Of.Width) + " bytes";
    if (const std::optional<HostName> Name = findHostName(At)) {
      if (!Write && Name->Readable)
        continue;
      reportHostName(*Name, What, R.Return);
      return false;
    }
    const bool OnDevice = !Of.First || Arena::contains(At);
    if (Of.First && OnDevice && Arena::addressableRange(At - Arena::Base, Of.Width))
      continue;
    const std::string Wrong =
        OnDevice ? describeAddress(At, Of.Width) : describeHostOverrun(At, Of.Width);
    if (Wrong.empty())
      continue;
    reportError(OnDevice ? "global-out-of-bounds" : "host-out-of-bounds",
                What + " " + Wrong +
                    (Of.Count > 1
                         ? ", in row " + std::to_string(Row) + " of " + std::to_string(Of.Count) +
                               ", " + std::to_string(Of.Pitch) + " bytes apart"
                         : ""),
                R.Return);
    return false;
  }
  return true;
}

// As a GPU's runtime: device memory is an error where the direction says the host's.
static bool directionFits(const void *To, const void *From, cudaMemcpyKind Kind) {
  const auto OnDevice = [](const void *P) {
    const auto At = reinterpret_cast<uintptr_t>(P);
    return Arena::contains(At) && !Arena::hostVisible(At) && !Arena::isName(At);
  };
  switch (Kind) {
  case cudaMemcpyHostToHost:
    return !OnDevice(To) && !OnDevice(From);
  case cudaMemcpyHostToDevice:
    return !OnDevice(From);
  case cudaMemcpyDeviceToHost:
    return !OnDevice(To);
  default:
    return true;
  }
}

static cudaError_t copy2D(const Request &R, void *To, size_t ToPitch, const void *From,
                          size_t FromPitch, size_t Width, size_t Height, cudaMemcpyKind Kind,
                          cudaStream_t Stream) {
  if (const cudaError_t Sticky = sticky())
    return Sticky;
  if (Width > ToPitch || Width > FromPitch)
    return fail(cudaErrorInvalidPitchValue);
  if (!directionFits(To, From, Kind) || !reaches(R, {From, FromPitch, Width, Height}, false) ||
      !reaches(R, {To, ToPitch, Width, Height}, true))
    return fail(cudaErrorInvalidValue);
  inStream(Stream, [=] {
    for (size_t Row = 0; Row < Height; ++Row)
      std::memmove(static_cast<char *>(To) + Row * ToPitch,
                   static_cast<const char *>(From) + Row * FromPitch, Width);
  });
  return cudaSuccess;
}

static cudaError_t set2D(const Request &R, void *To, size_t Pitch, int Value, size_t Width,
                         size_t Height, cudaStream_t Stream) {
  if (const cudaError_t Sticky = sticky())
    return Sticky;
  if (!reaches(R, {To, Pitch, Width, Height}, true))
    return fail(cudaErrorInvalidValue);
  inStream(Stream, [=] {
    for (size_t Row = 0; Row < Height; ++Row)
      std::memset(static_cast<char *>(To) + Row * Pitch, Value, Width);
  });
  return cudaSuccess;
}

static void *inSymbol(const void *Symbol, size_t Offset) {
  return static_cast<char *>(variableOf(Symbol)) + Offset;
}

bool cupel::emu::isSymbol(const char *Function, const volatile void *Symbol) {
  // What no loaded file has is a temporary, as of `&x`, or lies on the stack or the heap.
  auto *const At = const_cast<const void *>(Symbol);
  Dl_info Info;
  if (findHostName(reinterpret_cast<uintptr_t>(At)) || dladdr(At, &Info))
    return true;
  reportError("invalid-symbol",
              std::string(Function) +
                  " is given no variable of the device, but a pointer or another value: it does "
                  "nothing and returns cudaErrorInvalidSymbol",
              __builtin_return_address(0), Severity::Note);
  fail(cudaErrorInvalidSymbol);
  return false;
}

bool cupel::emu::checkSymbol(const char *Function, size_t SymbolSize, size_t Size, size_t Offset) {
  if (Offset <= SymbolSize && Size <= SymbolSize - Offset)
    return true;
  reportError("global-out-of-bounds",
              std::string(Function) + " copies " + std::to_string(Size) + " bytes at offset " +
                  std::to_string(Offset) + " of a variable of " + std::to_string(SymbolSize) +
                  " bytes",
              __builtin_return_address(0));
  fail(cudaErrorInvalidValue);
  return false;
}

extern "C" {

cudaError_t cudaMalloc(void **At, size_t Size) { return allocateAt(At, Size, false); }
cudaError_t cudaMallocAsync(void **At, size_t Size, cudaStream_t) {
  return allocateAt(At, Size, false);
}
cudaError_t cudaMallocManaged(void **At, size_t Size, unsigned) {
  return allocateAt(At, Size, true);
}
cudaError_t cudaMallocHost(void **At, size_t Size) { return allocateAt(At, Size, true); }
cudaError_t cudaHostAlloc(void **At, size_t Size, unsigned) { return allocateAt(At, Size, true); }
cudaError_t cudaMallocPitch(void **At, size_t *Pitch, size_t Width, size_t Height) {
  *Pitch = (Width + 511) / 512 * 512;
  return allocateAt(At, *Pitch * Height, false);
}
cudaError_t cudaFree(void *At) { return freeAt(At); }
cudaError_t cudaFreeAsync(void *At, cudaStream_t) { return freeAt(At); }
cudaError_t cudaFreeHost(void *At) { return freeAt(At); }

cudaError_t cudaHostRegister(void *At, size_t Size, unsigned) {
  registerHost(At, Size);
  return cudaSuccess;
}
cudaError_t cudaHostUnregister(void *At) {
  return unregisterHost(At) ? cudaSuccess : fail(cudaErrorHostMemoryNotRegistered);
}
cudaError_t cudaHostGetDevicePointer(void **Device, void *Host, unsigned) {
  *Device = Host;
  return cudaSuccess;
}
cudaError_t cudaMemGetInfo(size_t *Free, size_t *Total) {
  *Total = DeviceMemoryBytes;
  *Free = DeviceMemoryBytes - deviceBytesInUse();
  return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *A, const void *P) {
  *A = {};
  const auto At = reinterpret_cast<uintptr_t>(P);
  A->type = cudaMemoryTypeUnregistered;
  A->device = -1;
  if (Arena::contains(At) && !Arena::isName(At)) {
    A->type = Arena::hostVisible(At) ? cudaMemoryTypeHost : cudaMemoryTypeDevice;
    A->device = 0;
    A->devicePointer = const_cast<void *>(P);
    A->hostPointer = Arena::hostVisible(At) ? const_cast<void *>(P) : nullptr;
  }
  return cudaSuccess;
}

cudaError_t cudaMemcpy(void *To, const void *From, size_t Size, cudaMemcpyKind Kind) {
  return copy2D(REQUEST("cudaMemcpy"), To, Size, From, Size, Size, 1, Kind, nullptr);
}
cudaError_t cudaMemcpyAsync(void *To, const void *From, size_t Size, cudaMemcpyKind Kind,
                            cudaStream_t Stream) {
  return copy2D(REQUEST("cudaMemcpyAsync"), To, Size, From, Size, Size, 1, Kind, Stream);
}
cudaError_t cudaMemcpy2D(void *To, size_t ToPitch, const void *From, size_t FromPitch, size_t Width,
                         size_t Height, cudaMemcpyKind Kind) {
  return copy2D(REQUEST("cudaMemcpy2D"), To, ToPitch, From, FromPitch, Width, Height, Kind,
                nullptr);
}
cudaError_t cudaMemcpy2DAsync(void *To, size_t ToPitch, const void *From, size_t FromPitch,
                              size_t Width, size_t Height, cudaMemcpyKind Kind,
                              cudaStream_t Stream) {
  return copy2D(REQUEST("cudaMemcpy2DAsync"), To, ToPitch, From, FromPitch, Width, Height, Kind,
                Stream);
}
cudaError_t cudaMemset(void *To, int Value, size_t Size) {
  return set2D(REQUEST("cudaMemset"), To, Size, Value, Size, 1, nullptr);
}
cudaError_t cudaMemsetAsync(void *To, int Value, size_t Size, cudaStream_t Stream) {
  return set2D(REQUEST("cudaMemsetAsync"), To, Size, Value, Size, 1, Stream);
}
cudaError_t cudaMemset2D(void *To, size_t Pitch, int Value, size_t Width, size_t Height) {
  return set2D(REQUEST("cudaMemset2D"), To, Pitch, Value, Width, Height, nullptr);
}
cudaError_t cudaMemset2DAsync(void *To, size_t Pitch, int Value, size_t Width, size_t Height,
                              cudaStream_t Stream) {
  return set2D(REQUEST("cudaMemset2DAsync"), To, Pitch, Value, Width, Height, Stream);
}

// A variable of the device is a global variable of the host; what names it there is HostNames.h's.
cudaError_t cudaMemcpyToSymbol(const void *Symbol, const void *From, size_t Size, size_t Offset,
                               cudaMemcpyKind) {
  return copy2D(REQUEST("cudaMemcpyToSymbol"), inSymbol(Symbol, Offset), Size, From, Size, Size, 1,
                cudaMemcpyDefault, nullptr);
}
cudaError_t cudaMemcpyToSymbolAsync(const void *Symbol, const void *From, size_t Size,
                                    size_t Offset, cudaMemcpyKind, cudaStream_t Stream) {
  return copy2D(REQUEST("cudaMemcpyToSymbolAsync"), inSymbol(Symbol, Offset), Size, From, Size,
                Size, 1, cudaMemcpyDefault, Stream);
}
cudaError_t cudaMemcpyFromSymbol(void *To, const void *Symbol, size_t Size, size_t Offset,
                                 cudaMemcpyKind) {
  return copy2D(REQUEST("cudaMemcpyFromSymbol"), To, Size, inSymbol(Symbol, Offset), Size, Size, 1,
                cudaMemcpyDefault, nullptr);
}
cudaError_t cudaMemcpyFromSymbolAsync(void *To, const void *Symbol, size_t Size, size_t Offset,
                                      cudaMemcpyKind, cudaStream_t Stream) {
  return copy2D(REQUEST("cudaMemcpyFromSymbolAsync"), To, Size, inSymbol(Symbol, Offset), Size,
                Size, 1, cudaMemcpyDefault, Stream);
}
cudaError_t cudaGetSymbolAddress(void **At, const void *Symbol) {
  *At = variableOf(Symbol);
  return cudaSuccess;
}

cudaError_t cudaMemPrefetchAsync(const void *, size_t, cudaMemLocation, unsigned, cudaStream_t) {
  return cudaSuccess;
}
cudaError_t cudaMemAdvise(const void *, size_t, cudaMemoryAdvise, cudaMemLocation) {
  return cudaSuccess;
}
}
