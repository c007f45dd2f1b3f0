// RUN: not %cupel lint %s 2>&1 | FileCheck %s --implicit-check-not='linter {{crashed}}'
// REQUIRES: cupel, torch, cuda-headers
//
// Directives that end before the name of their file.

// CHECK: include-nothing.cu:[[#@LINE+1]]:{{[0-9]+}}: error: expected "FILENAME" or <FILENAME>
#include
#if 0
#include
#include_next
#import
#endif
