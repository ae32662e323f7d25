#!/usr/bin/env bash
# Sets up what is missing, builds and tests.
#   ./test.sh [release]   every test
#   ./test.sh dev         the same in Debug, strict warnings as errors
#   ./test.sh asan        the same under the address and undefined behaviour sanitizers
#   ./test.sh tsan        the same under the thread sanitizer
#   ./test.sh tidy        clang-tidy on every file that changed since the last time
#   ./test.sh bench       the benchmarks
#   ./test.sh fuzz [MINUTES]      libFuzzer on every reader; what it finds lies in build/fuzz/found
#   ./test.sh mutation [FILTER]   which check or test sees each fault of tests/mutation
set -euo pipefail
source "$(dirname "$0")/tools/setup.sh"
started=$SECONDS
# Everything that a test needs is installed below, so none may be skipped for want of it.
export ROPESCOPE_REQUIRE_IMAGE_TESTS="${ROPESCOPE_REQUIRE_IMAGE_TESTS:-1}"
mode="${1:-release}"

# run_tests PRESET: builds and runs the suite; ends in ctest's own words and the wall time.
run_tests() {
  install_packages build run test
  build "$1"
  local status=0
  ctest --preset "$1" --parallel "$(nproc)" | tee "build/$1/ctest.log" || status=$?
  local summary
  summary="$(grep 'tests passed' "build/$1/ctest.log" || echo 'no test ran')"
  say "$1: $summary, $((SECONDS - started)) s in all"
  return "$status"
}

case "$mode" in
  release | dev | asan | tsan)
    run_tests "$mode"
    ;;
  tidy)
    install_packages build run test tidy
    build tidy
    say "tidy: clean, $((SECONDS - started)) s in all"
    ;;
  bench)
    install_packages build run
    build release ropescope_bench
    build/release/ropescope_bench
    ;;
  fuzz)
    install_packages build run test fuzz
    build fuzz ropescope_fuzz
    tests/fuzz/run.sh "${2:-10}"
    ;;
  mutation)
    install_packages build run test
    tests/mutation/run.py "${2:-}"
    ;;
  *)
    echo "ropescope: ./test.sh: unknown mode '$mode'; one of release, dev, asan, tsan, tidy, bench," \
      "fuzz, mutation" >&2
    exit 2
    ;;
esac
