//===- TestSupport.h - errors as text, for comparisons ----------------------===//
#ifndef CUPEL_UNITTESTS_SUPPORT_TESTSUPPORT_H
#define CUPEL_UNITTESTS_SUPPORT_TESTSUPPORT_H

#include "cupel/Support/Error.h"

namespace cupel {

/// `CODE: PLACE: MESSAGE` of each error, a line each; empty for success.
inline std::string errorText(llvm::Error E) {
  std::string Text;
  for (const Reason &R : takeReasons(std::move(E)))
    Text += (Text.empty() ? "" : "\n") + R.Code + ": " + R.Text;
  return Text;
}

template <typename T> std::string errorOf(llvm::Expected<T> Value) {
  return Value ? std::string("no error") : errorText(Value.takeError());
}

} // namespace cupel

#endif // CUPEL_UNITTESTS_SUPPORT_TESTSUPPORT_H
