/// What the worker asks the emulation for: the kernels that ran, their errors, and device memory.
/// A plain C interface, so that the worker needs no link and finds it with dlsym.
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// An error that emulated kernels made. Strings live until cupelEmulateReset().
struct CupelEmulationError {
  const char *Kind;   ///< "global-out-of-bounds", "shared-race", ...: docs/emulation.md lists them.
  const char *Kernel; ///< Its name; "" outside of kernels.
  const char *File;   ///< Of the place in the submission; "" if unknown.
  const char *Text;   ///< One sentence, without place.
  unsigned Line;      ///< 0 if unknown.
  unsigned Block[3], Thread[3]; ///< The first thread that made it, if `InThread`.
  unsigned long Count;          ///< How often; later ones are only counted.
  int Rejects;  ///< 1: the submission is wrong whatever its results; 0: a note that explains them.
  int InThread; ///< 0: of a launch, or of the host's code.
};

/// A kernel that was launched since cupelEmulateReset(). Strings live until the next one.
struct CupelEmulationKernel {
  const char *Name;           ///< As the source has it; "" if unknown.
  const char *MangledName;    ///< "" where it is not known, as in a template's call of a template.
  unsigned Grid[3], Block[3]; ///< Of the first launch.
  unsigned long DynamicSharedBytes;
  unsigned long Calls;
};

size_t cupelEmulateKernelCount(void);
/// The kernel at `Index`, in the order of first launches; nullptr past the end.
const struct CupelEmulationKernel *cupelEmulateKernelAt(size_t Index);

size_t cupelEmulateErrorCount(void);
/// The error at `Index`, in the order of time; nullptr past the end.
const struct CupelEmulationError *cupelEmulateErrorAt(size_t Index);
/// Forgets kernels, and errors, also the sticky one that later CUDA calls return.
void cupelEmulateReset(void);

/// Device memory of exactly `Size` bytes, aligned to 512, between red zones; nullptr when there is
/// none left. Threads may call these at the same time.
void *cupelEmulateAllocate(size_t Size);
void cupelEmulateFree(void *Address);

/// Seed of the order in which blocks run. Also read from CUPEL_EMULATE_SEED at the start.
void cupelEmulateSeed(unsigned long Seed);
/// Memory accesses of kernels that were checked, and threads that were run, since the start.
unsigned long cupelEmulateAccesses(void);
unsigned long cupelEmulateThreads(void);

#ifdef __cplusplus
}
#endif
