#!/usr/bin/env bash
# Sets up, configures and builds cupel in build/. What setup.sh finds decides which halves.
#
#   utils/build.sh [-DOPTION=VALUE...]

set -euo pipefail
. "$(dirname "$0")/common.sh"

"$source_dir/utils/setup.sh" || fail "setup is incomplete (see above)"
load_settings
case $CUPEL_HOST in
  source) configure release "$build_dir" -DCUPEL_BUILD_TESTS=OFF "$@" ;;
  # The host half is unpacked already; build/host/bin/cupel finds the worker in build/bin.
  archive)
    configure worker "$build_dir" "$@"
    mkdir -p "$build_dir/bin"
    ln -sf ../host/bin/cupel "$build_dir/bin/cupel"
    ;;
  *) fail "neither LLVM 22 nor a host archive is there" ;;
esac
build "$build_dir"
