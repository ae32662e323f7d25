// Programs that a test starts: browsers, their drivers, screens. Each is the first of a group of processes that ends with
// the test, however that ends, so that a driver whose session does not start is not left behind; so do its folders.
"use strict";
const { spawn } = require("child_process");
const fs = require("fs");
const os = require("os");
const path = require("path");

const kPatienceMs = 300;  // for tidying up, as Xvfb does with the file that says which screens are taken
const begun = [], folders = [];

// As spawn().
function begin(name, words, options) {
  const program = spawn(name, words, { ...options, detached: true });
  if (program.pid) begun.push(program);
  return program;
}

// Returns whether anything of the group was there.
function end(program, signal = "SIGTERM") {
  try {
    return process.kill(-program.pid, signal);
  } catch {
    return false;
  }
}

// A folder for what a program keeps.
function made_folder(name) {
  folders.push(fs.mkdtempSync(path.join(os.tmpdir(), name)));
  return folders.at(-1);
}

process.on("exit", () => {
  const left = begun.filter((program) => end(program));
  if (left.length > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, kPatienceMs);
  left.forEach((program) => end(program, "SIGKILL"));
  for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});
for (const [signal, number] of [["SIGHUP", 1], ["SIGINT", 2], ["SIGTERM", 15]]) process.on(signal, () => process.exit(128 + number));

module.exports = { begin, end, made_folder };
