#!/usr/bin/env bash
# Writes the parts of the documents that the program makes: the page of scene parameters, and the
# pictures in docs/pictures/ (VIEW-THEME.png; create an empty file of that name to get a new one) of
# the views that are given, or all:
#   tools/update_docs.sh [VIEW...]
# Run it when a test says that one of them is out of date, and look at the pictures before you commit.
set -euo pipefail
cd "$(dirname "$0")/.."
ropescope=build/release/ropescope
"$ropescope" --parameters >docs/scene-parameters.md
"$ropescope" check --claims >docs/claims.md
for picture in docs/pictures/*.png; do
  name="$(basename "$picture" .png)"
  [ $# = 0 ] || [[ " $* " == *" ${name%-*} "* ]] || continue
  settings="$(sed -n "s/^${name%-*} /--set /p" docs/pictures/settings.txt)"
  # shellcheck disable=SC2086  # words are wanted
  "$ropescope" $settings screenshot "${name%-*}" --theme "${name##*-}" -o "$picture"
done
