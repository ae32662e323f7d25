#!/usr/bin/env bash
# run.sh MINUTES: every target of tests/fuzz for its share of the minutes, which may be a fraction, one on each
# processor. The inputs that reach new code stay in build/fuzz/corpus; what breaks a reader is kept in
# build/fuzz/found, and belongs into tests/fuzz/corpus/TARGET/fault-NAME once it is mended. Exit code 1 if
# anything was found or a target could not run.
set -euo pipefail
cd "$(dirname "$0")/../.."
targets=(tests/fuzz/corpus/*/)
processors="$(nproc)"
seconds="$(awk -v minutes="$1" -v processors="$processors" -v targets="${#targets[@]}" \
  'BEGIN { s = minutes * 60 * processors / targets; print s < 1 ? 1 : int(s) }')"
mkdir -p build/fuzz/found
export ASAN_OPTIONS=allocator_may_return_null=0:detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1

# fuzz TARGET SECONDS: prints its executions; fails if it found something or executed nothing. Inputs are as long
# as the longest thing that a reader is given by a stranger, a line of an adapter of one mebibyte.
fuzz() {
  local status=0 executions
  mkdir -p "build/fuzz/corpus/$1"
  python3 tests/fuzz/dictionary.py "$1" >"build/fuzz/$1.dict" || return 1
  build/asan/ropescope_fuzz "--target=$1" -max_total_time="$2" -timeout=10 -rss_limit_mb=2048 \
    -max_len=1100000 -dict="build/fuzz/$1.dict" \
    -print_final_stats=1 -artifact_prefix="build/fuzz/found/$1-" \
    "build/fuzz/corpus/$1" "tests/fuzz/corpus/$1" 2>"build/fuzz/$1.log" || status=$?
  executions="$(sed -n 's/^stat::number_of_executed_units: *//p' "build/fuzz/$1.log")"
  echo "$1: ${executions:-no} executions"
  [ "$status" = 0 ] && [ "${executions:-0}" -gt 0 ] || {
    echo "$1: found a fault, see build/fuzz/$1.log:"
    grep -m 3 -E 'ERROR|SUMMARY|ParseDictionaryFile' "build/fuzz/$1.log" || tail -n 5 "build/fuzz/$1.log"
    return 1
  }
}
export -f fuzz
printf '%s\n' "${targets[@]}" | xargs -n 1 basename | xargs -P "$processors" -I{} bash -c "fuzz {} $seconds"
