//===- Error.cpp - "could not judge" as llvm::Error ------------------------===//

#include "cupel/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

using namespace cupel;

char CupelError::ID = 0;

void CupelError::log(llvm::raw_ostream &OS) const {
  if (Place.File.empty()) {
    OS << "cupel: error: " << Message;
    return;
  }
  OS << Place.File << ':';
  if (Place.Line != 0)
    OS << Place.Line << ':';
  if (Place.Line != 0 && Place.Column != 0)
    OS << Place.Column << ':';
  OS << " error: " << Message;
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
        std::string Text;
        if (const SourcePlace &Place = Known.place(); !Place.File.empty()) {
          Text = Place.File + ':';
          if (Place.Line != 0)
            Text += std::to_string(Place.Line) + ':' + std::to_string(Place.Column) + ':';
          Text += ' ';
        }
        Reasons.push_back({Known.code().str(), Text + Known.text().str()});
      },
      [&](const llvm::ErrorInfoBase &Other) {
        Reasons.push_back({"internal", Other.message()});
      });
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
