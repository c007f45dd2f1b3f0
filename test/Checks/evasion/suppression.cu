// RUN: %cupel lint --checks=evasion-suppression %s | FileCheck %s --implicit-check-not='[evasion-suppression]'
// REQUIRES: cupel, torch, cuda-headers

#include <torch/extension.h>

// CHECK: suppression.cu:[[#@LINE+1]]:1: note: a submission cannot switch off checks; this comment has no effect [evasion-suppression]
// NOLINTNEXTLINE
torch::Tensor forward(torch::Tensor x) { return torch::empty_like(x); }
const char *text = "NOLINT"; // accepted: text
