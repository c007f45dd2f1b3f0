//===- SplitBuild.cpp - a parsed submission to the halves of its build -------===//

#include "cupel/Driver/SplitBuild.h"
#include "cupel/Frontend/HostPass.h"
#include "cupel/Frontend/Parse.h"
#include "cupel/Split/DeviceSource.h"
#include "llvm/ADT/STLExtras.h"

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

std::vector<SourceError> cupel::sourceErrors(const ParsedSubmission &Submission,
                                             llvm::StringRef Architecture) {
  std::vector<SourceError> Result;
  if (Submission.Headers == "cuda") // Torch was not there.
    return Result;
  std::vector<const CompilerMessage *> Sure = sureErrors(Submission, Architecture);
  for (const CompilerMessage &M : Submission.Messages) {
    // nvcc takes `kernel<<<blocks>>>`, which says nothing of the rest of the line.
    if (M.Severity != CompilerMessage::Level::Error || M.Place.File != Submission.File ||
        llvm::StringRef(M.Message).contains("execution configuration"))
      continue;
    // Both passes tell most things.
    if (llvm::any_of(Result, [&](const SourceError &E) {
          return E.Place.Line == M.Place.Line && E.Message == M.Message;
        }))
      continue;
    const bool IsSure = llvm::is_contained(Sure, &M);
    if (IsSure || Submission.Headers == "full")
      Result.push_back({M.Place, M.Message, IsSure});
  }
  return Result;
}
