//===- SarifWriter.cpp - lint records as SARIF 2.1.0 ------------------------===//
//
// Static Analysis Results Interchange Format, OASIS standard: sections 3.27 (results), 3.36 (code
// flows) and 3.49 (rules).
//
//===----------------------------------------------------------------------===//

#include "cupel/Checks/CheckPages.h"
#include "cupel/Report/LintReport.h"
#include "cupel/Report/Version.h"
#include "cupel/Support/Hash.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include <map>

using namespace cupel;
using llvm::StringRef;
namespace json = llvm::json;

namespace {

StringRef sarifLevel(Level L) {
  switch (L) {
  case Level::Reject:
  case Level::Error:
    return "error";
  case Level::Warn:
    return "warning";
  case Level::Note:
    return "note";
  }
  return "none";
}

json::Object text(StringRef Text) { return json::Object{{"text", json::fixUTF8(Text)}}; }

/// RFC 3986: a relative reference, or a file URI for an absolute path.
std::string uriOf(StringRef Path) {
  std::string Uri = llvm::sys::path::is_absolute(Path) ? "file://" : "";
  for (char C : Path) {
    if (llvm::isAlnum(C) || StringRef("-._~/").contains(C))
      Uri += C;
    else
      Uri += "%" + llvm::toHex(StringRef(&C, 1));
  }
  return Uri;
}

class SarifWriter {
public:
  explicit SarifWriter(const CheckRegistry &Registry) {
    for (const auto &C : Registry.checks())
      addRule(C->id(), C->summary(), C->level(), C->module(), checkPage(C->id()));
  }

  json::Value write(llvm::ArrayRef<LintedFile> Files) {
    json::Array Results, Artifacts;
    for (const LintedFile &File : Files) {
      Lines.clear();
      StringRef(File.Source).split(Lines, '\n');
      Current = &File;
      Artifacts.push_back(json::Object{{"location", json::Object{{"uri", uriOf(File.Record.File)}}},
                                       {"properties", properties(File.Record)}});
      for (const Finding &F : File.Record.Findings)
        Results.push_back(result(F, File));
    }
    bool Judged = llvm::none_of(Files, [](const LintedFile &File) {
      return File.Record.Outcome == Verdict::CouldNotJudge;
    });
    json::Object Driver{{"name", "cupel"}, {"version", CupelVersion}, {"rules", std::move(Rules)}};
    json::Object Run{
        {"tool", json::Object{{"driver", std::move(Driver)}}},
        {"columnKind", "unicodeCodePoints"},
        {"invocations", json::Array{json::Object{{"executionSuccessful", Judged}}}},
        {"artifacts", std::move(Artifacts)},
        {"results", std::move(Results)},
    };
    return json::Object{
        {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
        {"version", "2.1.0"},
        {"runs", json::Array{std::move(Run)}},
    };
  }

private:
  void addRule(StringRef Id, StringRef Summary, Level L, StringRef Module, StringRef Page) {
    RuleIndex[Id.str()] = Rules.size();
    json::Object Rule{
        {"id", Id},
        {"shortDescription", text(Summary)},
        {"defaultConfiguration", json::Object{{"level", sarifLevel(L)}}},
        {"properties", json::Object{{"tags", json::Array{Module}}, {"cupelLevel", toString(L)}}},
    };
    json::Object Help = text(Page.empty() ? Summary : Page);
    if (!Page.empty())
      Help["markdown"] = Page;
    Rule["help"] = std::move(Help);
    Rules.push_back(std::move(Rule));
  }

  /// Ids that are no check's: compiler errors and reasons for not judging.
  size_t ruleIndex(StringRef Id) {
    if (!RuleIndex.count(Id.str()))
      addRule(Id,
              Id == "compiler-error" ? "The compiler rejects the source"
                                     : "The submission could not be judged",
              Level::Error, "compiler", "");
    return RuleIndex[Id.str()];
  }

  /// Clang counts bytes, SARIF what columnKind says. Columns of `.py` files are characters already.
  unsigned columnOf(const SourcePlace &Place) const {
    if (Place.File != Current->Record.File || StringRef(Place.File).ends_with(".py") ||
        Place.Line == 0 || Place.Line > Lines.size())
      return Place.Column;
    StringRef Before = Lines[Place.Line - 1].take_front(Place.Column - 1);
    return Place.Column - llvm::count_if(Before, [](char C) { return (C & 0xC0) == 0x80; });
  }

  json::Object location(const SourcePlace &Place) const {
    json::Object Physical{{"artifactLocation", json::Object{{"uri", uriOf(Place.File)}}}};
    if (Place.Line != 0) {
      json::Object Region{{"startLine", Place.Line}};
      if (Place.Column != 0)
        Region["startColumn"] = columnOf(Place);
      Physical["region"] = std::move(Region);
    }
    return json::Object{{"physicalLocation", std::move(Physical)}};
  }

  json::Object stepOf(const SourcePlace &Place, StringRef Message) const {
    json::Object Location = location(Place);
    Location["message"] = text(Message);
    return json::Object{{"location", std::move(Location)}};
  }

  /// From the entry to the finding: the notes lead back from it.
  json::Array codeFlows(const Finding &F) const {
    json::Array Steps;
    for (const FindingNote &N : llvm::reverse(F.Notes))
      Steps.push_back(stepOf(N.Place, N.Message));
    Steps.push_back(stepOf(F.Place, F.Message));
    json::Array Flows{json::Object{{"locations", std::move(Steps)}}};
    return json::Array{json::Object{{"threadFlows", std::move(Flows)}}};
  }

  /// Stable when lines are added above: id, message and the text of the line, with a number for
  /// repetitions.
  std::string fingerprint(const Finding &F, const LintedFile &File) {
    StringRef Line = F.Place.Line && F.Place.Line <= Lines.size() ? Lines[F.Place.Line - 1] : "";
    ContentHasher Hasher;
    Hasher.add(uriOf(F.Place.File)).add(F.Id).add(F.Message).add(Line.trim());
    std::string Hash = Hasher.hex();
    return Hash + ":" + llvm::utostr(++Seen[Hash]);
  }

  json::Object result(const Finding &F, const LintedFile &File) {
    json::Object Result{
        {"ruleId", F.Id},
        {"ruleIndex", static_cast<int64_t>(ruleIndex(F.Id))},
        {"level", sarifLevel(F.Severity)},
        {"message", text(F.Message)},
        {"locations", json::Array{location(F.Place)}},
        {"partialFingerprints", json::Object{{"cupelFinding/v1", fingerprint(F, File)}}},
        {"properties", json::Object{{"cupelLevel", toString(F.Severity)}}},
    };
    if (!F.Notes.empty())
      Result["codeFlows"] = codeFlows(F);
    return Result;
  }

  static json::Object properties(const LintRecord &Record) {
    return json::Object{
        {"verdict", toString(Record.Outcome)},
        {"parse", toString(Record.Parse)},
        {"policy", Record.Policy},
        {"policySource", Record.PolicySource},
        {"suppressed", json::Array(Record.Suppressed)},
    };
  }

  const LintedFile *Current = nullptr;
  llvm::SmallVector<StringRef, 0> Lines; ///< Of the current file.
  json::Array Rules;
  std::map<std::string, size_t> RuleIndex;
  std::map<std::string, unsigned> Seen;
};

} // namespace

void cupel::writeSarif(llvm::ArrayRef<LintedFile> Files, const CheckRegistry &Registry,
                       llvm::raw_ostream &OS) {
  OS << llvm::formatv("{0:2}", SarifWriter(Registry).write(Files)) << '\n';
}
