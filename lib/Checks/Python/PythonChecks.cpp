//===- PythonChecks.cpp - checks of `.py` submissions -----------------------===//
//
// The inspection of a `.py` file (share/python/cupel_inspect) finds; here are its checks' names,
// levels and summaries, so that they can be listed, explained and switched off as all others.
//
//===----------------------------------------------------------------------===//

#include "../Modules.h"
#include "cupel/Checks/Check.h"

namespace cupel {

namespace {

/// Finds nothing in C++; CheckEngine::run takes its findings from the inspection.
class PythonFindingCheck : public Check {
public:
  using Check::Check;
  void run(CheckContext &) const override {}
};

struct CheckEntry {
  llvm::StringLiteral Id;
  Level Strongest;
  llvm::StringLiteral Summary;
};

constexpr CheckEntry Entries[] = {
    {"fallback-python-torch-call", Level::Reject, "Forward calls a torch function that computes"},
    {"fallback-python-module-call", Level::Reject, "Forward calls a torch.nn module that computes"},
    {"fallback-python-tensor-method", Level::Reject, "Forward calls a tensor method that computes"},
    {"fallback-python-tensor-operator", Level::Reject,
     "Forward computes with operators on tensors"},
    {"fallback-python-tensor-copy", Level::Warn,
     "Torch copies, converts or fills a tensor in forward"},
    {"fallback-python-inherited-forward", Level::Reject,
     "ModelNew inherits a forward that calls no kernel"},
    {"fallback-python-no-kernel", Level::Reject, "Forward reaches no function of a CUDA extension"},
    {"work-python-input-modified", Level::Reject, "Forward changes its argument in place"},
    {"work-python-parameter-modified", Level::Warn,
     "Forward changes a parameter or buffer in place"},
    {"work-python-lower-precision", Level::Reject,
     "Forward converts float32 tensors to a lower precision"},
    {"work-python-global-precision", Level::Reject,
     "The precision of the whole process is changed"},
    {"work-python-returns-input", Level::Reject, "Forward returns its argument unchanged"},
    {"work-python-unwritten-output", Level::Reject,
     "Forward returns a tensor that nothing has written"},
    {"reuse-python-result", Level::Reject, "A later call can return what an earlier one made"},
    {"timing-python-thread", Level::Reject, "Work runs beside the call of forward"},
    {"timing-python-sleep", Level::Reject, "Forward sleeps"},
    {"timing-python-stream", Level::Reject, "Work goes to a stream that nobody waits for"},
    {"process-python-patch", Level::Reject, "An attribute of another module is replaced"},
    {"process-python-program", Level::Reject, "A program is started"},
    {"process-python-network", Level::Reject, "The network is used"},
    {"process-python-inspection", Level::Reject, "The caller or its objects are looked at"},
    {"process-python-exit", Level::Reject, "The process is ended"},
    {"process-python-file", Level::Reject, "A file is read or written"},
    {"process-python-native", Level::Reject, "Native code beside the extension is loaded"},
    {"process-python-environment", Level::Warn, "The environment is read"},
    {"process-python-import", Level::Note,
     "A module is imported that a kernel file has no use for"},
    {"evasion-python-dynamic-code", Level::Reject, "Code or names are made at run time"},
    {"evasion-python-packed-source", Level::Reject, "Text is unpacked from an encoded form"},
    {"evasion-python-build-flag", Level::Reject,
     "A flag of the build adds code or changes what is called"},
    {"evasion-python-unknown-source", Level::Warn,
     "The source of an extension cannot be known before the file runs"},
};

} // namespace

void registerPythonChecks(CheckRegistry &Registry) {
  for (const CheckEntry &Entry : Entries)
    Registry.add(std::make_unique<PythonFindingCheck>(Entry.Id, Entry.Strongest, Entry.Summary));
}

} // namespace cupel
