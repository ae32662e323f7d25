#!/usr/bin/env bash
# Sets up what is missing, builds, and starts ropescope with the arguments given. Without arguments
# it opens the desktop app; without a display it runs the checks and writes pictures of every view to
# out/gallery/ instead.
set -euo pipefail
caller="$PWD"
source "$(dirname "$0")/tools/setup.sh"

ropescope="$repository/build/release/ropescope"
if [ $# -gt 0 ]; then
  # Standard output is the command's alone, and its paths are the caller's.
  { install_packages build run && build release ropescope; } >&2
  cd "$caller"
  exec "$ropescope" "$@"
fi
install_packages build run
build release ropescope
if [ -n "${DISPLAY:-}" ]; then
  status=0
  "$ropescope" || status=$?
  [ "$status" = 3 ] || exit "$status"  # 3: no window could be opened
fi

say "no display: running the checks and writing the gallery to out/gallery/"
status=0
"$ropescope" check || status=$?
mkdir -p out/gallery
"$ropescope" screenshot --all --theme light,dark -o out/gallery
for picture in out/gallery/*-dark.png; do
  view="$(basename "$picture" -dark.png)"
  "$ropescope" figure "$view" -o "out/gallery/$view.svg"
done
say "the gallery is in out/gallery/: $(ls out/gallery | wc -l) pictures"
exit "$status"
