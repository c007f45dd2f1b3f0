//===- Check.h - one judgement of the linter, and the list of all -----------===//
//
// A check looks at a parsed submission and reports findings. Checks live in modules, one folder
// under lib/Checks each; the module is the first word of the id. To add one, run
// `utils/new-check.py MODULE NAME`.
//
//===----------------------------------------------------------------------===//
#ifndef CUPEL_CHECKS_CHECK_H
#define CUPEL_CHECKS_CHECK_H

#include "cupel/Checks/Finding.h"
#include <memory>
#include <string>
#include <vector>

namespace cupel {

class CheckContext;

class Check {
public:
  /// \p Id is `MODULE-NAME`; \p Strongest the strongest level that the check gives; \p Summary one
  /// line without a full stop.
  Check(llvm::StringRef Id, Level Strongest, llvm::StringRef Summary)
      : Id(Id), Strongest(Strongest), Summary(Summary) {}
  virtual ~Check();

  llvm::StringRef id() const { return Id; }
  llvm::StringRef module() const { return id().split('-').first; }
  Level level() const { return Strongest; }
  llvm::StringRef summary() const { return Summary; }

  /// Whether run() wants the device pass as well: it is called once for each pass. What both find
  /// at one place is shown once.
  virtual bool wantsDevicePass() const { return false; }

  virtual void run(CheckContext &Context) const = 0;

private:
  std::string Id;
  Level Strongest;
  std::string Summary;
};

/// All checks, sorted by id.
class CheckRegistry {
public:
  /// The id must be new.
  void add(std::unique_ptr<Check> C);
  template <typename CheckT> void add() { add(std::make_unique<CheckT>()); }

  const std::vector<std::unique_ptr<Check>> &checks() const { return Checks; }
  const Check *find(llvm::StringRef Id) const;
  /// The id most like \p Id, or an empty string when none is near.
  std::string nearest(llvm::StringRef Id) const;

private:
  std::vector<std::unique_ptr<Check>> Checks;
};

/// Puts every module's checks into \p Registry.
void registerAllChecks(CheckRegistry &Registry);

} // namespace cupel

#endif // CUPEL_CHECKS_CHECK_H
