#!/usr/bin/env bash
# frozen.sh FOLDER [SEEDS]: writes what the program says about planted faults, published models and kept inputs,
# so that a change of the house can be seen to change nothing:
#   tools/frozen.sh before; ... ; tools/frozen.sh after; diff -r before after
set -euo pipefail
folder="$(realpath -m "$1")"
source "$(dirname "$0")/setup.sh"
build release ropescope said
mkdir -p "$folder"
build/release/said "$folder" "${2:-3}"

# said_by NAME ARGUMENT...: output, errors and exit code of a command, added to NAME.txt.
said_by() {
  local name="$1" status=0
  shift
  printf '==== %s\n' "$*" >>"$folder/$name.txt"
  build/release/ropescope "$@" >>"$folder/$name.txt" 2>&1 || status=$?
  printf 'exit code %s\n' "$status" >>"$folder/$name.txt"
}
rm -f "$folder"/{inspect,configs,positions,expect,compare}.txt
# published: the names of all published models.
published() {
  python3 - <<'PYTHON'
import json
for file in ("assets/presets.json", "assets/scheme_presets.json"):
    for preset in json.load(open(file, encoding="utf-8"))["presets"]:
        print(preset.get("id") or preset["name"])
PYTHON
}
for model in $(published); do
  for format in text json; do
    said_by inspect inspect "$model" --format "$format"
  done
  said_by compare inspect "$model" --compare
done
for config in tests/fuzz/corpus/{config,scheme}/* tests/golden/*/*config.json; do
  for format in text json; do
    said_by configs inspect "$config" --format "$format"
  done
  said_by compare inspect "$config" --compare
done
for layout in tests/fuzz/corpus/layout/*; do
  for model in qwen2-vl-7b qwen2.5-vl-7b qwen3-vl-8b glm-4.1v-9b; do
    for format in text json; do
      said_by positions positions --config "$model" --layout "$layout" --format "$format"
    done
  done
done
for dump in tests/fuzz/corpus/{dump,named_dump}/*; do
  for expected in llama-3.1-8b qwen2-vl-7b; do
    said_by expect diagnose "$dump" --expect "$expected"
    said_by expect diagnose "$dump" --expect "$expected" --format json
  done
done
say "what the program says stands in $folder: $(cat "$folder"/*.txt | wc -l) lines"
