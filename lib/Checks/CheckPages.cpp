//===- CheckPages.cpp - the documentation page of each check ----------------===//

#include "cupel/Checks/CheckPages.h"

namespace cupel {

namespace {
struct Page {
  llvm::StringLiteral Id, Text;
};
constexpr Page Pages[] = {
#include "CheckPages.inc"
    {"", ""}};
} // namespace

llvm::StringRef checkPage(llvm::StringRef Id) {
  for (const Page &P : Pages)
    if (P.Id == Id)
      return P.Text;
  return {};
}

} // namespace cupel
