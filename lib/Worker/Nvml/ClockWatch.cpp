//===- ClockWatch.cpp - the clocks while something else is timed ------------===//

#include "ClockWatch.h"
#include <chrono>

using namespace cupel::worker;

/// A reading takes the driver some ten microseconds; a block that is timed lasts 30 ms or more.
static constexpr std::chrono::milliseconds Interval(10);

static NvmlDevice openFor(Device &Device) {
  std::string Bus = Device.pciBusId();
  if (Bus.empty())
    throw WorkerError("clocks", "no-cuda-device", "no CUDA device");
  NvmlDevice Source = NvmlDevice::open(Bus);
  Source.read(); // A part of a GPU (MIG) has a handle and no clocks.
  return Source;
}

ClockWatch::~ClockWatch() { end(); }

void ClockWatch::end() {
  {
    std::lock_guard<std::mutex> Guard(Lock);
    Ending = true;
  }
  Changed.notify_all();
  if (Reader.joinable())
    Reader.join();
}

Json ClockWatch::state() const {
  return {{"state", Why.is_null() ? "measured" : "not_measured"}, {"reason", Why}};
}

Json ClockWatch::start(Device &Device) {
  end();
  Readings.clear();
  if (!Source && Why.is_null()) {
    try {
      Source = openFor(Device);
    } catch (const WorkerError &E) {
      Why = reason(E.Code, E.what());
    }
  }
  if (Why.is_null()) {
    Ending = false;
    Reader = std::thread([this] { run(); });
  }
  return state();
}

void ClockWatch::run() {
  std::unique_lock<std::mutex> Guard(Lock);
  while (!Changed.wait_for(Guard, Interval, [this] { return Ending; })) {
    try {
      Readings.push_back(Source->read());
    } catch (const WorkerError &E) {
      Why = reason(E.Code, E.what());
      return;
    }
  }
}

Json ClockWatch::stop() {
  end();
  Json Reply = state();
  for (const char *Name : {"sm_mhz", "temperature_c", "event_reasons"})
    Reply[Name] = Json::array();
  for (const ClockReading &Reading : Readings) {
    Reply["sm_mhz"].push_back(Reading.SmMhz);
    Reply["temperature_c"].push_back(Reading.TemperatureC);
    Reply["event_reasons"].push_back(Reading.EventReasons);
  }
  return Reply;
}

void cupel::worker::addClockFeature(Device &Device, Json &Features) {
  try {
    openFor(Device);
    Features["clocks"] = true;
  } catch (const WorkerError &E) {
    Features["clocks"] = false;
    Features["clocks_reason"] = E.what();
  }
}
