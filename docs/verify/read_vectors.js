// Runs a function on every rotation of a pack: node read_vectors.js PACK_FOLDER ANSWERS.safetensors
const fs = require("fs");
const [folder, answers] = process.argv.slice(2);
const index = JSON.parse(fs.readFileSync(`${folder}/index.json`));
const data = fs.readFileSync(`${folder}/${index.data}`);
const start = 8 + Number(data.readBigUInt64LE(0));
const header = JSON.parse(data.subarray(8, start));
const arrays = { F64: Float64Array, F32: Float32Array, I64: BigInt64Array };

function array(name) {
  const { dtype, shape, data_offsets: [begin, end] } = header[name];
  const bytes = data.buffer.slice(data.byteOffset + start + begin, data.byteOffset + start + end);
  return { shape, values: new arrays[dtype](bytes) };
}

function yourRotation(x, positions, right) {  // x [B, H, L, D], positions [axes, B, L]
  return Float32Array.from(right.values);  // put the code that you test here
}

const written = {}, parts = [];
for (const { id, inputs, expected } of index.cases) {
  const x = array(inputs.x);
  const y = yourRotation(x, array(inputs.positions), array(expected)), bytes = Buffer.from(y.buffer);
  const begin = parts.reduce((sum, part) => sum + part.length, 0);
  written[id] = { dtype: "F32", shape: x.shape, data_offsets: [begin, begin + bytes.length] };
  parts.push(bytes);
}
const json = Buffer.from(JSON.stringify(written)), size = Buffer.alloc(8);
size.writeBigUInt64LE(BigInt(json.length));
fs.writeFileSync(answers, Buffer.concat([size, json, ...parts]));
