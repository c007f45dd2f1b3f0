// RUN: not %cupel lint --checks=evasion-line-marker %s | FileCheck %s --implicit-check-not='[evasion-line-marker]'
// REQUIRES: cupel, torch, cuda-headers

#include <torch/extension.h>
#pragma once                            // accepted: a pragma
#define LINE 3                          // accepted: a macro
#if LINE == 3                           // accepted: a condition
#endif
#
int line = __LINE__;                    // accepted: the line's number
const char *file = __FILE__;            // accepted: the file's name
const char *text = "#line 3";           // accepted: text
const char *raw = R"(
#line 7 "in a raw string")";            // accepted: in a raw string
// #line 3 is accepted: a comment
#define STRINGIFY(x) #x                 // accepted: the operator #
const char *name = STRINGIFY(line);     // accepted: its use
#define PASTE(a, b) a##b                // accepted: the operator ##
// CHECK: line-marker.cu:[[#@LINE+1]]:1: reject: this directive makes the lines that follow look like another file's [evasion-line-marker]
#line 16 "line-marker.cu"
// CHECK: :[[#@LINE+1]]:1: reject: this directive makes{{.*}}[evasion-line-marker]
# 1 "/usr/include/math.h" 3
// CHECK: :[[#@LINE+1]]:1: reject: this directive makes{{.*}}[evasion-line-marker]
%:line 5
torch::Tensor forward(torch::Tensor x) { return torch::empty_like(x); }
