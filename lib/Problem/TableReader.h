//===- TableReader.h - typed access to a TOML table, with good errors -------===//
#ifndef CUPEL_LIB_PROBLEM_TABLEREADER_H
#define CUPEL_LIB_PROBLEM_TABLEREADER_H

#include "Toml.h"
#include "cupel/Support/Error.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>
#include <string>
#include <vector>

namespace cupel {

/// Collects the mistakes of one file, so that all are told in one go.
class Diagnostics {
public:
  explicit Diagnostics(llvm::StringRef File) : File(File) {}

  void add(llvm::StringRef Code, const llvm::Twine &Message, SourcePlace Place);
  bool empty() const { return Items.empty(); }

  /// All mistakes in the order of the file, each once.
  llvm::Error take();

  SourcePlace placeOf(const toml::node &Node) const { return placeOf(Node.source()); }
  SourcePlace placeOf(const toml::source_region &Region) const;
  llvm::StringRef file() const { return File; }

private:
  struct Item {
    std::string Code, Message;
    SourcePlace Place;
  };
  std::string File;
  std::vector<Item> Items;
};

/// `; did you mean 'NAME'?` for the nearest of \p Known, or their list when none is near.
std::string suggest(llvm::StringRef Unknown, const std::vector<std::string> &Known);
std::string suggest(llvm::StringRef Unknown, llvm::ArrayRef<llvm::StringRef> Known);

/// A name of the file in quotes, made safe to print.
std::string quote(llvm::StringRef Name);

/// `a string`, `an array`, ... for messages.
llvm::StringRef describe(const toml::node &Node);

enum class Need { Required, Optional };

/// One table of the file. Every accessor makes its key a known one; finish() tells the rest as
/// unknown. An accessor that returns nothing has already told why, unless the key was optional
/// and absent.
class TableReader {
public:
  /// \p Path is the dotted path of the table for messages, empty for the whole file.
  TableReader(const toml::table &Table, std::string Path, Diagnostics &Diags)
      : Table(Table), Path(std::move(Path)), Diags(Diags) {}

  const toml::node *find(llvm::StringRef Key);
  bool has(llvm::StringRef Key) const { return Table.contains(std::string_view(Key)); }

  std::optional<std::string> string(llvm::StringRef Key, Need N);
  std::optional<int64_t> integer(llvm::StringRef Key, Need N);
  std::optional<double> number(llvm::StringRef Key, Need N);
  std::optional<bool> boolean(llvm::StringRef Key, Need N);
  /// \p Places gets one place for each string.
  std::vector<std::string> strings(llvm::StringRef Key, Need N = Need::Optional,
                                   std::vector<SourcePlace> *Places = nullptr);
  const toml::array *array(llvm::StringRef Key, Need N);
  const toml::table *table(llvm::StringRef Key, Need N);

  /// One of \p Known; another string is told with the nearest of them. \p What for the message.
  std::optional<std::string> choice(llvm::StringRef Key, Need N, llvm::StringRef What,
                                    llvm::ArrayRef<llvm::StringRef> Known);

  /// Calls \p Read for each table of `[[KEY]]` with its path. False when \p Key is there but is no
  /// array of tables, which is told.
  bool eachTable(llvm::StringRef Key,
                 llvm::function_ref<void(TableReader &, const std::string &Path)> Read);

  /// Tells of every key that no accessor asked for.
  void finish();

  /// Adds a mistake about \p Key at its value; about the table itself when \p Key is empty.
  void error(llvm::StringRef Code, llvm::StringRef Key, const llvm::Twine &Message);

  std::string pathOf(llvm::StringRef Key) const;
  SourcePlace place() const { return Diags.placeOf(Table); }
  SourcePlace placeOf(llvm::StringRef Key) const;
  const toml::table &toml() const { return Table; }
  Diagnostics &diagnostics() const { return Diags; }

private:
  const toml::node *require(llvm::StringRef Key, Need N);
  void wrongType(const toml::node &Node, llvm::StringRef Key, llvm::StringRef Expected);

  const toml::table &Table;
  std::string Path;
  Diagnostics &Diags;
  std::vector<std::string> Known;
};

} // namespace cupel

#endif // CUPEL_LIB_PROBLEM_TABLEREADER_H
