//===- WorkerProcess.cpp - requests and answers of one cupel-worker --------===//

#include "WorkerProcess.h"
#include "Messages.h"
#include "Randomness.h"
#include "cupel/Support/Json.h"
#include "cupel/Support/Text.h"
#include "llvm/Support/raw_ostream.h"
#include <cassert>
#include <chrono>

using namespace cupel;
using llvm::StringRef;
namespace json = llvm::json;

namespace {

/// A request is far smaller than a pipe's buffer, so a worker that reads at all takes it at once.
constexpr double WriteSeconds = 10;
/// An answer with the samples of a block is the longest: some 20 bytes a sample.
constexpr size_t MaxAnswerBytes = 8 << 20;

Answer forged(const llvm::Twine &Detail) {
  Answer A;
  A.What = Answer::Kind::Forged;
  A.Detail = Detail.str();
  return A;
}

Answer::Kind kindOf(ChildProcess::Io Result) {
  return Result == ChildProcess::Io::TimedOut ? Answer::Kind::Silent : Answer::Kind::Gone;
}

} // namespace

llvm::Expected<std::unique_ptr<WorkerProcess>> WorkerProcess::start(const ProcessOptions &Options) {
  llvm::Expected<std::unique_ptr<ChildProcess>> Child = ChildProcess::start(Options);
  if (!Child)
    return Child.takeError();
  return std::unique_ptr<WorkerProcess>(new WorkerProcess(std::move(*Child)));
}

void WorkerProcess::send(StringRef Command, json::Object Fields) {
  Pending Request{NextId++, randomHex(16)};
  Fields["id"] = Request.Id;
  Fields["nonce"] = Request.Nonce;
  Fields["command"] = Command;
  std::string Line;
  llvm::raw_string_ostream(Line) << json::Value(std::move(Fields));
  // A process that is gone shows when its answer is asked for.
  if (Child->writeLine(Line, WriteSeconds) == ChildProcess::Io::TimedOut)
    DoesNotRead = true;
  Requests.push_back(std::move(Request));
}

Answer WorkerProcess::receive(double TimeoutSeconds) {
  assert(!Requests.empty() && "nothing was asked");
  Pending Request = std::move(Requests.front());
  Requests.pop_front();
  auto Start = std::chrono::steady_clock::now();
  std::string Line;
  ChildProcess::Io Result = ChildProcess::Io::TimedOut;
  if (!DoesNotRead)
    Result = Child->readLine(Line, TimeoutSeconds, MaxAnswerBytes);
  Answer A;
  if (Result == ChildProcess::Io::Done)
    A = check(Line, Request);
  else if (Result == ChildProcess::Io::TooLong)
    A = forged("a line of more than " + formatBytes(MaxAnswerBytes));
  else
    A.What = kindOf(Result);
  A.WaitedSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - Start).count();
  return A;
}

Answer WorkerProcess::ask(StringRef Command, json::Object Fields, double TimeoutSeconds) {
  send(Command, std::move(Fields));
  return receive(TimeoutSeconds);
}

Answer WorkerProcess::check(StringRef Line, const Pending &Request) {
  llvm::Expected<json::Value> Parsed = parseJson(Line);
  if (!Parsed) {
    const bool IsDeep = takeReasons(Parsed.takeError()).front().Code == "json-too-deep";
    return forged((IsDeep ? "a line that is nested too deeply: " : "a line that is not JSON: ") +
                  printableLine(Line, 120));
  }
  json::Object *Fields = Parsed->getAsObject();
  if (!Fields)
    return forged("a line that is no object: " + printableLine(Line, 120));
  if (Fields->getInteger("id") != Request.Id)
    return forged("an answer to another request: " + printableLine(Line, 120));
  if (Fields->getString("nonce") != StringRef(Request.Nonce))
    return forged("an answer with the wrong nonce");
  std::optional<bool> Ok = Fields->getBoolean("ok");
  Answer A;
  if (Ok == true) {
    A.What = Answer::Kind::Ok;
    A.Fields = std::move(*Fields);
    return A;
  }
  const json::Object *Error = Fields->getObject("error");
  if (Ok != false || !Error)
    return forged("an answer that is neither ok nor an error");
  A.What = Answer::Kind::Error;
  A.Error = workerError(*Error);
  return A;
}

Answer WorkerProcess::close(double GraceSeconds) {
  Answer A = ask("close", {}, GraceSeconds);
  if (A.What != Answer::Kind::Ok)
    return A;
  std::string Line;
  ChildProcess::Io Result = Child->readLine(Line, GraceSeconds, MaxAnswerBytes);
  if (Result == ChildProcess::Io::Done || Result == ChildProcess::Io::TooLong)
    return forged("a line that nobody asked for: " + printableLine(Line, 120));
  A.What = kindOf(Result);
  return A;
}

ProcessResult WorkerProcess::end() {
  // One that closed its pipe may be about to end: how it does is worth a moment.
  constexpr double GraceSeconds = 1;
  return Child->wait(GraceSeconds);
}

ProcessResult WorkerProcess::kill() {
  Child->kill();
  return Child->wait(/*GraceSeconds=*/0);
}
