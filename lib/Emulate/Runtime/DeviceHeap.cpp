// malloc, free, new and delete of the submission's code, whose calls are linked to what is here
// (share/emulate/link-options.txt). A kernel's are the device's (programming guide, "Dynamic Global
// Memory Allocation and Operations"); the host's are the C library's, with the sizes kept.

#include "DeviceMemory.h"
#include "Errors.h"
#include "HostHeap.h"
#include "State.h"

#include <cstdlib>
#include <cstring>
#include <new>

using namespace cupel::emu;

// As the guide says, nullptr where the heap is full, also of `new`.
static void *allocateInKernel(size_t Size) {
  void *At = allocate(Size, MemoryKind::Heap);
  if (At)
    std::memset(At, 0xff, Size);
  return At;
}

// "ptr [...] must have been returned by a previous call to malloc()", of a kernel.
static void freeInKernel(void *At, const void *Return) {
  if (!At || release(At, MemoryKind::Heap))
    return;
  const Allocation A = findAllocation(reinterpret_cast<uintptr_t>(At));
  const bool Begins = A.Begin == reinterpret_cast<uintptr_t>(At);
  reportError("invalid-free",
              !Begins   ? "frees an address that no malloc of a kernel has returned"
              : A.Freed ? "frees memory that is freed already"
                        : "frees memory that the host has allocated, by cudaMalloc or its kin",
              Return);
  abandonKernel();
}

#define RETURN_ADDRESS __builtin_return_address(0)

extern "C" {
void *__wrap_malloc(size_t N) {
  return Here.Current ? allocateInKernel(N) : rememberHost(std::malloc(withMark(N)), N);
}
void __wrap_free(void *At) {
  if (Here.Current)
    return freeInKernel(At, RETURN_ADDRESS);
  forgetHost(At);
  std::free(At);
}
void *__wrap_realloc(void *At, size_t N) {
  forgetHost(At);
  return std::realloc(At, N);
}

// operator new and new[], also those that throw nothing or are told the alignment, which the
// device's memory has in any case.
#define CUPEL_NEW(SYMBOL, OPERATOR, PARAMETER, ...)                                                \
  void *__wrap_##SYMBOL(size_t N PARAMETER) {                                                      \
    return Here.Current ? allocateInKernel(N)                                                      \
                        : rememberHost(::operator OPERATOR(withMark(N) __VA_ARGS__), N);           \
  }
#define CUPEL_DELETE(SYMBOL, OPERATOR, PARAMETERS, ...)                                            \
  void __wrap_##SYMBOL(void *At PARAMETERS) {                                                      \
    if (Here.Current)                                                                              \
      return freeInKernel(At, RETURN_ADDRESS);                                                     \
    forgetHost(At);                                                                                \
    ::operator OPERATOR(At __VA_ARGS__);                                                           \
  }
#define COMMA ,
CUPEL_NEW(_Znwm, new, )
CUPEL_NEW(_Znam, new[], )
CUPEL_NEW(_ZnwmRKSt9nothrow_t, new, COMMA const std::nothrow_t &, , std::nothrow)
CUPEL_NEW(_ZnamRKSt9nothrow_t, new[], COMMA const std::nothrow_t &, , std::nothrow)
CUPEL_NEW(_ZnwmSt11align_val_t, new, COMMA std::align_val_t Align, , Align)
CUPEL_NEW(_ZnamSt11align_val_t, new[], COMMA std::align_val_t Align, , Align)
CUPEL_DELETE(_ZdlPv, delete, )
CUPEL_DELETE(_ZdaPv, delete[], )
CUPEL_DELETE(_ZdlPvm, delete, COMMA size_t N, , N)
CUPEL_DELETE(_ZdaPvm, delete[], COMMA size_t N, , N)
CUPEL_DELETE(_ZdlPvSt11align_val_t, delete, COMMA std::align_val_t Align, , Align)
CUPEL_DELETE(_ZdaPvSt11align_val_t, delete[], COMMA std::align_val_t Align, , Align)
CUPEL_DELETE(_ZdlPvmSt11align_val_t, delete, COMMA size_t N COMMA std::align_val_t Align, , N,
             Align)
CUPEL_DELETE(_ZdaPvmSt11align_val_t, delete[], COMMA size_t N COMMA std::align_val_t Align, , N,
             Align)
}
