// For ONNX Runtime: the operator RotaryEmbedding of com.microsoft, or of ai.onnx (opset 23), in a model of one node
// that is written here byte by byte. Answers requests of `ropescope probe --exchange safetensors --dtypes float32`.
//   npm install onnxruntime-node
//   node onnxruntime_adapter.js com.microsoft|ai.onnx BASE [ROTARY_DIM [interleaved]]
"use strict";
const fs = require("node:fs");
const ort = require("onnxruntime-node");
const [domain, base, width, layout] = process.argv.slice(2);

// Protocol buffers: a number, or bytes behind their length. The numbers of fields are those of onnx.proto.
function varint(value) {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
  return Buffer.from([...bytes, value]);
}
const number = (field, value) => Buffer.concat([varint(field * 8), varint(value)]);
const bytes = (field, ...parts) => {
  const all = Buffer.concat(parts.map((part) => Buffer.from(part)));
  return Buffer.concat([varint(field * 8 + 2), varint(all.length), all]);
};
const tensor = (name, type, axes) =>
  [bytes(1, name), bytes(2, bytes(1, number(1, type), bytes(2, ...axes.map((axis) => bytes(1, bytes(2, axis))))))];
const attribute = (name, value) => bytes(5, bytes(1, name), number(3, value), number(20, 2));

const FLOAT = 1, INT64 = 7;
function model(heads, rotaryDim) {
  const ofMicrosoft = domain === "com.microsoft";
  const inputs = ofMicrosoft ? ["x", "ids", "cos", "sin"] : ["x", "cos", "sin", "ids"];
  const node = [...inputs.map((name) => bytes(1, name)), bytes(2, "y"), bytes(4, "RotaryEmbedding"),
    attribute("interleaved", layout === "interleaved" ? 1 : 0), attribute("num_heads", heads),
    attribute("rotary_embedding_dim", rotaryDim), bytes(7, ofMicrosoft ? domain : "")];
  const four = (name) => tensor(name, FLOAT, ["b" + name, "h" + name, "l" + name, "d" + name]);
  const graph = [bytes(1, ...node), bytes(2, "rope"), bytes(11, ...four("x")), bytes(12, ...four("y")),
    bytes(11, ...tensor("ids", INT64, ["bi", "li"])), bytes(11, ...tensor("cos", FLOAT, ["rc", "pc"])),
    bytes(11, ...tensor("sin", FLOAT, ["rs", "ps"]))];
  return Buffer.concat([number(1, 10), bytes(8, bytes(1, ""), number(2, 23)), bytes(8, bytes(1, "com.microsoft"), number(2, 1)),
    bytes(7, ...graph)]);
}

async function rotate({ shape, values }, positions) {
  const [, heads, length, d] = shape, rotaryDim = Number(width ?? d), half = rotaryDim / 2;
  // The operators want a row for each token at least, whatever its position is.
  const ids = positions.values, rows = Math.max(length, ...Array.from(ids, (id) => Number(id) + 1));
  const cos = new Float32Array(rows * half), sin = new Float32Array(cos.length);
  for (let row = 0; row < rows; ++row) {
    for (let i = 0; i < half; ++i) {
      const angle = Math.fround(row * Math.fround(Number(base) ** ((-2 * i) / rotaryDim)));
      [cos[row * half + i], sin[row * half + i]] = [Math.cos(angle), Math.sin(angle)];
    }
  }
  // 0 stands for the whole head.
  const session = await ort.InferenceSession.create(model(heads, rotaryDim === d ? 0 : rotaryDim), { logSeverityLevel: 3 });
  const { y } = await session.run({
    x: new ort.Tensor("float32", values, shape), ids: new ort.Tensor("int64", ids, positions.shape),
    cos: new ort.Tensor("float32", cos, [rows, half]), sin: new ort.Tensor("float32", sin, [rows, half]) });
  return { shape, values: y.data };
}

function load(path) {
  const file = fs.readFileSync(path), begin = 8 + Number(file.readBigUInt64LE(0)), tensors = {};
  for (const [name, { dtype, shape, data_offsets: [from, to] }] of Object.entries(JSON.parse(file.subarray(8, begin)))) {
    const data = file.buffer.slice(file.byteOffset + begin + from, file.byteOffset + begin + to);
    if (dtype !== "F32" && dtype !== "I64") throw new Error(`this adapter takes no ${dtype}`);
    tensors[name] = { shape, values: dtype === "F32" ? new Float32Array(data) : new BigInt64Array(data) };
  }
  return tensors;
}

function save(path, tensors) {
  const header = {}, parts = [];
  let at = 0;
  for (const [name, { shape, values }] of Object.entries(tensors)) {
    header[name] = { dtype: "F32", shape, data_offsets: [at, (at += values.byteLength)] };
    parts.push(Buffer.from(values.buffer, values.byteOffset, values.byteLength));
  }
  const text = Buffer.from(JSON.stringify(header)), length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  fs.writeFileSync(path, Buffer.concat([length, text, ...parts]));
}

(async () => {
  for await (const line of require("node:readline").createInterface({ input: process.stdin })) {
    const job = JSON.parse(line), answer = { id: job.id };
    try {
      const { q, k, positions } = load(job.input), turned = { q_rot: await rotate(q, positions) };
      if (k) turned.k_rot = await rotate(k, positions);
      save(job.output, turned);
    } catch (error) {
      answer.error = error.message;
    }
    fs.writeSync(1, JSON.stringify(answer) + "\n");
  }
})();
