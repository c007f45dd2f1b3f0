//===- FakeWorker.cpp - a cupel-worker that misbehaves on demand -------------===//
//
// Speaks docs/protocol.md without torch or CUDA. The candidate's behaviour is the name of the
// "library" that it is asked to load, the judge's the source of the reference, and what happens at
// `hello` is the name under which the program was started. Values never travel through memory: a
// candidate puts its one value into its answer, and the judge finds it among the outputs.
//
//===----------------------------------------------------------------------===//

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

using llvm::StringRef;
namespace json = llvm::json;

namespace {

constexpr int RequestFd = 3, ReplyFd = 4;

std::string Mode = "good"; ///< Library or reference source.
std::string StartMode;     ///< Name of the program.
std::string Counters;      ///< That `hello` spoke of.
unsigned Calls = 0;
std::string LastSeed;

void writeAll(StringRef Text) {
  while (!Text.empty()) {
    ssize_t Written = ::write(ReplyFd, Text.data(), Text.size());
    if (Written <= 0)
      ::_exit(9);
    Text = Text.drop_front(static_cast<size_t>(Written));
  }
}

std::string print(json::Object Fields) {
  std::string Line;
  llvm::raw_string_ostream(Line) << json::Value(std::move(Fields));
  return Line + "\n";
}

json::Object answer(const json::Object &Request) {
  return json::Object{{"id", *Request.get("id")}, {"nonce", *Request.get("nonce")}, {"ok", true}};
}

json::Object errorAnswer(const json::Object &Request, StringRef Stage, StringRef Code,
                         StringRef Text) {
  json::Object Fields = answer(Request);
  Fields["ok"] = false;
  Fields["error"] = json::Object{{"stage", Stage}, {"code", Code}, {"text", Text}};
  return Fields;
}

[[noreturn]] void hang() {
  for (;;)
    ::pause();
}

[[noreturn]] void raiseFatal(int Signal) {
  rlimit None{0, 0};
  ::setrlimit(RLIMIT_CORE, &None);
  std::signal(Signal, SIG_DFL);
  std::raise(Signal);
  hang();
}

[[noreturn]] void flood() {
  std::string Line(4096, 'x');
  for (;;)
    if (::write(1, Line.data(), Line.size()) < 0)
      hang();
}

/// More than the tests allow, and not so much that a machine would mind.
[[noreturn]] void eatMemory() {
  constexpr size_t Bytes = size_t(768) << 20;
  // Volatile, or the compiler leaves out what nobody reads.
  auto *Memory = static_cast<volatile char *>(std::malloc(Bytes));
  for (size_t I = 0; I < Bytes; I += 4096)
    Memory[I] = 1;
  hang();
}

/// A process of its own session that ignores polite signals and outlives us if it is let.
void forkSurvivor() {
  if (::fork() != 0)
    return;
  ::setsid();
  std::signal(SIGTERM, SIG_IGN);
  std::signal(SIGHUP, SIG_IGN);
  if (::fork() != 0)
    ::_exit(0);
  hang();
}

/// Ends or hangs the process as \p What says, or returns.
void misbehave(StringRef What, const json::Object &Request) {
  if (What == "segv")
    raiseFatal(SIGSEGV);
  if (What == "abort")
    raiseFatal(SIGABRT);
  if (What == "bus")
    raiseFatal(SIGBUS);
  if (What == "fpe")
    raiseFatal(SIGFPE);
  if (What == "ill")
    raiseFatal(SIGILL);
  if (What == "kill")
    raiseFatal(SIGKILL);
  if (What == "usr1")
    raiseFatal(SIGUSR1);
  if (What == "exit0")
    ::_exit(0);
  if (What == "exit1") {
    std::fputs("CUDA error at kernel.cu:12: boom\n", stderr);
    std::exit(1);
  }
  if (What == "hang")
    hang();
  if (What == "hang-hard") {
    std::signal(SIGTERM, SIG_IGN);
    std::signal(SIGINT, SIG_IGN);
    hang();
  }
  if (What == "flood")
    flood();
  if (What == "memory")
    eatMemory();
  while (What == "fork-bomb") {
    if (::fork() == 0)
      hang();
    ::usleep(1000);
  }
  if (What == "fork-survivor")
    forkSurvivor();
  if (What == "close-fd") {
    ::close(ReplyFd);
    hang();
  }
  if (What == "forge")
    writeAll("{\"id\": 1, \"ok\": true, \"outputs\": []}\n");
  if (What == "not-json")
    writeAll("kernel done\n");
  if (What == "array")
    writeAll("[1, 2]\n");
  if (What == "nested")
    writeAll(std::string(100000, '[') + "\n");
  if (What == "partial") {
    writeAll("{\"id\": ");
    ::_exit(0);
  }
  if (What == "huge")
    for (;;)
      writeAll(std::string(1 << 20, 'y'));
  if (What == "wrong-nonce") {
    json::Object Fields = answer(Request);
    Fields["nonce"] = "00";
    writeAll(print(std::move(Fields)));
  }
  if (What == "neither") {
    json::Object Fields = answer(Request);
    Fields["ok"] = "yes";
    writeAll(print(std::move(Fields)));
  }
  if (What == "incomplete")
    writeAll(print(answer(Request)));
  if (What == "slow")
    ::usleep(200'000);
}

double rightValue(StringRef Seed) {
  unsigned long long Number = 0;
  Seed.getAsInteger(16, Number);
  return static_cast<double>(Number % 1000) + 1;
}

json::Array outputs(double Value) {
  json::Object One{{"dtype", "float32"}, {"shape", json::Array{2, 3}}, {"device", "cuda:0"},
                   {"contiguous", true}, {"overlaps", nullptr},        {"value", Value}};
  if (Mode == "wrong-shape")
    One["shape"] = json::Array{3, 2};
  if (Mode == "wrong-dtype")
    One["dtype"] = "float16";
  if (Mode == "wrong-device")
    One["device"] = "cpu";
  if (Mode == "returns-input")
    One["overlaps"] = "x";
  if (Mode == "wrong-count")
    return {};
  return json::Array{std::move(One)};
}

double value(const json::Object &Request, bool Timed) {
  double Value = rightValue(*Request.getString("seed"));
  bool Wrong = Mode == "wrong-values" || (Mode == "timed-wrong" && Timed) ||
               (Mode == "unstable" && Calls % 2 == 0) ||
               (Mode == "second-seed-wrong" && Calls == 3);
  return Wrong ? -Value : Value;
}

json::Object callAnswer(const json::Object &Request, bool Timed) {
  ++Calls;
  StringRef What = Mode;
  auto [Kind, Argument] = What.split(':');
  StringRef Case = *Request.getObject("case")->getString("name");
  if (Kind == "cuda") {
    json::Object Fields = errorAnswer(Request, "call", "cuda-error", "as the runtime says it");
    (*Fields.getObject("error"))["cuda_error"] = Argument;
    return Fields;
  }
  if (Kind == "out-of-memory" || Kind == "receive-failed")
    return errorAnswer(Request, Argument, Kind, "200 GiB needed");
  if (Kind == "exception" || Kind == "bad-result")
    return errorAnswer(Request, "call", Kind, "x must be half");
  if (Kind == "segv-in" && Case == Argument)
    raiseFatal(SIGSEGV);
  if (Kind != "time" && Kind != "profile" && Kind != "load" && Kind != "close")
    misbehave(What, Request);
  if (Kind == "time" && Timed)
    misbehave(Argument, Request);
  json::Object Fields = answer(Request);
  Fields["outputs"] = outputs(value(Request, Timed));
  Fields["inputs_changed"] = Mode == "changes-inputs" ? json::Array{"x"} : json::Array{};
  Fields["host_us"] = 30;
  return Fields;
}

void addSamples(const json::Object &Request, double Base, json::Object &Fields) {
  json::Array Samples, Host;
  int64_t Count = *Request.getInteger("samples");
  for (int64_t I = 0; I != Count; ++I) {
    Samples.push_back(Base + 0.01 * static_cast<double>(I % 3));
    Host.push_back(Base + 20);
  }
  Fields["samples_us"] = std::move(Samples);
  Fields["host_us"] = std::move(Host);
  json::Array Warm;
  for (int64_t I = 0; I != *Request.getInteger("warm_samples"); ++I)
    Warm.push_back(Base / 2);
  Fields["warm_us"] = std::move(Warm);
}

json::Object candidate(StringRef Command, const json::Object &Request) {
  if (Command == "load") {
    Mode = Request.getString("library")->str();
    StringRef What = Mode;
    if (What == "load-failed" || What == "entry-missing")
      return errorAnswer(Request, "load", What, "undefined symbol: _Z4nonev");
    if (What.consume_front("load:"))
      misbehave(What, Request);
    return answer(Request);
  }
  if (Command == "call")
    return callAnswer(Request, false);
  if (Command == "time") {
    if (!Counters.empty())
      return errorAnswer(Request, "protocol", "bad-request", "the profiler is in this process");
    json::Object Fields = callAnswer(Request, true);
    addSamples(Request, 10, Fields);
    return Fields;
  }
  if (Command == "profile") {
    if (StringRef(Mode).starts_with("profile:"))
      misbehave(StringRef(Mode).substr(8), Request);
    if (Request.getString("level") != StringRef(Counters))
      return errorAnswer(Request, "protocol", "bad-request", "hello spoke of no such counters");
    json::Object Fields = answer(Request);
    Fields["state"] = "measured";
    Fields["kernels"] = json::Array{json::Object{{"name", "relu"},
                                                 {"provenance", "submission"},
                                                 {"calls", 1},
                                                 {"time_us", 9.5},
                                                 {"share", 1.0},
                                                 {"grid", json::Array{16, 1, 1}},
                                                 {"block", json::Array{256, 1, 1}},
                                                 {"state", "measured"}}};
    return Fields;
  }
  return errorAnswer(Request, "protocol", "unknown-command", Command);
}

json::Object compareAnswer(const json::Object &Request) {
  json::Object Fields = answer(Request);
  const json::Array &Outputs = *Request.getArray("outputs");
  double Actual = *Outputs.front().getAsObject()->getNumber("value");
  double Expected = rightValue(LastSeed);
  bool Right = Actual == Expected;
  Fields["state"] = Right ? "passed" : "failed";
  Fields["max_error"] = Right ? json::Value(1e-7) : json::Value("inf");
  Fields["allowed_error"] = 1e-5;
  Fields["first_mismatch"] = Right ? json::Array{} : json::Array{1, 2};
  Fields["expected"] = Expected;
  Fields["actual"] = Actual;
  Fields["reasons"] = json::Array{};
  return Fields;
}

json::Object judge(StringRef Command, const json::Object &Request) {
  if (Command == "open_problem") {
    Mode = Request.getString("source")->str();
    if (StringRef(Mode).starts_with("broken-reference")) {
      json::Object Fields =
          errorAnswer(Request, "reference", "reference-error", "unknown name 'relo'\n\tdetails");
      Fields.getObject("error")->try_emplace("line", 2);
      Fields.getObject("error")->try_emplace("column", 3);
      return Fields;
    }
    return answer(Request);
  }
  if (Command == "expect") {
    if (StringRef(Mode).starts_with("judge:"))
      misbehave(StringRef(Mode).substr(6), Request);
    if (Mode == "judge-breaks-in-ragged" &&
        Request.getObject("case")->getString("name") == StringRef("ragged"))
      raiseFatal(SIGSEGV);
    if (Mode == "expect-fails-in-ragged" &&
        Request.getObject("case")->getString("name") == StringRef("ragged"))
      return errorAnswer(Request, "expect", "out-of-memory", "200 GiB needed");
    LastSeed = Request.getString("seed")->str();
    json::Object Fields = answer(Request);
    Fields["outputs"] = json::Array{
        json::Object{{"dtype", "float32"}, {"shape", json::Array{2, 3}}, {"bytes", 24}}};
    Fields["receive"] =
        json::Array{json::Object{{"kind", "shm"}, {"handle", "/none"}, {"bytes", 24}}};
    return Fields;
  }
  if (Command == "compare")
    return compareAnswer(Request);
  if (Command == "time") {
    if (Mode == "eager-fails")
      return errorAnswer(Request, "time", "out-of-memory", "the baseline needs 200 GiB");
    json::Object Fields = answer(Request);
    addSamples(Request, 20, Fields);
    return Fields;
  }
  if (Command == "check_reference") {
    if (StringRef(Mode).starts_with("judge:"))
      misbehave(StringRef(Mode).substr(6), Request);
    json::Object Fields = answer(Request);
    Fields["shapes"] = json::Array{json::Array{2, 3}};
    Fields["dtypes"] = json::Array{"float32"};
    Fields["not_finite"] = json::Array{0};
    Fields["repeat_equal"] = Fields["within_tolerance"] = true;
    Fields["depends"] = json::Array{"x"};
    for (const char *Name :
         {"inputs_changed", "negligible", "independent", "fixed_outputs", "named_dtypes"})
      Fields[Name] = json::Array{};
    Fields["max_error"] = 1e-7;
    Fields["allowed_error"] = "inf";
    Fields["reference_precision"] = "float64";
    Fields["mutations"] = json::Array{
        json::Object{
            {"name", "zeros"}, {"output", 0}, {"state", "refused"}, {"reason", "constant-output"}},
        json::Object{{"name", "half"},
                     {"output", 0},
                     {"state", "accepted"},
                     {"reason", "within the tolerance"}}};
    return Fields;
  }
  if (Command == "estimate_memory") {
    json::Object Fields = answer(Request);
    if (Mode == "no-estimate")
      Fields["reason"] = "it needs values";
    else
      Fields["peak_bytes"] = 4096;
    return Fields;
  }
  if (Command == "clocks") {
    json::Object Fields = answer(Request);
    if (Mode == "no-clocks") {
      Fields["reason"] = json::Object{{"code", "no-nvml"}, {"text", "no library"}};
    } else if (Request.getString("action") == StringRef("stop")) {
      Fields["sm_mhz"] = json::Array{1980};
      Fields["temperature_c"] = json::Array{40};
      Fields["event_reasons"] = json::Array{4};
    }
    return Fields;
  }
  if (Command == "peaks") {
    if (StringRef(Mode).starts_with("peaks:"))
      misbehave(StringRef(Mode).substr(6), Request);
    if (Mode == "peaks-fail")
      return errorAnswer(Request, "peaks", "out-of-memory", "the peaks need 200 GiB");
    json::Object Fields = answer(Request);
    Fields["dram_gb_per_s"] = json::Object{{"copy", 4000}, {"read", 4800}};
    Fields["tflops"] = json::Object{{"float32", 50}};
    Fields["l2_bytes"] = 100;
    if (Mode == "no-peaks")
      Fields["reason"] = json::Object{{"code", "no-cuda-device"}, {"text", "no CUDA device"}};
    return Fields;
  }
  if (Command == "release")
    return answer(Request);
  return errorAnswer(Request, "protocol", "unknown-command", Command);
}

json::Object hello(const json::Object &Request, StringRef Role) {
  if (StartMode == "no-cuda" && Request.getString("device") == StringRef("cuda"))
    return errorAnswer(Request, "hello", "device-unavailable",
                       "no CUDA device: no driver is installed");
  if (StringRef(StartMode).starts_with(Role))
    misbehave(StringRef(StartMode).substr(Role.size() + 1), Request);
  Counters = Request.getString("counters").value_or("").str();
  json::Object Fields = answer(Request);
  Fields["device_name"] = "Fake GPU";
  Fields["torch"] = "2.11.0";
  Fields["uuid"] = "GPU-1";
  Fields["driver"] = "580.1";
  return Fields;
}

[[noreturn]] void endOnRequest(const json::Object &Request) {
  StringRef What = Mode;
  if (What == "close:forge-later") {
    writeAll(print(answer(Request)));
    writeAll("{\"ok\": true}\n");
  } else if (What.consume_front("close:")) {
    misbehave(What, Request);
  }
  writeAll(print(answer(Request)));
  std::exit(0);
}

} // namespace

int main(int Count, char **Arguments) {
  StartMode = llvm::sys::path::filename(Arguments[0]).str();
  StringRef Role = Count > 1 ? Arguments[1] : "";
  FILE *Requests = ::fdopen(RequestFd, "r");
  char *Line = nullptr;
  size_t Capacity = 0;
  while (Requests && ::getline(&Line, &Capacity, Requests) > 0) {
    llvm::Expected<json::Value> Parsed = json::parse(Line);
    if (!Parsed)
      return 8;
    const json::Object &Request = *Parsed->getAsObject();
    StringRef Command = *Request.getString("command");
    if (Command == "close")
      endOnRequest(Request);
    json::Object Reply = Command == "hello" ? hello(Request, Role)
                         : Role == "judge"  ? judge(Command, Request)
                                            : candidate(Command, Request);
    bool Sticky = Reply.getObject("error") &&
                  Reply.getObject("error")->getString("code") == StringRef("cuda-error");
    writeAll(print(std::move(Reply)));
    if (Mode == "extra" && Command == "call")
      writeAll("{\"id\": 1, \"ok\": true}\n");
    if (Mode == "dies-between" && Command == "call")
      ::_exit(0);
    if (Sticky)
      ::_exit(3);
  }
  return 0;
}
