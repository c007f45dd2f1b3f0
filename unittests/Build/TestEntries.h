//===- TestEntries.h - signatures for the tests -----------------------------===//
#ifndef CUPEL_UNITTESTS_BUILD_TESTENTRIES_H
#define CUPEL_UNITTESTS_BUILD_TESTENTRIES_H

#include "cupel/Frontend/Entry.h"

namespace cupel::test {

/// A function of the given result and arguments, its type written from them.
inline EntrySignature entry(std::string Name, std::string ResultType, ValueKind ResultKind,
                            std::vector<EntryArgument> Arguments) {
  EntrySignature E;
  E.BoundName = Name;
  E.QualifiedName = std::move(Name);
  E.FunctionType = ResultType + " (";
  for (size_t I = 0; I != Arguments.size(); ++I)
    E.FunctionType += (I ? ", " : "") + Arguments[I].Type;
  E.FunctionType += ")";
  E.ResultType = std::move(ResultType);
  E.ResultKind = ResultKind;
  E.Arguments = std::move(Arguments);
  return E;
}

inline EntrySignature tensorEntry(std::string Name) {
  return entry(std::move(Name), "at::Tensor", ValueKind::Tensor,
               {{"x", "at::Tensor", ValueKind::Tensor}});
}

} // namespace cupel::test

#endif // CUPEL_UNITTESTS_BUILD_TESTENTRIES_H
