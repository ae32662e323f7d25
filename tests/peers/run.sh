#!/usr/bin/env bash
# Probes public implementations: the two RotaryEmbedding operators of ONNX Runtime on the CPU, a kernel in C, and
# PyTorch. Each must be valid for its model, and wrong for another base, or the adapter asks nothing of it.
#   tests/peers/run.sh PROGRAM FOLDER     FOLDER keeps what npm installs
set -euo pipefail
program="$1" folder="$2"
adapters="$(cd "$(dirname "$0")/../../docs/verify/adapters" && pwd)"
mkdir -p "$folder"

# expect STATUS NAME CONFIG COMMAND...
expect() {
  local wanted="$1" name="$2" config="$3" status=0 exchange=(--exchange safetensors --dtypes float32)
  shift 3
  [[ "$*" != *torch_adapter* ]] || exchange=()
  "$program" probe --config "$config" "${exchange[@]}" -- "$@" >"$folder/report.txt" 2>"$folder/errors.txt" || status=$?
  if [ "$status" != "$wanted" ]; then
    echo "ropescope: peers: $name: exit code $status, $wanted is expected" >&2
    cat "$folder/errors.txt" "$folder/report.txt" >&2
    exit 1
  fi
  echo "$name: $(head -n 1 "$folder/report.txt")"
}

# both NAME CONFIG BASE COMMAND...: the word BASE in the command becomes the right base, then another one
both() {
  local name="$1" config="$2" base="$3"
  shift 3
  expect 0 "$name" "$config" "${@/BASE/$base}"
  expect 1 "$name with another base" "$config" "${@/BASE/9000}"
}

if ! command -v npm >/dev/null; then
  echo "skipped: ONNX Runtime, because npm is not installed"
elif ! (cd "$folder" && npm install --no-audit --no-fund --no-save --ignore-scripts onnxruntime-node@1 >npm.log 2>&1); then
  echo "skipped: ONNX Runtime, because npm cannot install onnxruntime-node: $(tail -n 1 "$folder/npm.log")"
else
  export NODE_PATH="$folder/node_modules"
  for domain in com.microsoft ai.onnx; do
    both "ONNX Runtime, $domain, halves" llama-2-7b 10000 node "$adapters/onnxruntime_adapter.js" "$domain" BASE
    both "ONNX Runtime, $domain, neighbours" gpt-j-6b 10000 \
      node "$adapters/onnxruntime_adapter.js" "$domain" BASE 64 interleaved
  done
fi

cc -O2 "$adapters/adapter.c" -lm -o "$folder/adapter_in_c"
both "C" llama-3-8b 500000 "$folder/adapter_in_c" BASE

if /usr/bin/python3 -c "import torch, numpy" 2>/dev/null; then
  both "PyTorch" llama-2-7b 10000 /usr/bin/python3 "$adapters/torch_adapter.py" BASE
else
  echo "skipped: PyTorch, because python3-torch is not installed"
fi
