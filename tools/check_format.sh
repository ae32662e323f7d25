#!/usr/bin/env bash
# Says which C++ files clang-format-14 would change; with --fix, changes them. Exit code 77, which
# ctest reads as skipped, where clang-format-14 is not installed.
set -euo pipefail
cd "$(dirname "$0")/.."
if ! command -v clang-format-14 >/dev/null; then
  echo "clang-format-14 is not installed: formatting was not checked"
  exit 77
fi
how=(--dry-run --Werror)
[ "${1:-}" = --fix ] && how=(-i)
find app core tests \( -name '*.cpp' -o -name '*.h' \) -print0 | xargs -0 clang-format-14 "${how[@]}"
