#!/usr/bin/env bash
# Checks that the packed host half runs elsewhere: what it links, which glibc it needs, and that it finds
# its own files where it is unpacked.
#
#   utils/check-archive.sh [FILE]      default: the newest dist/cupel-*-host-*.tar.gz

set -euo pipefail
. "$(dirname "$0")/common.sh"

archive=${1:-$(find "$source_dir/dist" -name 'cupel-*-host-*.tar.gz' -printf '%T@ %p\n' 2>/dev/null | sort -n | tail -1 | cut -d' ' -f2-)}
[ -f "$archive" ] || fail "no archive; make one with: cmake --preset archive && cmake --build --preset archive && cpack --preset archive"
newest_glibc=2.36

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
tar -xzf "$archive" -C "$folder" --strip-components=1
tool=$folder/bin/cupel

foreign=$(ldd "$tool" | awk '{ print $1 }' | grep -vE '^(linux-vdso|libc|libm|libdl|librt|libpthread)\.so|/ld-linux' || true)
[ -z "$foreign" ] || fail "it links libraries that other machines may not have: $foreign"

glibc=$(objdump -T "$tool" | grep -oE 'GLIBC_[0-9.]+' | sed 's/GLIBC_//' | sort -V | tail -1)
[ "$(printf '%s\n' "$glibc" "$newest_glibc" | sort -V | tail -1)" = "$newest_glibc" ] ||
  fail "it needs glibc $glibc, later than $newest_glibc; build it on Debian 12"

! strings -n 8 "$tool" | grep -qF "$source_dir" || fail "the program holds a path of the machine that built it"

export CUPEL_CACHE_DIR=$folder/cache
"$tool" --version >/dev/null || fail "it does not run"
count=$("$tool" problem list --format json | grep -o '"name"' | wc -l)
[ "$count" -gt 0 ] || fail "it does not find its problems"
report=$("$tool" doctor || true) # Its status speaks of the machine.
[[ $report == *"$folder/lib/clang/22"* ]] || fail "it does not find Clang's headers beside itself"
[ -e "$folder/share/cupel/worker-include/nlohmann/json.hpp" ] || fail "nlohmann/json.hpp is not in it"

say "$archive: $(du -h "$archive" | cut -f1) packed, $(du -sh "$folder" | cut -f1) unpacked, glibc $glibc, $count problems"
