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

// toml++ 3.3 asserts what it then reports itself, for example that a key follows the `[` of a
// table, so that a file with `[=]` would end the program; and with NDEBUG it makes such assertions
// assumptions for Clang. Without NDEBUG it takes the TOML_ASSERT that it finds, for both.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(Condition) static_cast<void>(0)
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")
#include <cassert> // As NDEBUG says again.

#endif // CUPEL_LIB_PROBLEM_TOML_H
