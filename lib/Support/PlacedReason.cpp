//===- PlacedReason.cpp - why, and where ------------------------------------===//

#include "cupel/Support/PlacedReason.h"
#include "llvm/Support/raw_ostream.h"

using namespace cupel;

std::string PlacedReason::message() const {
  if (Place.File.empty())
    return "error: " + Text;
  std::string Message;
  llvm::raw_string_ostream OS(Message);
  CupelError(Code, Text, Place).log(OS);
  return Message;
}

std::vector<PlacedReason> cupel::takePlacedReasons(llvm::Error E) {
  std::vector<PlacedReason> Reasons;
  llvm::handleAllErrors(
      std::move(E),
      [&](const CupelError &Known) {
        Reasons.push_back({Known.code().str(), Known.text().str(), Known.place()});
      },
      [&](const llvm::ErrorInfoBase &Other) {
        Reasons.push_back({"internal", Other.message(), {}});
      });
  return Reasons;
}
