# shellcheck shell=bash
# Sourced by the other scripts: where things are and how a build is configured.

source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build_dir=${CUPEL_BUILD_DIR:-$source_dir/build}
settings=$build_dir/setup.env # What setup.sh found, one NAME='VALUE' a line.

say() { printf '%s: %s\n' "$(basename "$0")" "$*"; }
fail() {
  printf '%s: error: %s\n' "$(basename "$0")" "$*" >&2
  exit 2
}

# One compilation with Clang's headers takes up to 1 GiB, so memory counts as well as cores.
jobs() {
  local cores memory
  cores=$(nproc)
  memory=$(awk '/^MemAvailable/ { print int($2 / 1048576) }' /proc/meminfo)
  echo $((cores < memory ? cores : (memory > 1 ? memory : 1)))
}

load_settings() {
  [ -f "$settings" ] || fail "run utils/setup.sh first: there is no $settings"
  # shellcheck disable=SC1090
  . "$settings"
}

# configure PRESET FOLDER [OPTION...]: quiet unless it fails.
configure() {
  local preset=$1 folder=$2 log
  shift 2
  mkdir -p "$folder"
  log=$folder/configure.log
  local found=(-DCUPEL_PRECOMPILE_HEADERS=ON)
  [ -n "${CUPEL_PYTHON:-}" ] && found+=("-DCUPEL_PYTHON=$CUPEL_PYTHON")
  [ -n "${CUPEL_TORCH_HOME:-}" ] && found+=("-DCUPEL_TORCH_HOME=$CUPEL_TORCH_HOME")
  [ -n "${CUPEL_CUDA_HOME:-}" ] && found+=("-DCUPEL_CUDA_HOME=$CUPEL_CUDA_HOME")
  [ -n "${CUPEL_CUPTI:-}" ] && found+=("-DCUPEL_ENABLE_CUPTI=$CUPEL_CUPTI")
  [ -n "${CUPEL_EMULATION:-}" ] && found+=("-DCUPEL_ENABLE_EMULATION=$CUPEL_EMULATION")
  say "configuring $folder"
  if ! (cd "$source_dir" && cmake --preset "$preset" -B "$folder" "${found[@]}" "$@") >"$log" 2>&1; then
    cat "$log" >&2
    fail "cmake --preset $preset failed"
  fi
}

build() {
  say "building $1"
  cmake --build "$1" -j "$(jobs)" || fail "the build in $1 failed"
}
