#!/usr/bin/env bash
# Builds the worker on a GPU machine and tries all of it there: every command, counters against ncu, the
# baselines against Python. Needs a Python with torch, nvcc, CMake, g++ and nlohmann/json.hpp; neither
# LLVM nor a network. Nothing stops at the first failure; the log says everything.
#
#   utils/gpu-smoke.sh            logs into $OUT, or the build folder
#   utils/gpu-smoke.sh --prepare  copies nlohmann's header to build/host/share/cupel/worker-include, from
#                                 where a checkout that is taken to a GPU machine finds it
set -u
cd "$(dirname "$0")/.."
root=$PWD
headers=$root/build/host/share/cupel/worker-include
if [ "${1-}" = --prepare ]; then
  mkdir -p "$headers" && cp -r /usr/include/nlohmann "$headers"/ && echo "headers are in $headers"
  exit
fi

build=${CUPEL_SMOKE_BUILD:-/tmp/cupel-smoke}
logs=${OUT:-$build/logs}
mkdir -p "$build" "$logs"
exec > >(tee "$logs/gpu-smoke.log") 2>&1
python=$(command -v "${CUPEL_PYTHON:-python3}")
status=0

section() { printf '\n==== %s (%s s)\n' "$1" "$SECONDS"; }
attempt() { "$@" || { status=1; echo "FAILED ($?): $*"; }; }

section "the machine"
nvidia-smi --query-gpu=name,driver_version,memory.total,clocks.sm,clocks.mem --format=csv
nvcc --version | tail -2
g++ --version | head -1
cmake --version | head -1
ncu --version | tail -2
$python -c 'import torch; print("torch", torch.__version__, torch.version.cuda, torch.__path__[0])'

section "build of the worker"
options=(-DCUPEL_ENABLE_LINT=OFF -DCUPEL_ENABLE_EMULATION=OFF -DCUPEL_BUILD_TESTS=OFF
  -DCMAKE_BUILD_TYPE=Release)
[ -d "$headers/nlohmann" ] && options+=("-DCUPEL_NLOHMANN_INCLUDE_DIR=$headers")
command -v ninja > /dev/null && options+=(-G Ninja)
export CUPEL_PYTHON=$python
cmake -S "$root" -B "$build/worker" "${options[@]}" ||
  { status=1; cmake -S "$root" -B "$build/worker" "${options[@]}" -DCUPEL_ENABLE_CUPTI=OFF; } || exit 1
cmake --build "$build/worker" --parallel --target cupel-worker || exit 1
worker=$build/worker/bin/cupel-worker

section "build of the kernels"
torch=$($python -c 'import importlib.util as u; print(list(u.find_spec("torch").submodule_search_locations)[0])')
cuda=$(dirname "$(dirname "$(readlink -f "$(command -v nvcc)")")")
arch=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -1 | tr -d .)
time attempt nvcc -O3 -std=c++17 -lineinfo -cudart shared "-gencode=arch=compute_$arch,code=sm_$arch" -Xcompiler -fPIC \
  -c utils/smoke/kernels.cu -o "$build/kernels.o"
time attempt g++ -O2 -std=c++17 -fPIC -DAT_PER_OPERATOR_HEADERS -I"$torch/include" -I"$cuda/include" \
  -c utils/smoke/entries.cpp -o "$build/entries.o"
cudart=$(find "$(dirname "$torch")/nvidia" -name 'libcudart.so.*' 2> /dev/null | head -1)
[ -n "$cudart" ] || cudart=$(find "$cuda"/lib64/ -name 'libcudart.so' | head -1)
attempt g++ -shared -o "$build/libsmoke.so" "$build/entries.o" "$build/kernels.o" -L"$torch/lib" -ltorch_cpu -lc10 -lc10_cuda \
  "$cudart"

time attempt nvcc -O3 -std=c++17 "-gencode=arch=compute_$arch,code=sm_$arch" -o "$build/event-timing" \
  utils/smoke/event-timing.cu "$build/kernels.o"

section "cupel-worker info"
time attempt "$worker" info

section "every command"
attempt $python utils/smoke_worker.py --worker "$worker" --library "$build/libsmoke.so"

section "counters against ncu"
attempt timeout 150 $python utils/bench-counters.py --worker "$worker" --library "$build/libsmoke.so"

section "times against CUDA events by hand"
attempt timeout 60 $python utils/bench-timing.py --worker "$worker" --library "$build/libsmoke.so" --program "$build/event-timing"

section "baselines against Python"
attempt timeout 120 $python utils/bench-baselines.py --worker "$worker"

section "end, status $status"
exit $status
