#!/usr/bin/env bash
# Gets what cupel needs on Debian 12 or Ubuntu 24.04, and uses what is there already.
#
#   utils/setup.sh [--host-only] [--host-archive FILE]
#
#   --host-only          the host half alone: no torch, no CUDA toolkit
#   --host-archive FILE  where LLVM 22 cannot be had: the packed host half (dist/cupel-*-host-*.tar.gz
#                        and $CUPEL_HOST_ARCHIVE are found without it)
#
# System packages come from apt (as root, or through sudo); torch and, where the machine has no CUDA
# toolkit, NVIDIA's wheels of it from PyPI into build/venv. $CUPEL_PYTHON names a Python that has
# torch. What was found is written to build/setup.env. Exit status 0: both halves, or what was asked
# for, can be built; 1: what is missing is named, with the command that gets it.

set -euo pipefail
. "$(dirname "$0")/common.sh"

torch_version=2.11.0
# Without cudart pip takes the newest runtime, whose headers this nvcc refuses.
cuda_wheels='cuda-toolkit[nvcc,crt,nvvm,cccl,cudart,cupti]==13.0.2'
host_only=
archive=${CUPEL_HOST_ARCHIVE:-} # Named by somebody: taken even where LLVM is there.
missing=() # "WHAT|HOW TO GET IT|WHAT IS OFF WITHOUT IT"

while [ $# -gt 0 ]; do
  case $1 in
    --host-only) host_only=1 ;;
    --host-archive) archive=${2:?--host-archive needs a file}; shift ;;
    -h | --help) sed -n '2,/^$/s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) fail "unknown argument '$1' (see --help)" ;;
  esac
  shift
done

# --- apt -------------------------------------------------------------------------------------------

have() { command -v "$1" >/dev/null 2>&1; }
have_header() { for folder in /usr/include /usr/local/include; do [ -e "$folder/$1" ] && return; done; return 1; }
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi; }
can_apt() { have apt-get && { [ "$(id -u)" = 0 ] || { have sudo && sudo -n true 2>/dev/null; }; }; }

apt_updated=
apt_patience=(-o Acquire::Retries=1 -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20)
apt_install() {
  can_apt || return 1
  if [ -z "$apt_updated" ]; then
    say "updating the list of packages"
    as_root apt-get "${apt_patience[@]}" update -qq >/dev/null 2>&1 || say "the list of packages cannot be updated; going on"
    apt_updated=1
  fi
  say "installing $*"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get "${apt_patience[@]}" install -y -qq --no-install-recommends "$@" >/dev/null 2>&1
}

# want TEST PACKAGE OFF: PACKAGE unless TEST succeeds; OFF says what does not work without it.
want() {
  local test=$1 package=$2 off=$3
  eval "$test" && return
  # shellcheck disable=SC2086
  apt_install $package && eval "$test" && return
  missing+=("$package|apt-get install $package|$off")
  return 1
}

llvm_there() {
  [ -e /usr/lib/llvm-22/lib/cmake/llvm/LLVMConfig.cmake ] && [ -e /usr/lib/llvm-22/lib/cmake/clang/ClangConfig.cmake ] &&
    [ -x /usr/lib/llvm-22/bin/llvm-tblgen ]
}

# Debian 12 has LLVM 22 in its own sources. Ubuntu 24.04 has not; LLVM's project keeps packages for it.
add_llvm_source() {
  . /etc/os-release
  [ "${ID:-}" = ubuntu ] && can_apt || return 1
  [ -n "$(apt-cache policy llvm-22-dev 2>/dev/null)" ] && return 0
  apt_install ca-certificates curl || return 1
  local key=/etc/apt/keyrings/apt.llvm.org.asc list=/etc/apt/sources.list.d/llvm-22.list
  say "adding LLVM's packages for ${VERSION_CODENAME} (https://apt.llvm.org) to $list"
  as_root mkdir -p /etc/apt/keyrings
  curl -fsSL --max-time 60 https://apt.llvm.org/llvm-snapshot.gpg.key | as_root tee "$key" >/dev/null || return 1
  echo "deb [signed-by=$key] https://apt.llvm.org/$VERSION_CODENAME/ llvm-toolchain-$VERSION_CODENAME-22 main" |
    as_root tee "$list" >/dev/null
  apt_updated=
}

setup_build_tools() {
  want 'have g++ || have clang++' 'g++' 'nothing can be built' || true
  want 'have ninja' ninja-build 'nothing can be built' || true
  want 'have cmake && cmake_is_new' cmake 'nothing can be built (CMake 3.25 or later)' || true
}

cmake_is_new() {
  local version
  version=$(cmake --version | awk 'NR == 1 { print $3 }')
  [ "$(printf '3.25\n%s\n' "$version" | sort -V | head -1)" = 3.25 ]
}

find_archive() {
  archive=$(ls -t "$source_dir"/dist/cupel-*-host-*.tar.gz 2>/dev/null | head -1 || true)
}

setup_host() {
  host=source
  local packages='llvm-22-dev libclang-22-dev libpolly-22-dev clang-22 llvm-22-tools'
  llvm_there || [ -n "$archive" ] || find_archive
  if [ -n "$archive" ]; then
    unpack_archive
    return
  fi
  llvm_there || add_llvm_source || true
  want llvm_there "$packages" 'the host half (the tool cupel); or give --host-archive FILE' || { host=none; return; }
  want '[ -x /usr/lib/llvm-22/bin/clang++ ]' clang-22 'evaluation on machines without a GPU' || true
  want 'have_header toml++/toml.h' libtomlplusplus-dev 'the host half (the tool cupel)' || host=none
  want 'have_header seccomp.h' libseccomp-dev 'the host half (the tool cupel)' || host=none
  want '[ -x /usr/lib/llvm-22/bin/FileCheck ] && have_header gtest/gtest.h' \
    'llvm-22-tools libgtest-dev' 'the tests' || true
  # LLVM's CMake files look for these although cupel uses none of them itself.
  want 'have_header zlib.h && have_header zstd.h' 'zlib1g-dev libzstd-dev' 'the host half (the tool cupel)' || host=none
}

unpack_archive() {
  [ -f "$archive" ] || fail "no such archive: $archive"
  host=archive
  local sum stamp=$build_dir/host/.archive
  sum=$(sha256sum "$archive" | cut -d' ' -f1)
  if [ ! -f "$stamp" ] || [ "$(cat "$stamp")" != "$sum" ]; then
    say "unpacking $archive to $build_dir/host"
    rm -rf "$build_dir/host"
    mkdir -p "$build_dir/host"
    tar -xzf "$archive" -C "$build_dir/host" --strip-components=1
    "$build_dir/host/bin/cupel" --version >/dev/null ||
      fail "the packed cupel does not run here; it needs x86-64 and glibc 2.36 or later"
    echo "$sum" >"$stamp"
  fi
}

# --- Python, torch, CUDA ---------------------------------------------------------------------------

torch_of() {
  "$1" -c 'import importlib.util as u, pathlib
spec = u.find_spec("torch")
folder = pathlib.Path(list(spec.submodule_search_locations)[0]) if spec else None
version = folder / "version.py" if folder else None
if version and f"\047'"$torch_version"'" in version.read_text(): print(folder)' 2>/dev/null || true
}

setup_torch() {
  local candidate
  for candidate in "${CUPEL_PYTHON:-}" "$build_dir/venv/bin/python" "$(command -v python3 || true)"; do
    [ -n "$candidate" ] && have "$candidate" || continue
    torch=$(torch_of "$candidate")
    if [ -n "$torch" ]; then
      python=$(command -v "$candidate")
      return
    fi
  done
  make_venv || return 0
  say "installing torch $torch_version into $build_dir/venv (5 GB, a minute or more)"
  if "$build_dir/venv/bin/python" -m pip install -q "torch==$torch_version" >"$build_dir/pip.log" 2>&1; then
    python=$build_dir/venv/bin/python
    torch=$(torch_of "$python")
  else
    tail -3 "$build_dir/pip.log" >&2
    missing+=("torch $torch_version|$build_dir/venv/bin/python -m pip install torch==$torch_version|the worker: nothing is run or measured")
  fi
}

make_venv() {
  [ -x "$build_dir/venv/bin/pip" ] && return
  want 'have python3 && python3 -c "import ensurepip" 2>/dev/null' 'python3 python3-venv' 'torch, and so the worker' || return 1
  python3 -m venv "$build_dir/venv" >/dev/null || return 1
}

setup_cuda() {
  local nvcc candidate
  nvcc=$(command -v nvcc || true)
  for candidate in "${CUPEL_CUDA_HOME:-}" "${CUDA_HOME:-}" \
    "${nvcc:+$(dirname "$(dirname "$(readlink -f "$nvcc")")")}" /usr/local/cuda \
    "$(dirname "${torch:-/nowhere/torch}")/nvidia/cu13" "$build_dir"/venv/lib/python3*/site-packages/nvidia/cu13; do
    if [ -x "$candidate/bin/nvcc" ] && [ -e "$candidate/include/cuda_runtime.h" ]; then
      cuda=$candidate
      return
    fi
  done
  make_venv || return 0
  say "installing $cuda_wheels into $build_dir/venv"
  if "$build_dir/venv/bin/python" -m pip install -q "$cuda_wheels" >"$build_dir/pip.log" 2>&1; then
    cuda=$(ls -d "$build_dir"/venv/lib/python3*/site-packages/nvidia/cu13 | head -1)
  else
    tail -3 "$build_dir/pip.log" >&2
    missing+=("a CUDA toolkit|$build_dir/venv/bin/python -m pip install '$cuda_wheels'|the worker, and building submissions")
  fi
}

can_emulate() { have_header boost/context/detail/fcontext.hpp && have_header elfutils/libdwfl.h; }

setup_worker() {
  worker=source
  setup_torch
  setup_cuda
  if [ "$host" != archive ]; then
    want 'have_header nlohmann/json.hpp' nlohmann-json3-dev 'the worker: nothing is run or measured' || worker=none
    want 'can_emulate' 'libboost-context-dev libdw-dev' 'evaluation on machines without a GPU' || true
  fi
  can_emulate || emulation=OFF
  [ -n "$torch" ] && [ -n "$cuda" ] || worker=none
  if [ -n "$cuda" ] && [ ! -e "$cuda/include/cupti_range_profiler.h" ] &&
    [ ! -e "$cuda/extras/CUPTI/include/cupti_range_profiler.h" ]; then
    cupti=OFF
    missing+=("CUPTI's headers in $cuda/include|install the toolkit's package cuda-cupti-dev|counters and the table of kernels")
  fi
}

# --- all -------------------------------------------------------------------------------------------

mkdir -p "$build_dir"
python='' torch='' cuda='' host=none worker=none cupti=ON emulation=ON
setup_build_tools
setup_host
[ -n "$host_only" ] || setup_worker
# Only speeds up later builds, so a machine that needed nothing else, perhaps without network, is not
# bothered for it.
[ -z "$apt_updated" ] || have ccache || apt_install ccache || true

{
  printf "CUPEL_PYTHON='%s'\n" "$python"
  printf "CUPEL_TORCH_HOME='%s'\n" "$torch"
  printf "CUPEL_CUDA_HOME='%s'\n" "$cuda"
  printf "CUPEL_CUPTI='%s'\n" "$cupti"
  printf "CUPEL_EMULATION='%s'\n" "$emulation"
  printf "CUPEL_HOST='%s'\n" "$host"     # source, archive or none
  printf "CUPEL_WORKER_HALF='%s'\n" "$worker" # source or none
} >"$settings.new"
mv "$settings.new" "$settings"

say "host half: $host; worker: $worker; torch: ${torch:-none}; CUDA: ${cuda:-none}"
[ ${#missing[@]} = 0 ] && exit 0
for entry in "${missing[@]}"; do
  IFS='|' read -r what how off <<<"$entry"
  printf 'setup.sh: missing: %s\n  get it with: %s\n  without it, not available: %s\n' "$what" "$how" "$off" >&2
done
# Without the tests' tools and counters the rest can still be built.
have cmake && cmake_is_new && have ninja && [ "$host" != none ] && { [ "$worker" != none ] || [ -n "$host_only" ]; } && exit 0
exit 1
