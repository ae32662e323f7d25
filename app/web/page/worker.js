// The program a second time, in a worker: it computes pictures and runs checks while the page goes on.
// beside.js sends jobs; every answer carries the ticket of its job.
"use strict";

importScripts(...["ropescope.js", "module.js"].map((name) => name + location.search));

let starting, module, ticket, told = 0;

const call = (name, types, ...values) => module.ccall(name, "string", types, values);

// Ten times a second are enough: each time the page draws a frame.
globalThis.worker_progress = (done) => {
  const now = performance.now();
  if (now - told < 100) return;
  told = now;
  postMessage({ ticket, done });
};

function put({ path, bytes }) {
  module.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
  module.FS.writeFile(path, bytes, { canOwn: true });
}

// Returns whether a file was missing that is here now.
async function fetch_missing(all) {
  const names = call("worker_missing_files", ["number"], Number(all)).split("\n").filter((name) => name);
  for (const name of names) {
    const response = await fetch(name);
    if (!response.ok) throw new Error(`${name}: ${response.status} ${response.statusText}`);
    put({ path: `/${name}`, bytes: new Uint8Array(await response.arrayBuffer()) });
  }
  return names.length > 0;
}

function send(answer) {
  postMessage({ ticket, ...answer }, answer.bytes ? [answer.bytes.buffer] : []);
}

function result() {
  const bytes = module.FS.readFile("/result");
  module.FS.unlink("/result");
  return bytes;
}

async function picture({ link }) {
  let refused;
  do {
    refused = call("worker_picture", ["string"], link);
  } while (refused && (await fetch_missing(false)));
  send(refused ? { refused, over: true } : { bytes: result(), over: true });
}

async function checks({ ids, fault }) {
  await fetch_missing(true);
  for (const [at, id] of ids.entries()) {
    const failed = call("worker_check", ["string", "string"], id, fault);
    if (failed) throw new Error(failed);
    send({ bytes: result(), over: at + 1 === ids.length });
  }
}

const jobs = { picture, checks };

// One job after the other.
let before = Promise.resolve();
onmessage = ({ data }) => {
  if (data.wasm) {
    starting = start_module(data.wasm);
    return;
  }
  before = before.then(async () => {
    ticket = data.ticket;
    try {
      module = await starting;
      data.files.forEach(put);
      await jobs[data.kind](data);
    } catch (error) {
      send({ failed: error.message });
    }
  });
};
