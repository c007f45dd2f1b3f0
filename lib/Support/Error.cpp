//===- Error.cpp - "could not judge" as llvm::Error ------------------------===//

#include "cupel/Support/Error.h"
#include "cupel/Support/Text.h"
#include "llvm/Support/raw_ostream.h"

using namespace cupel;

char CupelError::ID = 0;

/// `FILE:LINE:COL:` as far as it is known; empty without a file.
static std::string placePrefix(const SourcePlace &Place) {
  if (Place.File.empty())
    return "";
  std::string Prefix = printableLine(Place.File, 4096) + ':';
  if (Place.Line != 0)
    Prefix += std::to_string(Place.Line) + ':';
  if (Place.Line != 0 && Place.Column != 0)
    Prefix += std::to_string(Place.Column) + ':';
  return Prefix;
}

void CupelError::log(llvm::raw_ostream &OS) const {
  std::string Prefix = placePrefix(Place);
  OS << (Prefix.empty() ? "cupel:" : Prefix) << " error: " << Message;
}

void CupelError::addContext(const llvm::Twine &What) { Message = (What + ": " + Message).str(); }

llvm::Error cupel::makeError(llvm::StringRef Code, const llvm::Twine &Message, SourcePlace Place) {
  return llvm::make_error<CupelError>(Code, Message.str(), std::move(Place));
}

llvm::Error cupel::withContext(llvm::Error E, const llvm::Twine &What) {
  return llvm::handleErrors(
      std::move(E),
      [&](std::unique_ptr<CupelError> Known) -> llvm::Error {
        Known->addContext(What);
        return llvm::Error(std::move(Known));
      },
      [&](std::unique_ptr<llvm::ErrorInfoBase> Other) -> llvm::Error {
        return makeError("internal", What + ": " + Other->message());
      });
}

std::vector<Reason> cupel::takeReasons(llvm::Error E) {
  std::vector<Reason> Reasons;
  llvm::handleAllErrors(
      std::move(E),
      [&](const CupelError &Known) {
        std::string Text = placePrefix(Known.place());
        if (!Text.empty())
          Text += ' ';
        Reasons.push_back({Known.code().str(), Text + Known.text().str()});
      },
      [&](const llvm::ErrorInfoBase &Other) { Reasons.push_back({"internal", Other.message()}); });
  return Reasons;
}

void cupel::reportErrors(llvm::Error E, llvm::raw_ostream &OS) {
  llvm::handleAllErrors(
      std::move(E),
      [&](const CupelError &Known) {
        Known.log(OS);
        OS << '\n';
      },
      [&](const llvm::ErrorInfoBase &Other) { OS << "cupel: error: " << Other.message() << '\n'; });
}
