//===- Session.cpp - one run: its request, its processes, its record --------===//

#include "Session.h"
#include "Randomness.h"
#include "cupel/Runner/IsolationRecord.h"
#include <algorithm>

using namespace cupel;

Session::Session(const RunRequest &Request)
    : Request(Request), Arguments(Request.Arguments), Start(std::chrono::steady_clock::now()),
      Workers(Request.Workers) {
  Master = Request.Seed ? *Request.Seed : randomSeed();
  Record.Seed = seedText(Master);
  if (Arguments.empty())
    Arguments = Request.Problem.EntryArguments;
}

double Session::elapsedSeconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - Start).count();
}

double Session::remainingSeconds() const {
  return std::max(0.0, Request.TimeoutSeconds - elapsedSeconds());
}

double Session::callSeconds() const {
  return std::min(CallLimit.value_or(Request.Workers.Limits.CallSeconds), Request.TimeoutSeconds);
}

double Session::commandSeconds() const { return std::max(remainingSeconds(), callSeconds()); }

llvm::Error Session::ensureJudge() {
  if (TheJudge->alive())
    return llvm::Error::success();
  llvm::Expected<std::unique_ptr<Judge>> Fresh = Judge::start(Request.Workers, Exchange.get());
  if (!Fresh)
    return Fresh.takeError();
  TheJudge = std::move(*Fresh);
  llvm::Expected<HelloReply> Hello = TheJudge->awaitHello(Request.Workers.Limits.StartSeconds);
  if (!Hello)
    return Hello.takeError();
  return TheJudge->openProblem(Request.Problem, commandSeconds());
}

llvm::Expected<std::optional<Reason>> Session::awaitCandidate() {
  auto Ready = TheCandidate->awaitReady(Request.Workers.Limits.StartSeconds, callSeconds());
  bool Relaxed = Workers.Isolation != Request.Workers.Isolation;
  keepWeakest(Relaxed ? Record.ProfileIsolation : Record.Isolation, TheCandidate->isolation());
  return Ready;
}

llvm::Expected<std::optional<Reason>> Session::ensureCandidate() {
  if (TheCandidate && TheCandidate->usable())
    return std::nullopt;
  llvm::Expected<std::unique_ptr<Candidate>> Fresh = Candidate::start(Workers, Exchange);
  if (!Fresh)
    return Fresh.takeError();
  TheCandidate = std::move(*Fresh);
  TheCandidate->sendLoad(Request.Library, Request.Entry);
  return awaitCandidate();
}

Candidate::CallRequest Session::callRequest(const CaseSpec &Case, std::string Seed) const {
  Candidate::CallRequest Call;
  Call.Case = toJson(Request.Problem, Case);
  Call.Arguments = Arguments;
  Call.Seed = std::move(Seed);
  return Call;
}

void Session::progress(const llvm::Twine &What) const {
  if (Request.Progress)
    Request.Progress(What.str());
}
