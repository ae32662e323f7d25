#!/usr/bin/env bash
# run.sh MINUTES: the window, the page and the library under random work at once, each for so many minutes. Prints the memory of
# each after every minute, and fails if one of them ends, or if in its last quarter it needs more than in the two before by a tenth
# and 32 MiB, which is what the figure that happens to be drawn may add; a leak of 10 kB an action of the window adds more in a quarter of 80 minutes.
# Below eight minutes, where a quarter has one sample, memory is told and not judged.
set -euo pipefail
cd "$(dirname "$0")/../.."
minutes="$1"
log="$(mktemp -d)"
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$log"' EXIT
ROPESCOPE_SOAK_MINUTES="$minutes" build/release/gui_tests --gtest_filter='MonkeyTest.*' >"$log/window" 2>&1 &
window=$!
build/release/library_soak "$minutes" >"$log/library" 2>&1 &
library=$!
node tests/soak/page.js build/web "$minutes" >"$log/page" 2>&1 &
page=$!
status=0
for part in window library page; do
  wait "${!part}" || { status=1; echo "soak: $part has failed" >&2; }
  cat "$log/$part"
done
for part in window library page; do
  sed -n "s/^$part: minute \\([0-9]*\\),.* \\([0-9]*\\) MiB.*/\\1 \\2/p" "$log/$part" | awk -v part="$part" -v all="$minutes" '
    $1 <= 3 * all / 4 && $1 > all / 4 && $2 > before { before = $2 }
    $1 > 3 * all / 4 && $2 > last { last = $2 }
    END {
      printf "soak: %s needs at most %d MiB in its last quarter, %d in the two before\n", part, last, before
      exit all >= 8 && last > 1.1 * before + 32
    }' || { status=1; echo "soak: the memory of the $part grows" >&2; }
done
exit "$status"
