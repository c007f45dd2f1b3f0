//===- EmulatedDevice.h - a CUDA device that the CPU plays ------------------===//
#ifndef CUPEL_WORKER_EMULATION_EMULATEDDEVICE_H
#define CUPEL_WORKER_EMULATION_EMULATEDDEVICE_H

#include "Device.h"

namespace cupel::worker {

/// The candidate's device under emulation. Throws `device-unavailable` when the process was not
/// started with libcupel-emulate.so.
std::unique_ptr<Device> openEmulated();

} // namespace cupel::worker

#endif // CUPEL_WORKER_EMULATION_EMULATEDDEVICE_H
