#!/usr/bin/env bash
# Sets up what is missing, builds and tests.
#   ./test.sh [release]   every test
#   ./test.sh dev         the same in Debug, strict warnings as errors
#   ./test.sh asan        the same under the address and undefined behaviour sanitizers
#   ./test.sh tsan        the same under the thread sanitizer
#   ./test.sh asan unit-core cli  only tests with these labels, for release, dev, asan and tsan
#   ./test.sh asan rotating [N]   the golden numbers, the corpora of the fuzzer, and a part of the other tests under
#                         asan: part N, or the one whose turn it is at this commit
#   ./test.sh python      the tests of the Python package alone
#   ./test.sh peers       the same with PyTorch, which it installs, and probes of public implementations: ONNX Runtime
#                         (from npm), a kernel in C, PyTorch
#   ./test.sh zink        the tests of shaders and window on another driver, under Vulkan's validation
#   ./test.sh web [THIRD] builds the page, runs its checks under Node and its tests in Chromium, or every third of
#                         these: 0, 1 or 2
#   ./test.sh web-engines the page in Debian's WebKit and Firefox, in what differs between browsers
#   ./test.sh tidy        clang-tidy on every file that changed since the last time
#   ./test.sh bench       the benchmarks
#   ./test.sh fuzz [MINUTES]      libFuzzer on every reader for 10 or, for example, 0.5 minutes in all; what it
#                                 finds lies in build/fuzz/found
#   ./test.sh faults [SECONDS] [COMMAND]  lets one allocation, open, read, write, fsync, close, rename, mkdir or thread
#                                 after the other fail in every command, or kills it there, and looks at what is left
#   ./test.sh soak [MINUTES] [PART...]  window, library and page at once, or those named, under random work for 80
#                                 minutes each, or so many; their memory may not grow
#   ./test.sh diagnosis [SEEDS]   diagnoses planted dumps and writes docs/verify/confusion.md
#   ./test.sh probe       probes planted implementations and writes docs/verify/probe-classes.md
#   ./test.sh vectors     holds planted implementations to test vectors and writes docs/verify/vector-mutants.md
#   ./test.sh answers [SEEDS]     answers vectors and probes with random faults, for docs/verify/random-faults.md
#   ./test.sh mutation [FILTER]   which check or test sees each fault of tests/mutation
set -euo pipefail
source "$(dirname "$0")/tools/setup.sh"
started=$SECONDS
# Everything that a test needs is installed below, so none may be skipped for want of it.
export ROPESCOPE_REQUIRE_IMAGE_TESTS="${ROPESCOPE_REQUIRE_IMAGE_TESTS:-1}"
mode="${1:-release}"

# run_tests PRESET [LABEL...]: builds and runs the suite, or the tests with those labels; ends in
# ctest's own words and the wall time.
run_tests() {
  local preset="$1" status=0 summary
  shift
  install_packages build run test
  if [ "$preset" = asan ]; then
    install_packages sanitize
    # The list of leaks that are not ours (tests/lsan.supp) needs the names of functions.
    ASAN_SYMBOLIZER_PATH="$(command -v llvm-symbolizer-16 || command -v llvm-symbolizer-19)"
    export ASAN_SYMBOLIZER_PATH
  fi
  build "$preset" ${1:+"${@/%/_tests}"}
  ctest --preset "$preset" --parallel "$(nproc)" ${1:+-L "^($(IFS='|' && echo "$*"))(-|\$)"} \
    ${left_out:+-E "$left_out"} |
    tee "build/$preset/ctest.log" || status=$?
  summary="$(grep 'tests passed' "build/$preset/ctest.log" || echo 'no test ran')"
  say "$preset${1:+ $*}: $summary, $((SECONDS - started)) s in all"
  return "$status"
}

# rotating_part [N]: says which label's tests have their turn under the sanitizers, and sets left_out to the names of
# those that have not: of eighths, as which ctest knows them there (tests/CMakeLists.txt), two run at a time. The label
# changes with every second commit, which is when .ci/run comes here, and the eighths when all labels have had a turn.
rotating_labels=(unit-core cli property unit-app gpu image library gui)
rotating_part() {
  local labels="${#rotating_labels[@]}" number="${1:-$(($(git rev-list --count HEAD) / 2))}" first
  rotating_label="${rotating_labels[number % labels]}"
  first=$((number / labels % 4 * 2))
  left_out="^$rotating_label\\.part[^$first$((first + 1))]\$"
  say "asan: part $((number % (labels * 4))) of $((labels * 4)), $rotating_label.part$first and part$((first + 1))"
}

# with_python PRESET: has the build folder build the Python package too, for Debian's own Python.
with_python() {
  install_packages build python
  grep -qsx 'ROPESCOPE_PYTHON:BOOL=ON' "build/$1/CMakeCache.txt" ||
    cmake --preset "$1" -DROPESCOPE_PYTHON=ON -DPYTHON_EXECUTABLE=/usr/bin/python3
}

# run_on_zink: the gpu and gui tests on Mesa's zink over lavapipe, which takes the shaders from GLSL
# to SPIR-V to Vulkan. Whatever Vulkan's validation layers say is a failure.
run_on_zink() {
  local log="build/release/Testing/Temporary/LastTest.log" driver status=0
  driver="$(find /usr/share/vulkan/icd.d -name 'lvp_icd*.json' | head -n 1)"
  runtime_folder="$(mktemp -d)"
  trap 'rm -rf "$runtime_folder"' EXIT
  export VK_ICD_FILENAMES="$driver" MESA_LOADER_DRIVER_OVERRIDE=zink GALLIUM_DRIVER=zink
  export LIBGL_ALWAYS_SOFTWARE=1 XDG_RUNTIME_DIR="$runtime_folder"
  export VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation VK_LAYER_SETTINGS_PATH="$PWD/tests/gpu"
  if ! build/release/ropescope backends | grep -q 'gpu *zink'; then
    echo "ropescope: ./test.sh zink: the GPU engine does not run on zink; '$driver' is the driver" \
      "that was found, and ropescope backends says what the engine runs on" >&2
    return 1
  fi
  ctest --preset release -L '^(gpu|gui)$' --parallel "$(nproc)" || status=$?
  if grep -E 'Validation (Error|Warning|Performance)' "$log"; then
    echo "ropescope: ./test.sh zink: the lines above are messages of the validation layers; $log says" \
      "in which test" >&2
    status=1
  fi
  return "$status"
}

case "$mode" in
  release | dev | asan | tsan)
    [ "$mode" != release ] || with_python release
    left_out=""
    if [ "$mode ${2:-}" = "asan rotating" ]; then
      rotating_part "${3:-}"
      set -- asan golden fuzz "$rotating_label"
    fi
    run_tests "$mode" "${@:2}"
    ;;
  tidy)
    install_packages build run test tidy
    build tidy
    say "tidy: clean, $((SECONDS - started)) s in all"
    ;;
  python | peers)
    [ "$mode" = python ] || install_packages peers
    with_python release
    build release ropescope ropescope_python
    ctest --preset release -L '^python$'
    [ "$mode" = python ] || tests/peers/run.sh "$PWD/build/release/ropescope" "$PWD/build/peers"
    ;;
  zink)
    install_packages build run test zink
    build release
    run_on_zink
    say "zink: clean, $((SECONDS - started)) s in all"
    ;;
  web)
    source tools/web/toolchain.sh
    install_packages build run test
    build_web
    node build/web-objects/ropescope_check.js >build/web-objects/checks.log ||
      { cat build/web-objects/checks.log; exit 1; }
    tail -n 1 build/web-objects/checks.log
    write_site --only one-pair
    node tests/web/page_test.js build/web --desktop build/release/ropescope ${2:+--third "$2"}
    say "web: clean, $((SECONDS - started)) s in all"
    ;;
  web-engines)
    source tools/web/toolchain.sh
    install_packages build run test engines
    build_web
    write_site --only one-pair
    node tests/web/engines_test.js build/web
    ;;
  bench)
    install_packages build run
    build release ropescope_bench
    build/release/ropescope_bench
    ;;
  fuzz)
    install_packages build run test sanitize
    build asan ropescope_fuzz
    tests/fuzz/run.sh "${2:-10}"
    ;;
  faults)
    install_packages build run test
    build release ropescope
    mkdir -p build/faults
    c++ -std=c++20 -O1 -fPIC -shared -o build/faults/fault.so tests/faults/fault.cpp -ldl
    tests/faults/run.py build/release/ropescope build/faults/fault.so "${2:-}" "${3:-}"
    ;;
  soak)
    source tools/web/toolchain.sh
    install_packages build run test
    build release ropescope gui_tests library_soak
    build_web
    write_site --only one-pair
    tests/soak/run.sh "${2:-80}" "${@:3}"
    ;;
  diagnosis)
    install_packages build run test
    build release diagnosis_confusion
    build/release/diagnosis_confusion "${2:-100}" >docs/verify/confusion.md
    ;;
  probe)
    install_packages build run test
    build release probe_classes
    build/release/probe_classes >docs/verify/probe-classes.md
    ;;
  vectors)
    install_packages build run test
    build release vector_mutants
    build/release/vector_mutants >docs/verify/vector-mutants.md
    ;;
  answers)
    install_packages build run test
    build release answer_sweep
    build/release/answer_sweep "${2:-3}" >docs/verify/random-faults.md
    ;;
  mutation)
    install_packages build run test
    tests/mutation/run.py "${2:-}"
    ;;
  *)
    echo "ropescope: ./test.sh: unknown mode '$mode'; one of release, dev, asan, tsan, python, peers, zink," \
      "web, web-engines, tidy, bench, fuzz, faults, soak, diagnosis, probe, vectors, answers, mutation" >&2
    exit 2
    ;;
esac
