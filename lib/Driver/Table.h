//===- Table.h - text in columns --------------------------------------------===//
#ifndef CUPEL_LIB_DRIVER_TABLE_H
#define CUPEL_LIB_DRIVER_TABLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace cupel {

/// Prints \p Rows in columns as wide as their widest cell, the last one open. With \p MostWidth
/// other than 0 columns are cut with an ellipsis until a line fits: the widest of \p Shrinkable,
/// but the first of them only when the others are narrow.
void printTable(const std::vector<std::vector<std::string>> &Rows, llvm::raw_ostream &OS,
                llvm::StringRef Indent = "", unsigned MostWidth = 0,
                llvm::ArrayRef<size_t> Shrinkable = {});

/// Columns of the terminal that standard output goes to; 0 when it goes elsewhere or nobody knows.
unsigned terminalWidth();

} // namespace cupel

#endif // CUPEL_LIB_DRIVER_TABLE_H
