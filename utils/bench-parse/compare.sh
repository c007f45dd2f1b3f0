#!/bin/sh
# compare.sh BENCH_PARSE CUDA_HOME TORCH_HOME PYTHON_INCLUDE FILE...
#
# For each file: processor seconds of plain clang for both passes, of cupel's warm parse (best of 5),
# and the ratio; then the same for all of them and how many a second of one processor parses.
set -eu
bench=$1 cuda=$2 torch=$3 python=$4
shift 4
clang=${CLANG:-clang++-22}

clang_seconds() {
  for pass in host device; do
    /usr/bin/env time -f %U "$clang" -x cuda --cuda-$pass-only -fsyntax-only -std=c++17 -w \
      --cuda-gpu-arch=sm_90 -Wno-unknown-cuda-version --cuda-path="$cuda" \
      -isystem "$cuda/include/cccl" -isystem "$torch/include" \
      -isystem "$torch/include/torch/csrc/api/include" -isystem "$python" \
      -DTORCH_EXTENSION_NAME=cupel_submission "$1" 2>&1 >/dev/null | tail -n 1
  done | awk '{ total += $1 } END { print total }'
}

for file in "$@"; do
  plain=$(clang_seconds "$file")
  warm=$("$bench" --repeat 5 "$file" | sed 's/.*processor \([0-9.]*\) s.*/\1/')
  echo "$plain $warm $file"
done | awk '
  { printf "%s: clang %s s, cupel %s s, ratio %.0f\n", $3, $1, $2, $1 / $2; plain += $1; warm += $2 }
  END { printf "%d files: clang %.1f s, cupel %.2f s, ratio %.0f, %.1f files per second\n", NR, plain,
               warm, plain / warm, NR / warm }'
