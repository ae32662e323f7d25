#!/usr/bin/env bash
# run.sh MINUTES: every target of tests/fuzz for its share of the minutes, one on each processor. The inputs that
# reach new code stay in build/fuzz/corpus; what breaks a reader is kept in build/fuzz/found, and belongs
# into tests/fuzz/corpus/TARGET/fault-NAME once it is mended. Exit code 1 if anything was found.
set -euo pipefail
cd "$(dirname "$0")/../.."
targets=(tests/fuzz/corpus/*/)
processors="$(nproc)"
seconds=$(($1 * 60 * processors / ${#targets[@]}))
mkdir -p build/fuzz/found
export ASAN_OPTIONS=allocator_may_return_null=0:detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1

# fuzz TARGET: prints its executions; fails if it found something.
fuzz() {
  local status=0
  mkdir -p "build/fuzz/corpus/$1"
  build/fuzz/ropescope_fuzz "--target=$1" -max_total_time="$2" -timeout=10 -rss_limit_mb=2048 -max_len=16384 \
    -print_final_stats=1 -artifact_prefix="build/fuzz/found/$1-" \
    "build/fuzz/corpus/$1" "tests/fuzz/corpus/$1" 2>"build/fuzz/$1.log" || status=$?
  echo "$1: $(sed -n 's/^stat::number_of_executed_units: *//p' "build/fuzz/$1.log") executions"
  [ "$status" = 0 ] || { echo "$1: found a fault, see build/fuzz/$1.log"; return 1; }
}
export -f fuzz
printf '%s\n' "${targets[@]}" | xargs -n 1 basename | xargs -P "$processors" -I{} bash -c "fuzz {} $seconds"
