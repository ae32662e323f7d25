#!/usr/bin/env bash
# Writes the parts of the documents that the program makes: the page of scene parameters, the page of
# claims, and the pictures in docs/pictures/ of the views that are given (VIEW-THEME.png; create an
# empty file of that name to get a new one):
#   tools/update_docs.sh [VIEW...|all]
# Run it when a test says that one of them is out of date, and look at the pictures before you commit.
set -euo pipefail
cd "$(dirname "$0")/.."
ropescope=build/release/ropescope
"$ropescope" --parameters >docs/scene-parameters.md
"$ropescope" check --claims >docs/claims.md
for picture in docs/pictures/*.png; do
  name="$(basename "$picture" .png)"
  [[ "$*" == all || " $* " == *" ${name%-*} "* ]] || continue
  settings="$(sed -n "s/^${name%-*} /--set /p" docs/pictures/settings.txt)"
  # shellcheck disable=SC2086  # words are wanted
  "$ropescope" $settings screenshot "${name%-*}" --theme "${name##*-}" -o "$picture"
done
