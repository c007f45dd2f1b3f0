//===- Check.cpp - the list of all checks -----------------------------------===//

#include "cupel/Checks/Check.h"
#include "cupel/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include <cassert>

namespace cupel {

Check::~Check() = default;

void CheckRegistry::add(std::unique_ptr<Check> C) {
  assert(!find(C->id()) && "two checks with one id");
  auto Place =
      llvm::lower_bound(Checks, C, [](const auto &A, const auto &B) { return A->id() < B->id(); });
  Checks.insert(Place, std::move(C));
}

const Check *CheckRegistry::find(llvm::StringRef Id) const {
  auto Found = llvm::find_if(Checks, [&](const auto &C) { return C->id() == Id; });
  return Found == Checks.end() ? nullptr : Found->get();
}

std::string CheckRegistry::nearest(llvm::StringRef Id) const {
  std::vector<llvm::StringRef> Ids;
  for (const auto &C : Checks)
    Ids.push_back(C->id());
  return nearestName(Id, llvm::ArrayRef<llvm::StringRef>(Ids)).value_or("");
}

} // namespace cupel
