//===- Operators.cpp - what a call asks of torch ------------------------------===//

#include "Operators.h"
#include <ATen/record_function.h>
#include <link.h>
#include <map>
#include <mutex>

using namespace cupel::worker;

namespace {

/// The observer is a plain function, so what it writes to is global.
std::mutex Lock;
std::map<std::string, unsigned> Seen;

std::unique_ptr<at::ObserverContext> count(const at::RecordFunction &Function) {
  std::lock_guard<std::mutex> Held(Lock);
  ++Seen[Function.name()];
  return nullptr;
}

/// Removes the observer, also when the call throws.
struct Observer {
  at::CallbackHandle Handle =
      at::addGlobalCallback(at::RecordFunctionCallback(count).scopes({at::RecordScope::FUNCTION}));
  ~Observer() { at::removeCallback(Handle); }
};

} // namespace

Json cupel::worker::operatorsDuring(const std::function<void()> &Call) {
  {
    std::lock_guard<std::mutex> Held(Lock);
    Seen.clear();
  }
  {
    Observer Watching;
    Call();
  }
  std::lock_guard<std::mutex> Held(Lock);
  Json Result = Json::array();
  for (const auto &[Name, Calls] : Seen)
    Result.push_back({{"name", Name}, {"calls", Calls}});
  return Result;
}

std::vector<std::string> cupel::worker::loadedLibraries() {
  std::vector<std::string> Files;
  ::dl_iterate_phdr(
      [](dl_phdr_info *Info, size_t, void *Out) {
        if (Info->dlpi_name && *Info->dlpi_name)
          static_cast<std::vector<std::string> *>(Out)->push_back(Info->dlpi_name);
        return 0;
      },
      &Files);
  return Files;
}
