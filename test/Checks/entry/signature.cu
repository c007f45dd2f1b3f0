// The problem gives x (a tensor), index (a tensor), scale (a float), count (an int).
//
// RUN: sed 's/@@/torch::Tensor forward(torch::Tensor x) { return x; }/' %s > %t.cu
// RUN: not %cupel lint --checks='entry-*' --problem %S/../Inputs/rows.toml %t.cu | FileCheck %s --check-prefixes=ONE,COUNT
// RUN: sed 's/@@/torch::Tensor forward(torch::Tensor x, torch::Tensor index, int scale, long count) { return x; }/' %s > %t.cu
// RUN: not %cupel lint --checks='entry-*' --problem %S/../Inputs/rows.toml %t.cu | FileCheck %s --check-prefixes=ONE,TYPE
// RUN: sed 's/@@/void forward(torch::Tensor x, torch::Tensor index, double scale, long count) {}/' %s > %t.cu
// RUN: not %cupel lint --checks='entry-*' --problem %S/../Inputs/rows.toml %t.cu | FileCheck %s --check-prefixes=ONE,RESULT
// RUN: sed 's/@@/int forward(std::vector<torch::Tensor> x, torch::Tensor index) { return 1; }/' %s > %t.cu
// RUN: not %cupel lint --checks='entry-*' --problem %S/../Inputs/rows.toml %t.cu | FileCheck %s --check-prefix=MANY
// RUN: sed 's/@@/torch::Tensor forward(torch::Tensor index, torch::Tensor x, double scale, int count) { return x; }/' %s > %t.cu
// RUN: %cupel lint --checks='entry-*' --problem %S/../Inputs/rows.toml %t.cu | FileCheck %s --check-prefix=ORDER
// RUN: sed 's/@@/torch::Tensor forward(torch::Tensr x) { return x; }/' %s > %t.cu
// RUN: not %cupel lint --checks='entry-*' --problem %S/../Inputs/rows.toml %t.cu | FileCheck %s --check-prefix=BROKEN --implicit-check-not=reject:
// RUN: sed 's/@@/torch::Tensor forward(torch::Tensor x) { return x; }/' %s > %t.cu
// RUN: %cupel lint --checks='entry-*' %t.cu | FileCheck %s --check-prefix=NONE
// REQUIRES: cupel, torch, cuda-headers

// COUNT: :[[#]]:15: reject: forward(at::Tensor x) takes 1 argument; the problem gives 4 (x, index, scale, count) [entry-signature]
// TYPE: :[[#]]:65: reject: argument 'scale' of forward is of type 'int'; the problem gives 'scale', a float [entry-signature]
// TYPE: rows.toml:[[#]]:{{[0-9]+}}: note: the problem defines 'scale' here
// RESULT: :[[#]]:1: reject: forward returns nothing; it must return the output tensor [entry-signature]
// ONE: rejected: 1 reject
// MANY: :[[#]]:1: reject: forward returns 'int'; it must return a tensor, or a tuple or vector of tensors [entry-signature]
// MANY: :[[#]]:5: reject: forward({{.*}}) takes 2 arguments; the problem gives 4
// MANY: :[[#]]:40: reject: argument 'x' of forward is of type 'std::vector<at::Tensor{{.*}}>'; the problem gives 'x', a tensor
// MANY: rejected: 3 rejects
// ORDER: :[[#]]:15: warn: forward({{.*}}) takes its arguments in another order than the problem gives them (x, index, scale, count) [entry-signature]
// ORDER: accepted: 1 warning
// BROKEN: warn: {{.*}} [entry-signature]
// BROKEN: could not judge
// NONE: accepted: no findings

#include <torch/extension.h>

@@
