//===- HostTools.h - the host compiler's part of a build ---------------------===//
#ifndef CUPEL_LIB_BUILD_HOSTTOOLS_H
#define CUPEL_LIB_BUILD_HOSTTOOLS_H

#include "cupel/Build/BuildStrategy.h"

namespace cupel {

/// Compiles the boxed half of the adapter, or finds it in the cache.
class AdapterObject {
public:
  explicit AdapterObject(std::string Boxed) : Boxed(std::move(Boxed)) {}

  /// For the key of the whole build.
  std::string fingerprint(const BuildRequest &Request) const;
  /// After success, path() is the object. Safe to call beside a compile of the same build.
  llvm::Expected<ToolOutcome> compile(const BuildContext &Context);
  const std::string &path() const { return Path; }

private:
  std::vector<std::string> command(const BuildRequest &Request, llvm::StringRef Source,
                                   llvm::StringRef Object) const;
  llvm::Expected<ToolOutcome> compileIn(const BuildContext &Context, llvm::StringRef Folder) const;
  std::string Boxed, Path;
};

/// What a compile of host code by cupel itself reads and writes.
struct HostObjectFiles {
  std::string Source, Object, Names;
};

/// Runs the compiler of BuildRequest::Split on \p Files (Split/HostObject.h) in \p Context's
/// folder.
llvm::Expected<ToolOutcome> compileHostObject(const BuildContext &Context,
                                              const HostObjectFiles &Files,
                                              llvm::StringRef FailureCode);

/// The command that links \p Objects to \p Library. Fails with `build-library-missing` when the
/// request allows a library that is not there.
llvm::Expected<std::vector<std::string>> linkCommand(const BuildRequest &Request,
                                                     llvm::ArrayRef<std::string> Objects,
                                                     llvm::StringRef Library);

} // namespace cupel

#endif // CUPEL_LIB_BUILD_HOSTTOOLS_H
