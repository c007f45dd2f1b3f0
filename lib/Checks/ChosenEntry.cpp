//===- ChosenEntry.cpp - the entry that is judged ---------------------------===//

#include "ChosenEntry.h"
#include "cupel/Frontend/SelectEntry.h"
#include "llvm/ADT/STLExtras.h"

namespace cupel {

std::optional<size_t> chosenEntry(const ParsedSubmission &Submission, const ProblemSpec *Problem) {
  const std::vector<EntrySignature> &Entries = Submission.Entries;
  if (Problem)
    return llvm::expectedToOptional(selectEntry(Submission, *Problem));
  if (Entries.size() == 1)
    return 0;
  auto Forward =
      llvm::find_if(Entries, [](const EntrySignature &E) { return E.BoundName == "forward"; });
  if (Forward == Entries.end())
    return std::nullopt;
  return Forward - Entries.begin();
}

} // namespace cupel
