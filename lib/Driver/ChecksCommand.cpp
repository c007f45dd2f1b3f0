//===- ChecksCommand.cpp - cupel checks list, cupel checks explain ID -------===//

#include "cupel/Checks/Check.h"
#include "cupel/Checks/CheckPages.h"
#include "cupel/Driver/Commands.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

namespace cupel {

static llvm::json::Object checkToJson(const Check &C) {
  return llvm::json::Object{{"id", C.id()},
                            {"module", C.module()},
                            {"level", toString(C.level())},
                            {"summary", C.summary()}};
}

static void list(const CheckRegistry &Registry, bool AsJson, llvm::raw_ostream &OS) {
  if (AsJson) {
    llvm::json::Array Checks;
    for (const auto &C : Registry.checks())
      Checks.push_back(checkToJson(*C));
    OS << llvm::formatv("{0:2}", llvm::json::Value(std::move(Checks))) << '\n';
    return;
  }
  size_t Width = 0;
  for (const auto &C : Registry.checks())
    Width = std::max(Width, C->id().size());
  for (const auto &C : Registry.checks())
    OS << llvm::left_justify(C->id(), Width + 2) << llvm::left_justify(C->module(), 10)
       << llvm::left_justify(toString(C->level()), 8) << C->summary() << '\n';
}

llvm::Expected<int> checksCommand(const ChecksOptions &Options, llvm::raw_ostream &OS) {
  CheckRegistry Registry;
  registerAllChecks(Registry);
  const bool AsJson = Options.Format == "json";
  if (Options.What == ChecksOptions::Action::List) {
    list(Registry, AsJson, OS);
    return ExitDone;
  }
  for (const std::string &Id : Options.Ids) {
    const Check *C = Registry.find(Id);
    if (!C) {
      std::string Nearest = Registry.nearest(Id);
      return makeError("unknown-check",
                       "no check is named '" + Id + "'" +
                           (Nearest.empty() ? "; 'cupel checks list' prints all"
                                            : "; did you mean '" + Nearest + "'?"));
    }
    if (!AsJson) {
      OS << checkPage(Id);
      continue;
    }
    llvm::json::Object Object = checkToJson(*C);
    Object["page"] = checkPage(Id);
    OS << llvm::formatv("{0:2}", llvm::json::Value(std::move(Object))) << '\n';
  }
  return ExitDone;
}

} // namespace cupel
