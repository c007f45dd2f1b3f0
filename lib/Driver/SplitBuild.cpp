//===- SplitBuild.cpp - a parsed submission to the halves of its build -------===//

#include "cupel/Driver/SplitBuild.h"
#include "cupel/Frontend/HostPass.h"
#include "cupel/Frontend/Parse.h"
#include "cupel/Split/DeviceSource.h"

using namespace cupel;

SplitRequest cupel::splitRequest(const ParsedSubmission &Submission, const Toolchain &Tools,
                                 llvm::StringRef Architecture) {
  SplitRequest Result;
  Result.Compiler = executablePath();
  auto Refuse = [&](llvm::Error E) { Result.WhyNot = takeReasons(std::move(E)).front().Text; };
  if (llvm::Error E = deviceSource(Submission, Architecture).moveInto(Result.DeviceSource)) {
    Refuse(std::move(E));
    return Result;
  }
  llvm::Expected<HostPass> Host = hostPass(Tools, ParseOptions().Architecture);
  if (!Host) {
    Refuse(Host.takeError());
    return Result;
  }
  Result.Arguments = std::move(Host->Arguments);
  Result.Pch = std::move(Host->Pch);
  return Result;
}
