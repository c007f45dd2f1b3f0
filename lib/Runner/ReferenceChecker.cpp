//===- ReferenceChecker.cpp - runs problems' references without a submission ===//

#include "cupel/Runner/ReferenceChecker.h"
#include "Judge.h"
#include "Randomness.h"
#include "cupel/Profile/RecordJson.h"

using namespace cupel;
using llvm::StringRef;
namespace json = llvm::json;

namespace {

/// The same values in every check, so that a problem that passed today passes tomorrow.
constexpr uint64_t CheckSeed = 0x6375706c;

bool readMutation(const json::Value &Value, MutationResult &Out, json::Path P) {
  json::ObjectMapper Map(Value, P);
  return Map && Map.map("name", Out.Name) && Map.map("refused", Out.Refused) &&
         recordjson::read(*Value.getAsObject(), "reason", Out.Reason, P);
}

bool readReport(const json::Value &Value, ReferenceReport &Out, json::Path P) {
  json::ObjectMapper Map(Value, P);
  const json::Object *Object = Value.getAsObject();
  return Map && Map.map("shapes", Out.Shapes) && Map.map("dtypes", Out.DTypes) &&
         Map.map("finite", Out.Finite) && Map.map("repeat_equal", Out.RepeatEqual) &&
         Map.map("depends", Out.Depends) && Map.mapOptional("independent", Out.Independent) &&
         recordjson::read(*Object, "max_error", Out.MaxError, P) &&
         recordjson::read(*Object, "allowed_error", Out.AllowedError, P) &&
         recordjson::read(*Object, "reference_precision", Out.ReferencePrecision, P) &&
         recordjson::read(*Object, "reference_precision_reason", Out.ReferencePrecisionReason, P) &&
         recordjson::readList(*Object, "mutations", Out.Mutations, P, readMutation);
}

} // namespace

ReferenceChecker::ReferenceChecker(WorkerOptions Workers, double TimeoutSeconds)
    : Workers(std::move(Workers)), TimeoutSeconds(TimeoutSeconds) {}

ReferenceChecker::~ReferenceChecker() = default;

llvm::Error ReferenceChecker::ensureJudge() {
  if (TheJudge && TheJudge->alive())
    return llvm::Error::success();
  Opened.clear();
  TheJudge.reset();
  llvm::Expected<std::unique_ptr<Judge>> Fresh = Judge::start(Workers);
  if (!Fresh)
    return Fresh.takeError();
  llvm::Expected<HelloReply> Hello = (*Fresh)->awaitHello(Workers.Limits.StartSeconds);
  if (Hello) {
    Device = Workers.Device == DeviceChoice::Cpu ? "cpu" : Hello->DeviceName;
    TheJudge = std::move(*Fresh);
    return llvm::Error::success();
  }
  std::vector<Reason> Why = takeReasons(Hello.takeError());
  if (Why.front().Code != "device-unavailable" || Workers.Device != DeviceChoice::Auto)
    return makeError(Why.front().Code, Why.front().Text);
  Workers.Device = DeviceChoice::Cpu;
  return ensureJudge();
}

llvm::Error ReferenceChecker::open(const ProblemSpec &Problem) {
  std::string Key = Problem.File + '\0' + Problem.Id + '\0' + Problem.ReferenceSource;
  if (Key == Opened)
    return llvm::Error::success();
  Opened.clear();
  if (llvm::Error E = TheJudge->openProblem(Problem, TimeoutSeconds))
    return E;
  Opened = std::move(Key);
  return llvm::Error::success();
}

llvm::Expected<ReferenceReport> ReferenceChecker::check(const ProblemSpec &Problem,
                                                        const CaseSpec &Case) {
  if (llvm::Error E = ensureJudge())
    return E;
  if (llvm::Error E = open(Problem))
    return E;
  llvm::Expected<json::Object> Reply =
      TheJudge->ask("check_reference",
                    json::Object{{"case", toJson(Problem, Case)},
                                 {"seed", callSeed(CheckSeed, Case.Name, "reference", 0)}},
                    TimeoutSeconds, "while it checked the reference");
  if (!Reply)
    return withContext(Reply.takeError(), "case '" + Case.Name + "'");
  ReferenceReport Report;
  json::Path::Root Root("check_reference");
  if (!readReport(std::move(*Reply), Report, Root))
    return TheJudge->malformed(Root.getError());
  if (llvm::Error E = TheJudge->release(Workers.Limits.CallSeconds))
    return E;
  return Report;
}
