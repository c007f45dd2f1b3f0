//===- Entry.h - the submission's library and its boxed function ------------===//
#ifndef CUPEL_WORKER_ENTRY_H
#define CUPEL_WORKER_ENTRY_H

#include "Inputs.h"

namespace cupel::worker {

class Entry {
public:
  /// Loads \p Library and finds \p Symbol in it (docs/build.md has the symbols). Throws
  /// `load-failed`, `entry-missing`, `wrong-torch`.
  Entry(const std::string &Library, const std::string &Symbol);

  /// Calls the function and waits for the device. Throws errors of the stage `call` for whatever
  /// the submission does wrong that leaves the process alive.
  std::vector<at::Tensor> call(const std::vector<c10::IValue> &Arguments, Device &Device) const;

  /// The same without waiting and without looking at the result, for timing.
  c10::IValue launch(const std::vector<c10::IValue> &Arguments) const;

  /// Runs \p Do; what it throws comes out as an error of the stage `call`.
  static void asCall(Device &Device, const std::function<void()> &Do);

  const std::string &library() const { return Library; }

private:
  std::string Library;
  void (*Function)(std::vector<c10::IValue> &) = nullptr;
};

} // namespace cupel::worker

#endif // CUPEL_WORKER_ENTRY_H
