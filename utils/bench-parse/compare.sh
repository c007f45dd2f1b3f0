#!/bin/sh
# compare.sh BENCH_PARSE CUDA_HOME TORCH_HOME PYTHON_INCLUDE FILE...
#
# For each file: processor seconds of plain clang for both passes, of cupel's warm parse (best of 5),
# and the ratio.
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
  echo "$file: clang $plain s, cupel $warm s, ratio $(echo "$plain $warm" | awk '{ printf "%.0f", $1 / $2 }')"
done
