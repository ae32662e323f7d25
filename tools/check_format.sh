#!/usr/bin/env bash
# Says which C++ files clang-format-14 would change; with --fix, changes them. Where
# clang-format-14 is not installed the exit code is 77, which ctest reads as skipped, unless
# ROPESCOPE_REQUIRE_IMAGE_TESTS=1 says that the machine must have everything that its release has.
set -euo pipefail
cd "$(dirname "$0")/.."
if ! command -v clang-format-14 >/dev/null; then
  echo "clang-format-14 is not installed: formatting was not checked"
  source tools/setup.sh
  [ "${ROPESCOPE_REQUIRE_IMAGE_TESTS:-}" = 1 ] && packages_of test | grep -qx clang-format-14 && exit 1
  exit 77
fi
how=(--dry-run --Werror)
[ "${1:-}" = --fix ] && how=(-i)
# The header for C is written as C is: an asterisk stands with its name, and comments with their members.
find app core library python tests \( -name '*.cpp' -o -name '*.h' \) ! -path library/ropescope.h -print0 |
  xargs -0 clang-format-14 "${how[@]}"
