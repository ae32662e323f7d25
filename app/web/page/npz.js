// Turns a .npz into the .safetensors that the program reads: in a browser it has no unzipper of its own, but the
// browser has one. Formats: PKWARE's APPNOTE 4.3, numpy.lib.format, and the README of safetensors.
"use strict";

const Npz = (() => {
  const kTypes = { b1: "BOOL", i1: "I8", u1: "U8", i2: "I16", u2: "U16", i4: "I32", u4: "U32", i8: "I64", u8: "U64",
    f2: "F16", f4: "F32", f8: "F64" };
  const kMostBytes = 2 ** 30;

  const refuse = (why) => { throw new Error(why); };

  // CRC-32 as zip, gzip and PNG have it (ISO 3309), byte by byte from a table.
  const kCrcs = Uint32Array.from({ length: 256 }, (_, byte) => {
    for (let bit = 0; bit < 8; ++bit) byte = byte & 1 ? (byte >>> 1) ^ 0xedb88320 : byte >>> 1;
    return byte;
  });
  function crc32(bytes) {
    let crc = ~0;
    for (const byte of bytes) crc = (crc >>> 8) ^ kCrcs[(crc ^ byte) & 255];
    return ~crc >>> 0;
  }

  // The bytes of one member, never more than the archive says that it has.
  async function unpacked(packed, method, size, name) {
    if (method === 0) return packed;
    if (method !== 8) refuse(`${name} is packed by method ${method}; store or deflate is expected, as numpy.savez does`);
    const bytes = new Uint8Array(size);
    let filled = 0;
    const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      if (filled + part.value.length > size) refuse(`${name} is longer than the ${size} bytes that the archive says`);
      bytes.set(part.value, filled);
      filled += part.value.length;
    }
    return filled === size ? bytes : refuse(`${name} has ${filled} of ${size} bytes`);
  }

  // The members of a zip archive, by its central directory.
  async function members(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let end = bytes.length - 22;
    while (end >= 0 && view.getUint32(end, true) !== 0x06054b50) --end;
    if (end < 0) refuse("it is no zip archive; what numpy.savez writes is expected");
    const found = [];
    let at = view.getUint32(end + 16, true), all = 0;
    const behind = at + view.getUint32(end + 12, true);
    for (let left = view.getUint16(end + 10, true); left > 0; --left) {
      if (at + 46 > end || view.getUint32(at, true) !== 0x02014b50) refuse("its directory is damaged");
      const method = view.getUint16(at + 10, true), packed = view.getUint32(at + 20, true);
      const size = view.getUint32(at + 24, true), letters = view.getUint16(at + 28, true);
      const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + letters));
      const local = view.getUint32(at + 42, true);
      all += size;
      if (all > kMostBytes) refuse("it holds more than 1 GB, which is more than a page takes");
      if (local + 30 > end) refuse(`${name} lies outside the file`);
      const begin = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
      if (begin + packed > end) refuse(`${name} is cut off`);
      const there = new TextDecoder().decode(bytes.subarray(local + 30, local + 30 + view.getUint16(local + 26, true)));
      if (there !== name) refuse(`its directory is damaged: ${name} is called ${there} where it stands`);
      const member = await unpacked(bytes.subarray(begin, begin + packed), method, size, name);
      if (crc32(member) !== view.getUint32(at + 16, true)) refuse(`${name} is damaged: its checksum (CRC-32) does not fit`);
      if (found.some((each) => each.name === name)) refuse(`${name} is there twice`);
      found.push({ name, bytes: member });
      at += 46 + letters + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    }
    if (at !== behind) refuse("its directory is damaged");
    return found;
  }

  // The three entries of a .npy's header, a Python dictionary, as they stand there.
  function entries(name, header) {
    const found = new Map();
    let rest = /^\{(.*)\}\s*$/s.exec(header)?.[1] ?? "";
    const first = /^\s*'(\w+)'\s*:\s*('[^']*'|True|False|\(\s*(?:\d+\s*,\s*)*\d*\s*\))\s*(?:,|$)/;
    for (let entry = first.exec(rest); entry; entry = first.exec(rest)) {
      found.set(entry[1], entry[2]);
      rest = rest.slice(entry[0].length);
    }
    const of = (key, form) => form.test(found.get(key) ?? "");
    if (rest.trim() || found.size !== 3 || !of("descr", /^'/) || !of("fortran_order", /^[TF]/) || !of("shape", /^\(/)) {
      refuse(`${name}: ${header.trim().slice(0, 80)}: this is not the header of an array of numbers`);
    }
    return Object.fromEntries(found);
  }

  // The type, the shape and the numbers of a .npy.
  function array(name, bytes) {
    const magic = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
    if (bytes.length < 12 || magic.some((byte, i) => bytes[i] !== byte)) refuse(`${name} is no .npy`);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const long = bytes[6] > 1, begin = long ? 12 : 10;
    const length = long ? view.getUint32(8, true) : view.getUint16(8, true);
    const header = new TextDecoder().decode(bytes.subarray(begin, begin + length));
    const { descr, fortran_order: fortran, shape } = entries(name, header);
    const type = /^'([<>|=])([a-z]\d+)'$/.exec(descr);
    if (!type || !kTypes[type[2]]) refuse(`${name}: its dtype is ${descr.slice(0, 40)}; numbers are expected`);
    const sizes = shape.slice(1, -1).split(",").map((each) => each.trim()).filter((each) => each).map(Number);
    if (type[1] === ">") refuse(`${name} is big-endian; save it little-endian`);
    if (fortran === "True" && sizes.length > 1) refuse(`${name} is in Fortran order; save it in C order`);
    const data = bytes.subarray(begin + length);
    const expected = sizes.reduce((product, each) => product * each, Number(type[2].slice(1)));
    if (data.length !== expected) refuse(`${name} has ${data.length} bytes of numbers; its shape takes ${expected}`);
    return { name: name.replace(/[.]npy$/, ""), dtype: kTypes[type[2]], shape: sizes, data };
  }

  const safetensors = async (bytes) => joined(await members(bytes));

  // Several .npy, each with its name, as one .safetensors.
  function joined(files) {
    const header = Object.create(null);  // a name may be __proto__
    const arrays = files.map(({ name, bytes }) => array(name, bytes));
    let end = 0;
    for (const { name, dtype, shape, data } of arrays) {
      header[name] = { dtype, shape, data_offsets: [end, end += data.length] };
    }
    const text = JSON.stringify(header);
    const words = new TextEncoder().encode(text + " ".repeat((8 - new TextEncoder().encode(text).length % 8) % 8));
    const file = new Uint8Array(8 + words.length + end);
    new DataView(file.buffer).setBigUint64(0, BigInt(words.length), true);
    file.set(words, 8);
    for (const { name, data } of arrays) file.set(data, 8 + words.length + header[name].data_offsets[0]);
    return file;
  }

  return { safetensors, joined };
})();
