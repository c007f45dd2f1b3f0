//===- Toml.h - toml++ as this library uses it ------------------------------===//
//
// Only lib/Problem includes toml++, and only through this file: its configuration must be the same
// everywhere, and without exceptions.
//
//===----------------------------------------------------------------------===//
#ifndef CUPEL_LIB_PROBLEM_TOML_H
#define CUPEL_LIB_PROBLEM_TOML_H

#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#endif // CUPEL_LIB_PROBLEM_TOML_H
