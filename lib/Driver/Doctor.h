//===- Doctor.h - what of the machine is usable -----------------------------===//
#ifndef CUPEL_DRIVER_DOCTOR_H
#define CUPEL_DRIVER_DOCTOR_H

#include "cupel/Support/Isolation.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace cupel {

/// One thing outside of cupel that a phase may need.
struct ToolState {
  std::string Name; ///< `nvcc`.
  bool Found = false;
  std::string Version; ///< `13.0.88`, may be empty.
  std::string Path;    ///< May be empty.
  std::string Help;    ///< When missing: what to do, a command where there is one.
};

/// Something that cupel can do when its tools are there.
struct FeatureState {
  std::string Name; ///< `counters`.
  bool Available = false;
  std::string Reason; ///< Why not.
};

struct Diagnosis {
  std::vector<ToolState> Tools;
  /// What keeps submissions from the rest of the machine; empty, with NoIsolation, when that could
  /// not be found out.
  IsolationReport Isolation;
  std::string NoIsolation;
  std::vector<FeatureState> Features;
  bool has(llvm::StringRef Feature) const;
};

/// Looks at the machine; starts nvcc, Python and the worker to ask for their versions.
Diagnosis examineMachine();

void writeText(const Diagnosis &D, llvm::raw_ostream &OS);
void writeJson(const Diagnosis &D, llvm::raw_ostream &OS);

} // namespace cupel

#endif // CUPEL_DRIVER_DOCTOR_H
