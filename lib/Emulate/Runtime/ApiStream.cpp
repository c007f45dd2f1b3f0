// Streams and events. Work is done when it is asked for, one of the orders that streams allow; only
// while a stream is captured it is kept for a graph (ApiGraph.cpp).

#include "ApiError.h"

#include <chrono>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

namespace {

struct Stream {
  unsigned Flags = 0;
  int Priority = 0;
};
using Clock = std::chrono::steady_clock;
struct Event {
  bool Recorded = false;
  Clock::time_point At;
  void *CapturedBy = nullptr; ///< The stream of the capture in which it was recorded.
};

struct State {
  std::mutex Lock;
  std::map<void *, Stream> Streams;
  std::map<void *, Event> Events;
  /// Stream -> the stream whose capture it has joined, itself at first.
  std::map<void *, void *> Capturing;
  std::map<void *, std::vector<std::function<void()>>> Captures;
};

State &state() {
  static auto *S = new State;
  return *S;
}

template <class T> T handle() {
  // Only its address counts.
  static auto *All = new std::list<char>;
  return reinterpret_cast<T>(&All->emplace_back());
}

// The per-thread and legacy default streams have small numbers as handles.
bool isStream(State &S, cudaStream_t At) {
  return reinterpret_cast<uintptr_t>(At) <= 2 || S.Streams.count(At);
}

} // namespace

namespace cupel::emu {

bool recordInCapture(void *At, std::function<void()> Job) {
  State &S = state();
  const std::lock_guard<std::mutex> Guard(S.Lock);
  const auto In = S.Capturing.find(At);
  if (In == S.Capturing.end())
    return false;
  S.Captures[In->second].push_back(std::move(Job));
  return true;
}

std::vector<std::function<void()>> captured(std::function<void(void *Stream)> Ask) {
  static const auto Own = handle<cudaStream_t>();
  State &S = state();
  {
    const std::lock_guard<std::mutex> Guard(S.Lock);
    S.Capturing[Own] = Own;
    S.Captures[Own].clear();
  }
  Ask(Own);
  const std::lock_guard<std::mutex> Guard(S.Lock);
  S.Capturing.erase(Own);
  auto Work = std::move(S.Captures[Own]);
  S.Captures.erase(Own);
  return Work;
}

} // namespace cupel::emu

using namespace cupel::emu;

static cudaError_t createStream(cudaStream_t *At, unsigned Flags, int Priority) {
  State &S = state();
  const std::lock_guard<std::mutex> Guard(S.Lock);
  *At = handle<cudaStream_t>();
  S.Streams[*At] = {Flags, Priority};
  return cudaSuccess;
}

static cudaError_t checkStream(cudaStream_t At) {
  if (const cudaError_t Sticky = sticky())
    return fail(Sticky);
  State &S = state();
  const std::lock_guard<std::mutex> Guard(S.Lock);
  return isStream(S, At) ? cudaSuccess : fail(cudaErrorInvalidResourceHandle);
}

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t *At) { return createStream(At, 0, 0); }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *At, unsigned Flags) {
  return createStream(At, Flags, 0);
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *At, unsigned Flags, int Priority) {
  return createStream(At, Flags, Priority);
}
cudaError_t cudaStreamDestroy(cudaStream_t At) {
  State &S = state();
  const std::lock_guard<std::mutex> Guard(S.Lock);
  return S.Streams.erase(At) ? cudaSuccess : fail(cudaErrorInvalidResourceHandle);
}
cudaError_t cudaStreamSynchronize(cudaStream_t At) { return checkStream(At); }
cudaError_t cudaStreamQuery(cudaStream_t At) { return checkStream(At); }
cudaError_t cudaStreamGetPriority(cudaStream_t At, int *P) {
  const std::lock_guard<std::mutex> Guard(state().Lock);
  *P = state().Streams[At].Priority;
  return cudaSuccess;
}
cudaError_t cudaStreamGetFlags(cudaStream_t At, unsigned *F) {
  const std::lock_guard<std::mutex> Guard(state().Lock);
  *F = state().Streams[At].Flags;
  return cudaSuccess;
}
cudaError_t cudaStreamSetAttribute(cudaStream_t, cudaStreamAttrID, const cudaStreamAttrValue *) {
  return cudaSuccess;
}
cudaError_t cudaStreamGetAttribute(cudaStream_t, cudaStreamAttrID, cudaStreamAttrValue *V) {
  *V = {};
  return cudaSuccess;
}
cudaError_t cudaDeviceGetStreamPriorityRange(int *Least, int *Greatest) {
  return *Least = 0, *Greatest = -5, cudaSuccess;
}
cudaError_t cudaStreamAddCallback(cudaStream_t At, cudaStreamCallback_t F, void *Data, unsigned) {
  F(At, cudaSuccess, Data);
  return cudaSuccess;
}
cudaError_t cudaLaunchHostFunc(cudaStream_t At, cudaHostFn_t F, void *Data) {
  inStream(At, [=] { F(Data); });
  return cudaSuccess;
}

// A stream that waits for an event of a capture joins the capture.
cudaError_t cudaStreamWaitEvent(cudaStream_t At, cudaEvent_t E, unsigned) {
  State &S = state();
  const std::lock_guard<std::mutex> Guard(S.Lock);
  const auto Known = S.Events.find(E);
  if (Known == S.Events.end())
    return fail(cudaErrorInvalidResourceHandle);
  if (void *By = Known->second.CapturedBy; By && S.Captures.count(By))
    S.Capturing.emplace(At, By);
  return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *E) { return cudaEventCreateWithFlags(E, 0); }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *E, unsigned) {
  const std::lock_guard<std::mutex> Guard(state().Lock);
  *E = handle<cudaEvent_t>();
  state().Events[*E] = {};
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t E) {
  const std::lock_guard<std::mutex> Guard(state().Lock);
  return state().Events.erase(E) ? cudaSuccess : fail(cudaErrorInvalidResourceHandle);
}
cudaError_t cudaEventRecord(cudaEvent_t E, cudaStream_t At) {
  State &S = state();
  const std::lock_guard<std::mutex> Guard(S.Lock);
  const auto Known = S.Events.find(E);
  if (Known == S.Events.end())
    return fail(cudaErrorInvalidResourceHandle);
  const auto In = S.Capturing.find(At);
  Known->second = {true, Clock::now(), In == S.Capturing.end() ? nullptr : In->second};
  return cudaSuccess;
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t E, cudaStream_t At, unsigned) {
  return cudaEventRecord(E, At);
}
cudaError_t cudaEventSynchronize(cudaEvent_t E) { return cudaEventQuery(E); }
cudaError_t cudaEventQuery(cudaEvent_t E) {
  const std::lock_guard<std::mutex> Guard(state().Lock);
  return state().Events.count(E) ? (sticky() ? fail(sticky()) : cudaSuccess)
                                 : fail(cudaErrorInvalidResourceHandle);
}
cudaError_t cudaEventElapsedTime(float *Ms, cudaEvent_t From, cudaEvent_t To) {
  State &S = state();
  const std::lock_guard<std::mutex> Guard(S.Lock);
  const auto A = S.Events.find(From), B = S.Events.find(To);
  if (A == S.Events.end() || B == S.Events.end() || !A->second.Recorded || !B->second.Recorded)
    return fail(cudaErrorInvalidResourceHandle);
  *Ms = std::chrono::duration<float, std::milli>(B->second.At - A->second.At).count();
  return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t At, cudaStreamCaptureMode) {
  State &S = state();
  const std::lock_guard<std::mutex> Guard(S.Lock);
  if (!At)
    return fail(cudaErrorStreamCaptureUnsupported);
  S.Capturing[At] = At;
  S.Captures[At].clear();
  return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t At, cudaGraph_t *G) {
  State &S = state();
  const std::lock_guard<std::mutex> Guard(S.Lock);
  const auto Capture = S.Captures.find(At);
  if (Capture == S.Captures.end())
    return fail(cudaErrorIllegalState);
  *G = capturedGraph(std::move(Capture->second));
  S.Captures.erase(Capture);
  std::erase_if(S.Capturing, [At](const auto &Entry) { return Entry.second == At; });
  return cudaSuccess;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t At, cudaStreamCaptureStatus *Status) {
  State &S = state();
  const std::lock_guard<std::mutex> Guard(S.Lock);
  *Status = S.Capturing.count(At) ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  return cudaSuccess;
}
}
