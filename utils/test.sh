#!/usr/bin/env bash
# All tests from a fresh clone: sets up, builds both halves and, a second time, the host half under
# AddressSanitizer and UBSan, then runs the tests of both builds as one list.
#
#   utils/test.sh [--no-asan] [CTEST OPTION...]

set -euo pipefail
. "$(dirname "$0")/common.sh"

asan=1
if [ "${1:-}" = --no-asan ]; then
  asan=
  shift
fi
asan_dir=${build_dir}-asan all_dir=${build_dir}-tests

"$source_dir/utils/setup.sh" || fail "setup is incomplete (see above)"
load_settings
[ "$CUPEL_HOST" = source ] || fail "the tests need LLVM 22 (FileCheck, lit) and GoogleTest; the packed host half has none of them"

configure release "$build_dir" -DCUPEL_BUILD_TESTS=ON
build "$build_dir"
if [ -n "$asan" ]; then
  configure asan "$asan_dir"
  build "$asan_dir"
fi

# A folder whose tests are those of both builds, so that ctest's last lines speak for all.
mkdir -p "$all_dir"
{
  echo "subdirs(\"$build_dir\")"
  [ -z "$asan" ] || echo "subdirs(\"$asan_dir\")"
} >"$all_dir/CTestTestfile.cmake"
export CUPEL_TEST_CACHE_DIR=${CUPEL_TEST_CACHE_DIR:-$build_dir/test-cache}
cd "$all_dir"
exec ctest -j "$(nproc)" --output-on-failure --no-tests=error "$@"
