//===- TableReader.cpp - typed access to a TOML table, with good errors -----===//

#include "TableReader.h"
#include "cupel/Problem/InitKinds.h"
#include "cupel/Support/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <tuple>

using namespace cupel;

void Diagnostics::add(llvm::StringRef Code, const llvm::Twine &Message, SourcePlace Place) {
  if (Place.File.empty())
    Place = {File, 1, 1};
  Items.push_back({Code.str(), Message.str(), std::move(Place)});
}

llvm::Error Diagnostics::take() {
  auto Order = [](const Item &I) { return std::tie(I.Place.Line, I.Place.Column, I.Message); };
  llvm::stable_sort(Items, [&](const Item &A, const Item &B) { return Order(A) < Order(B); });
  llvm::Error All = llvm::Error::success();
  for (size_t I = 0; I != Items.size(); ++I)
    if (I == 0 || Order(Items[I]) != Order(Items[I - 1]))
      All = llvm::joinErrors(std::move(All),
                             makeError(Items[I].Code, Items[I].Message, Items[I].Place));
  Items.clear();
  return All;
}

SourcePlace Diagnostics::placeOf(const toml::source_region &Region) const {
  // toml++ gives no place to the table of the whole file.
  return {File, std::max(1u, unsigned(Region.begin.line)),
          std::max(1u, unsigned(Region.begin.column))};
}

std::string cupel::quote(llvm::StringRef Name) { return "'" + printableLine(Name, 60) + "'"; }

std::string cupel::suggest(llvm::StringRef Unknown, const std::vector<std::string> &Known) {
  if (std::optional<std::string> Nearest = nearestName(Unknown, Known))
    return "; did you mean '" + *Nearest + "'?";
  if (Known.empty())
    return "";
  std::vector<std::string> Once; // Two inputs of one name are a mistake of their own.
  for (const std::string &Name : Known)
    if (!llvm::is_contained(Once, Name))
      Once.push_back(Name);
  return "; known: " + llvm::join(Once, ", ");
}

std::string cupel::suggest(llvm::StringRef Unknown, llvm::ArrayRef<llvm::StringRef> Known) {
  return suggest(Unknown, std::vector<std::string>(Known.begin(), Known.end()));
}

llvm::StringRef cupel::describe(const toml::node &Node) {
  switch (Node.type()) {
  case toml::node_type::table:
    return "a table";
  case toml::node_type::array:
    return Node.as_array()->is_homogeneous<toml::table>() && !Node.as_array()->empty()
               ? "an array of tables"
               : "an array";
  case toml::node_type::string:
    return "a string";
  case toml::node_type::integer:
    return "an integer";
  case toml::node_type::floating_point:
    return "a number with a point";
  case toml::node_type::boolean:
    return "true or false";
  default:
    return "a date or time";
  }
}

std::string TableReader::pathOf(llvm::StringRef Key) const {
  if (Path.empty() || Key.empty())
    return Path + Key.str();
  return Path + "." + Key.str();
}

SourcePlace TableReader::placeOf(llvm::StringRef Key) const {
  const toml::node *Node = Table.get(std::string_view(Key));
  return Node ? Diags.placeOf(*Node) : place();
}

void TableReader::error(llvm::StringRef Code, llvm::StringRef Key, const llvm::Twine &Message) {
  std::string Where = pathOf(Key);
  Diags.add(Code, Where.empty() ? Message.str() : (Where + ": " + Message).str(), placeOf(Key));
}

const toml::node *TableReader::find(llvm::StringRef Key) {
  Known.push_back(Key.str());
  return Table.get(std::string_view(Key));
}

const toml::node *TableReader::require(llvm::StringRef Key, Need N) {
  const toml::node *Node = find(Key);
  if (!Node && N == Need::Required)
    Diags.add("problem-missing-key",
              (Path.empty() ? "" : Path + ": ") + "missing key '" + Key + "'", place());
  return Node;
}

void TableReader::wrongType(const toml::node &Node, llvm::StringRef Key, llvm::StringRef Expected) {
  Diags.add("problem-wrong-type",
            pathOf(Key) + ": expected " + Expected + ", found " + describe(Node),
            Diags.placeOf(Node));
}

std::optional<std::string> TableReader::string(llvm::StringRef Key, Need N) {
  const toml::node *Node = require(Key, N);
  if (!Node)
    return std::nullopt;
  if (const auto *Text = Node->as_string())
    return **Text;
  wrongType(*Node, Key, "a string");
  return std::nullopt;
}

std::optional<int64_t> TableReader::integer(llvm::StringRef Key, Need N) {
  const toml::node *Node = require(Key, N);
  if (!Node)
    return std::nullopt;
  if (const auto *Number = Node->as_integer())
    return **Number;
  wrongType(*Node, Key, "an integer");
  return std::nullopt;
}

std::optional<double> TableReader::number(llvm::StringRef Key, Need N) {
  const toml::node *Node = require(Key, N);
  if (!Node)
    return std::nullopt;
  if (const auto *Number = Node->as_floating_point())
    return **Number;
  if (const auto *Number = Node->as_integer()) {
    constexpr auto Most = int64_t(MostExactWhole);
    if (**Number <= Most && **Number >= -Most)
      return double(**Number);
    error("problem-bad-value", Key, "a whole number here lies between -2^53 and 2^53");
    return std::nullopt;
  }
  wrongType(*Node, Key, "a number");
  return std::nullopt;
}

std::optional<bool> TableReader::boolean(llvm::StringRef Key, Need N) {
  const toml::node *Node = require(Key, N);
  if (!Node)
    return std::nullopt;
  if (const auto *Value = Node->as_boolean())
    return **Value;
  wrongType(*Node, Key, "true or false");
  return std::nullopt;
}

const toml::array *TableReader::array(llvm::StringRef Key, Need N) {
  const toml::node *Node = require(Key, N);
  if (!Node)
    return nullptr;
  if (!Node->is_array())
    wrongType(*Node, Key, "an array");
  return Node->as_array();
}

const toml::table *TableReader::table(llvm::StringRef Key, Need N) {
  const toml::node *Node = require(Key, N);
  if (!Node)
    return nullptr;
  if (!Node->is_table())
    wrongType(*Node, Key, "a table");
  return Node->as_table();
}

std::vector<std::string> TableReader::strings(llvm::StringRef Key, Need N,
                                              std::vector<SourcePlace> *Places) {
  std::vector<std::string> Result;
  const toml::array *Array = array(Key, N);
  if (!Array)
    return Result;
  for (size_t I = 0; I != Array->size(); ++I) {
    const toml::node &Element = *Array->get(I);
    if (const auto *Text = Element.as_string()) {
      Result.push_back(**Text);
      if (Places)
        Places->push_back(Diags.placeOf(Element));
    } else
      wrongType(Element, (Key + "[" + llvm::Twine(I) + "]").str(), "a string");
  }
  return Result;
}

std::optional<std::string> TableReader::choice(llvm::StringRef Key, Need N, llvm::StringRef What,
                                               llvm::ArrayRef<llvm::StringRef> Choices) {
  std::optional<std::string> Text = string(Key, N);
  if (!Text || llvm::is_contained(Choices, *Text))
    return Text;
  std::string Code = ("problem-unknown-" + What).str();
  llvm::replace(Code, ' ', '-');
  error(Code, Key, "unknown " + What + " " + quote(*Text) + suggest(*Text, Choices));
  return std::nullopt;
}

bool TableReader::eachTable(llvm::StringRef Key,
                            llvm::function_ref<void(TableReader &, const std::string &)> Read) {
  const toml::node *Node = find(Key);
  if (!Node)
    return true;
  const toml::array *Array = Node->as_array();
  if (!Array || !llvm::all_of(*Array, [](const toml::node &N) { return N.is_table(); })) {
    wrongType(*Node, Key, ("tables '[[" + Key + "]]'").str());
    return false;
  }
  for (size_t I = 0; I != Array->size(); ++I) {
    std::string ElementPath = pathOf((Key + "[" + llvm::Twine(I) + "]").str());
    TableReader Element(*Array->get(I)->as_table(), ElementPath, Diags);
    Read(Element, ElementPath);
  }
  return true;
}

void TableReader::finish() {
  for (auto &&[Key, Node] : Table)
    if (!llvm::is_contained(Known, Key.str()))
      Diags.add("problem-unknown-key",
                (Path.empty() ? "" : Path + ": ") + "unknown key " + quote(Key.str()) +
                    suggest(Key.str(), Known),
                Diags.placeOf(Key.source()));
}
