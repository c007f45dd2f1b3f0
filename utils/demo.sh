#!/usr/bin/env bash
# The main job from a fresh clone: sets up, builds, and judges a sample submission.
#
#   utils/demo.sh [PROBLEM SUBMISSION [OPTION...]]      default: level1/relu docs/examples/relu.cu
#
# Exit status: that of `cupel eval` (0 accepted, 1 rejected, 2 could not judge).

set -euo pipefail
. "$(dirname "$0")/common.sh"

"$source_dir/utils/build.sh"
cd "$source_dir"
[ $# -gt 0 ] || set -- level1/relu docs/examples/relu.cu
say "build/bin/cupel eval $*"
exec "$build_dir/bin/cupel" eval "$@"
