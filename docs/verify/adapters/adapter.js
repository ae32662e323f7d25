// For code in JavaScript: answers requests of `ropescope probe --exchange safetensors --dtypes float32`.
"use strict";
const fs = require("node:fs");
const base = Number(process.argv[2]);

// x [B, H, L, D], positions [B, L]: call your code here. With --norm, `weight` is [D], and `norm` has kind, eps and order.
function rotate(x, [batch, heads, length, d], positions, weight, norm) {
  const out = new Float32Array(x.length);
  for (let row = 0; row < batch * heads * length; ++row) {
    const position = positions[Math.floor(row / (heads * length)) * length + (row % length)];
    for (let i = 0; i < d / 2; ++i) {
      const angle = Math.fround(position * base ** ((-2 * i) / d)), a = x[row * d + i], b = x[row * d + i + d / 2];
      out[row * d + i] = a * Math.cos(angle) - b * Math.sin(angle);
      out[row * d + i + d / 2] = b * Math.cos(angle) + a * Math.sin(angle);
    }
  }
  return out;
}

function load(path) {
  const bytes = fs.readFileSync(path), begin = 8 + Number(bytes.readBigUInt64LE(0));
  const tensors = {};
  for (const [name, { dtype, shape, data_offsets: [from, to] }] of Object.entries(JSON.parse(bytes.subarray(8, begin)))) {
    const data = bytes.buffer.slice(bytes.byteOffset + begin + from, bytes.byteOffset + begin + to);
    const values = { F32: () => new Float32Array(data), I64: () => Array.from(new BigInt64Array(data), Number) }[dtype];
    if (!values) throw new Error(`this adapter takes no ${dtype}`);
    tensors[name] = { shape, values: values() };
  }
  return tensors;
}

function save(path, tensors) {
  const header = {}, parts = [];
  let at = 0;
  for (const [name, { shape, values }] of Object.entries(tensors)) {
    header[name] = { dtype: "F32", shape, data_offsets: [at, (at += values.byteLength)] };
    parts.push(Buffer.from(values.buffer));
  }
  const text = Buffer.from(JSON.stringify(header)), length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  fs.writeFileSync(path, Buffer.concat([length, text, ...parts]));
}

require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const job = JSON.parse(line), answer = { id: job.id };
  try {
    const { q, k, positions, q_norm, k_norm } = load(job.input);
    const turned = ({ shape, values }, weight) => ({ shape, values: rotate(values, shape, positions.values, weight?.values, job.norm) });
    save(job.output, { q_rot: turned(q, q_norm), ...(k && { k_rot: turned(k, k_norm) }) });  // no k with --tensors q
  } catch (error) {
    answer.error = error.message;
  }
  fs.writeSync(1, JSON.stringify(answer) + "\n");
});
