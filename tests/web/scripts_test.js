// Tests scripts of the page under Node, without a browser: that all can be read, and how work beside the page is
// asked for and answered (app/web/page/beside.js). The page itself is tested by page_test.js. Programs that its tests start
// end with them (programs.js).
"use strict";
const assert = require("assert");
const { spawnSync } = require("child_process");
const fs = require("fs");
const path = require("path");
const vm = require("vm");

const folder = path.resolve(__dirname, "../../app/web/page");
const source = (name) => fs.readFileSync(path.join(folder, name), "utf8");
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const kPauseMs = 200;  // longer than the page waits before it begins

// The script with a worker that only takes notes.
function beside({ refuses = false } = {}) {
  const made = [], calls = [], put = new Map();
  class Worker {
    constructor() {
      if (refuses) throw new Error("no workers here");
      this.said = [];
      made.push(this);
    }
    postMessage(message) { this.said.push(message); }
    terminate() { this.ended = true; }
    get jobs() { return this.said.filter((message) => message.kind); }
  }
  const Files = { put: (name, bytes) => put.set(name, bytes), remove: (name) => put.delete(name) };
  const context = vm.createContext({ Worker, Files, setTimeout, clearTimeout,
    document: { documentElement: { dataset: {} } }, navigator: { onLine: true } });
  vm.runInContext(source("beside.js"), context);
  const script = vm.runInContext("Beside", context);
  const call = (...words) => calls.push([...words, put.has("/beside/result")]);
  script.start("compiled", call, () => {});
  return { made, calls, put, ask: (request) => script.follow(JSON.stringify(request)), share: script.share };
}

// What has ended may stay in the list of processes until somebody asks how.
function runs(id) {
  try {
    return !/^State:\tZ/m.test(fs.readFileSync(`/proc/${id}/status`, "utf8"));
  } catch {
    return false;
  }
}

const picture = (ticket, link = "view=decay") => ({ picture: { ticket, link } });
const tests = {
  "every script can be read": async () => {
    const names = fs.readdirSync(folder).filter((name) => name.endsWith(".js"));
    assert(names.length >= 7, names.join());
    for (const name of names) new vm.Script(source(name), { filename: name });
  },

  "of several changes in a row the last one is computed, by one worker": async () => {
    const { made, ask } = beside();
    for (const ticket of [1, 2, 3]) ask(picture(ticket));
    await sleep(kPauseMs);
    assert.strictEqual(made.length, 1);
    assert.strictEqual(made[0].said[0].wasm, "compiled");
    assert.deepStrictEqual(made[0].jobs.map((job) => job.ticket), [3]);
  },

  "another picture ends the work of the one before": async () => {
    const { made, ask } = beside();
    ask(picture(1));
    await sleep(kPauseMs);
    ask(picture(2));
    assert(made[0].ended);
    await sleep(kPauseMs);
    assert.deepStrictEqual(made[1].jobs.map((job) => job.ticket), [2]);
    ask({ picture: null });
    assert(made[1].ended);
  },

  "a stop before the work began leaves nothing behind": async () => {
    const { made, ask } = beside();
    ask(picture(1));
    ask({ picture: null });
    await sleep(kPauseMs);
    assert.strictEqual(made.length, 0);
  },

  "an idle worker stays, and gets only files that are new to it": async () => {
    const { made, ask, share } = beside();
    share("/a", "first");
    ask(picture(1));
    await sleep(kPauseMs);
    made[0].onmessage({ data: { ticket: 1, bytes: "result", over: true } });
    share("/b", "second");
    ask(picture(2));
    await sleep(kPauseMs);
    assert.strictEqual(made.length, 1);
    assert.deepStrictEqual(made[0].jobs.map((job) => Array.from(job.files, (file) => file.path)), [["/a"], ["/b"]]);
    ask(picture(3));
    await sleep(kPauseMs);
    assert.deepStrictEqual(Array.from(made[1].jobs[0].files, (file) => file.path), ["/a", "/b"], "a new worker has none");
  },

  "a result is a file while the program reads it": async () => {
    const { made, calls, put, ask } = beside();
    ask(picture(4));
    await sleep(kPauseMs);
    made[0].onmessage({ data: { ticket: 4, done: 0.5 } });
    made[0].onmessage({ data: { ticket: 4, bytes: "result", over: true } });
    assert.deepStrictEqual(calls, [["page_work_progress", 4, 0.5, false],
      ["page_work_result", "picture", 4, "/beside/result", true]]);
    assert.strictEqual(put.size, 0);
  },

  "what is refused and what fails is told apart": async () => {
    const { made, calls, ask } = beside();
    ask(picture(5));
    await sleep(kPauseMs);
    made[0].onmessage({ data: { ticket: 5, refused: "no such folder", over: true } });
    assert.deepStrictEqual(calls.pop().slice(0, 3), ["page_work_refused", 5, "no such folder"]);
    assert(!made[0].ended);
    ask(picture(6));
    await sleep(kPauseMs);
    made[0].onmessage({ data: { ticket: 6, failed: "out of memory" } });
    assert.match(calls.pop()[3], /failed: out of memory/);
    assert(made[0].ended, "a worker that failed is not asked again");
  },

  "checks run beside a picture, and their worker goes with the last result": async () => {
    const { made, calls, ask } = beside();
    ask({ checks: { ticket: 1, fault: "none", ids: ["a", "b"] }, ...picture(7) });
    await sleep(kPauseMs);
    assert.strictEqual(made.length, 2);
    const checks = made.find((worker) => worker.jobs[0].kind === "checks");
    checks.onmessage({ data: { ticket: 1, bytes: "a", over: false } });
    assert(!checks.ended);
    checks.onmessage({ data: { ticket: 1, bytes: "b", over: true } });
    assert(checks.ended);
    assert.deepStrictEqual(calls.map((each) => each[1]), ["checks", "checks"]);
    assert(!made.find((worker) => worker !== checks).ended);
  },

  "where there are no workers, that is said": async () => {
    const { calls, ask } = beside({ refuses: true });
    ask({ checks: { ticket: 1, fault: "none", ids: ["a"] } });
    ask(picture(8));
    await sleep(kPauseMs);
    assert.deepStrictEqual(calls.map((each) => each.slice(0, 3)),
      [["page_work_failed", "checks", 1], ["page_work_failed", "picture", 8]]);
    assert.match(calls[0][3], /no workers here/);
  },

  "programs that a test has begun end with it, and so do those that they have started": async () => {
    for (const way of ["throw new Error('no session');", "process.exit(0);", "process.kill(process.pid, 'SIGTERM');"]) {
      const test = `const { begin, made_folder } = require("./programs.js");
        const folder = made_folder("ropescope-scripts-");
        begin("sh", ["-c", 'sleep 60 & echo $$ $! "$0"; wait', folder], { stdio: ["ignore", "pipe", "inherit"] })
          .stdout.once("data", (ids) => { console.log(String(ids)); setTimeout(() => { ${way} }, 20); });`;
      const { stdout } = spawnSync(process.execPath, ["-e", test], { cwd: __dirname, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
      const [program, child, kept] = stdout.trim().split(" ");
      assert.match(kept ?? "", /ropescope-scripts-/);
      await sleep(kPauseMs);
      assert(!fs.existsSync(kept), `${way} leaves ${kept}`);
      for (const id of [program, child]) assert(!runs(id), `${way} leaves ${id}`);
    }
  },
};

(async () => {
  for (const [name, run] of Object.entries(tests)) {
    await run().catch((error) => { throw new Error(`${name}: ${error.stack}`); });
  }
  console.log(`${Object.keys(tests).length} passed, 0 failed`);
})();
