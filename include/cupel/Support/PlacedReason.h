//===- PlacedReason.h - why, and where --------------------------------------===//
#ifndef CUPEL_SUPPORT_PLACEDREASON_H
#define CUPEL_SUPPORT_PLACEDREASON_H

#include "cupel/Support/Error.h"

namespace cupel {

/// A Reason and where it stands.
struct PlacedReason {
  std::string Code;
  std::string Text;
  SourcePlace Place; ///< Empty: nowhere.

  /// `FILE:LINE:COL: error: TEXT`, or `error: TEXT` without a place.
  std::string message() const;
};

/// Takes \p E apart: one for each error in the list.
std::vector<PlacedReason> takePlacedReasons(llvm::Error E);

} // namespace cupel

#endif // CUPEL_SUPPORT_PLACEDREASON_H
