#!/usr/bin/env bash
# Writes the parts of the documents that the program makes: the page of scene parameters and the
# pictures. Run it when a test says that one of them is out of date.
set -euo pipefail
cd "$(dirname "$0")/.."
ropescope=build/release/ropescope
"$ropescope" --parameters >docs/scene-parameters.md
mkdir -p docs/pictures
for view in rotation spectrum table; do
  "$ropescope" screenshot "$view" --theme dark -o "docs/pictures/$view-dark.png"
done
"$ropescope" screenshot rotation --theme light -o docs/pictures/rotation-light.png
