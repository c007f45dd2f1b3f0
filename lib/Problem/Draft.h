//===- Draft.h - a problem while it is read ---------------------------------===//
//
// A ProblemSpec has no places beyond what later phases need; the draft keeps those that the
// checks across sections point at.
//
//===----------------------------------------------------------------------===//
#ifndef CUPEL_LIB_PROBLEM_DRAFT_H
#define CUPEL_LIB_PROBLEM_DRAFT_H

#include "ForwardSignature.h"
#include "TableReader.h"
#include "cupel/Problem/DType.h"
#include "cupel/Problem/ProblemReader.h"
#include "cupel/Problem/ProblemSpec.h"

namespace cupel {

/// Where the parts of a tensor stand.
struct TensorPlaces {
  std::string Path; ///< `input[1]`.
  SourcePlace Name, Shape, Init;
  std::vector<SourcePlace> Dimensions;
  bool ShapeIsComplete = false;

  /// How many \p Tensor has; nothing when its shape has a mistake.
  std::optional<size_t> dimensions(const TensorSpec &Tensor) const {
    return ShapeIsComplete ? std::optional(Tensor.Shape.size()) : std::nullopt;
  }
};

struct CasePlaces {
  std::string Path;
  SourcePlace Sizes, Init;
  std::map<std::string, SourcePlace> SizeOf, InitOf;
};

struct Draft {
  ProblemSpec Spec;
  ProblemNotes Notes;
  std::vector<TensorPlaces> Inputs, Parameters; ///< Parallel to the spec's.
  std::vector<CasePlaces> Cases;                ///< Parallel to the spec's.
  SourceOrigin Reference;
  SourcePlace Flops, Bytes;
  std::vector<SourcePlace> EntryArguments;
  /// What is missing is only told for a list that was read whole.
  bool TensorsAreComplete = true, CasesAreComplete = true;

  /// Every tensor of the problem with its places, inputs first.
  std::vector<std::pair<const TensorSpec *, const TensorPlaces *>> tensors() const;
  /// Names of inputs (numbers too) and parameters.
  std::vector<std::string> names() const;
};

// One function a section of the file (docs/problem-format.md). Each tells its own mistakes.
void readProblemSection(TableReader &File, Draft &D);
void readReferenceSection(TableReader &File, llvm::StringRef Text, Draft &D);
void readTensorSections(TableReader &File, Draft &D);
void readCaseSections(TableReader &File, Draft &D);
void readEntrySection(TableReader &File, Draft &D);
void readToleranceSection(TableReader &File, Draft &D);
void readPolicySection(TableReader &File, const PolicyNames &Names, Draft &D);
void readCostSection(TableReader &File, Draft &D);

/// Reads an `init` table. Nothing when it has a mistake, which is told.
std::optional<InitSpec> readInit(const toml::node &Node, std::string Path, const DType *Type,
                                 std::optional<size_t> Dimensions, Diagnostics &Diags);

/// The checks that need more than one section: names, sizes, memory, the reference's arguments.
void checkAcrossSections(Draft &D, Diagnostics &Diags);

/// Whether \p Name can be an argument in Python and in C++.
bool isIdentifier(llvm::StringRef Name);

} // namespace cupel

#endif // CUPEL_LIB_PROBLEM_DRAFT_H
