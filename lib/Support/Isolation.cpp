//===- Isolation.cpp - the layers of isolation, in words --------------------===//

#include "cupel/Support/Isolation.h"
#include "IsolationPlan.h"
#include "cupel/Support/Process.h"
#include "cupel/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cerrno>
#include <cstring>

using namespace cupel;
using llvm::StringRef;

static constexpr StringRef Names[IsolationLayerCount] = {
    "privileges", "namespace", "files",    "processes",    "network", "ipc",
    "host-name",  "user",      "landlock", "system-calls", "memory"};

StringRef cupel::toString(IsolationLayer Layer) { return Names[unsigned(Layer)]; }

llvm::Expected<IsolationLayers> cupel::parseIsolation(StringRef Text) {
  auto Wrong = [&](StringRef Word, StringRef Hint) {
    return makeError("usage", "'--isolation' takes full, none, or one of them and changes such as "
                              "full,-network, not '" +
                                  printableLine(Word, 80) + "'" + Hint + "; the layers are " +
                                  llvm::join(std::begin(Names), std::end(Names), ", "));
  };
  llvm::SmallVector<StringRef> Words;
  Text.split(Words, ',');
  IsolationLayers Layers = 0;
  for (auto [Index, Word] : llvm::enumerate(Words)) {
    if (Index == 0 && (Word == "full" || Word == "none")) {
      Layers = Word == "full" ? AllIsolationLayers : 0;
      continue;
    }
    StringRef Name = Word.drop_front(Word.empty() ? 0 : 1);
    const auto *Found = llvm::find(Names, Name);
    if (Index == 0 || !(Word.starts_with("+") || Word.starts_with("-")))
      return Wrong(Word, "");
    if (Found == std::end(Names))
      return Wrong(Word, didYouMean(Name, Names));
    IsolationLayers Bit = 1u << (Found - Names);
    Layers = Word.front() == '+' ? Layers | Bit : Layers & ~Bit;
  }
  return Layers;
}

std::string cupel::describeMissing(const IsolationReport &Report) {
  std::vector<std::string> Missing, Off;
  for (const LayerState &State : Report) {
    if (State.Held)
      continue;
    if (State.Asked)
      Missing.push_back(toString(State.Layer).str() + " (" + State.Why + ")");
    else
      Off.push_back(toString(State.Layer).str());
  }
  std::string Text;
  if (!Missing.empty())
    Text = "not available: " + llvm::join(Missing, ", ");
  if (!Off.empty())
    Text += (Text.empty() ? "" : "; ") + ("switched off: " + llvm::join(Off, ", "));
  return Text;
}

/// What the errno of a layer most likely means; the rest is as strerror has it.
static std::string whyNot(IsolationLayer Layer, const IsolationPlan &Plan, int Errno) {
  if (Layer == IsolationLayer::User && !Plan.Root)
    return "cupel does not run as root, so the child has its user";
  if (Layer == IsolationLayer::User && Errno == EACCES)
    return "the program or its libraries cannot be read by another user";
  if (Layer == IsolationLayer::Landlock && (Errno == ENOSYS || Errno == EOPNOTSUPP))
    return "the kernel has no Landlock, or it is not switched on";
  if (Layer == IsolationLayer::Memory)
    return Errno == ENOENT ? "there is no cgroup version 2 with memory and pids"
                           : std::string("no control group can be made: ") + std::strerror(Errno);
  if (Errno == ENOSYS)
    return "the kernel has no such call, or the container forbids it";
  std::string Text = std::strerror(Errno);
  if (Errno == EPERM || Errno == EACCES || Errno == ENOSPC)
    Text += ": the container or a setting of the kernel forbids it";
  return Text;
}

IsolationReport cupel::reportOf(const IsolationPlan &Plan, const LayerResults &Results) {
  IsolationReport Report;
  for (unsigned I = 0; I != IsolationLayerCount; ++I) {
    LayerState State{IsolationLayer(I), Results.holds(IsolationLayer(I)),
                     Plan.wants(IsolationLayer(I)), ""};
    if (State.Asked && !State.Held)
      State.Why = whyNot(State.Layer, Plan, Results.Errno[I]);
    Report.push_back(std::move(State));
  }
  return Report;
}

llvm::Expected<IsolationReport> cupel::probeIsolation() {
  ProcessOptions Options;
  Options.Program = "/bin/true";
  Options.TimeoutSeconds = 30;
  Options.Isolation.emplace();
  llvm::Expected<ProcessResult> Result = runProcess(Options);
  if (!Result)
    return Result.takeError();
  if (!Result->succeeded())
    return makeError("isolation-broken",
                     "a program that does nothing " + Result->describe() +
                         " in isolation: " + printableLine(Result->Stderr, 200));
  return std::move(Result->Isolation);
}
