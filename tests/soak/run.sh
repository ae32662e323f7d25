#!/usr/bin/env bash
# run.sh MINUTES [PART...]: the window, the page and the library, or those named, under random work at once, each for so
# many minutes. Prints the memory of each after every minute, and fails if one of them ends, or if in its last quarter it
# needs more than in the two before by a tenth and 32 MiB, which is what the figure that happens to be drawn may add; a
# leak of 10 kB an action of the window adds more in a quarter of 80 minutes.
# Below eight minutes, where a quarter has one sample, memory is told and not judged.
set -euo pipefail
cd "$(dirname "$0")/../.."
minutes="$1"
shift
[ $# -gt 0 ] || set -- window library page
log="$(mktemp -d)"
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$log"' EXIT

# work_on PART: does its random work.
work_on() {
  case "$1" in
    window) ROPESCOPE_SOAK_MINUTES="$minutes" exec build/release/gui_tests --gtest_filter='MonkeyTest.*' ;;
    library) exec build/release/library_soak "$minutes" ;;
    page) exec node tests/soak/page.js build/web "$minutes" ;;
    *) echo "soak: '$1' is none of window, library and page" >&2; exit 2 ;;
  esac
}

declare -A process
for part in "$@"; do
  work_on "$part" >"$log/$part" 2>&1 &
  process[$part]=$!
done
status=0
for part in "$@"; do
  wait "${process[$part]}" || { status=1; echo "soak: $part has failed" >&2; }
  cat "$log/$part"
done
for part in "$@"; do
  sed -n "s/^$part: minute \\([0-9]*\\),.* \\([0-9]*\\) MiB.*/\\1 \\2/p" "$log/$part" | awk -v part="$part" -v all="$minutes" '
    $1 <= 3 * all / 4 && $1 > all / 4 && $2 > before { before = $2 }
    $1 > 3 * all / 4 && $2 > last { last = $2 }
    END {
      printf "soak: %s needs at most %d MiB in its last quarter, %d in the two before\n", part, last, before
      exit all >= 8 && last > 1.1 * before + 32
    }' || { status=1; echo "soak: the memory of the $part grows" >&2; }
done
exit "$status"
