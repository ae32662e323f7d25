// Opens a page in Chromium, does what it is told, and prints what it found as one JSON object:
//   node browse.js URL WIDTH HEIGHT '[{"key": "Tab"}, {"eval": "document.title"}, {"tree": true}]'
// "results" has one entry for each step: null for a key, the value of an expression, or the nodes of
// the accessibility tree that a screen reader meets: role, name, value, focusable, focused. "problems"
// are errors on the console and exceptions, "requests" every address that the page asked for.
// Chromium is driven over two pipes (--remote-debugging-pipe): messages of JSON that end in a zero byte.
"use strict";
const { spawn } = require("child_process");
const fs = require("fs");
const os = require("os");
const path = require("path");

const [url, width, height, steps] = process.argv.slice(2);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "ropescope-browser-"));
const browser = spawn("chromium", ["--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
  "--force-renderer-accessibility", `--user-data-dir=${folder}`, "about:blank"],
  { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
const waiting = new Map();
const problems = [], requests = [];
let count = 0, rest = "", loaded = () => {};

function send(method, params = {}, sessionId) {
  const id = ++count;
  browser.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + "\0");
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject, method }));
}

function hear(message) {
  if (message.id) {
    const { resolve, reject, method } = waiting.get(message.id);
    waiting.delete(message.id);
    message.error ? reject(new Error(`${method}: ${message.error.message}`)) : resolve(message.result);
  } else if (message.method === "Runtime.exceptionThrown") {
    problems.push(message.params.exceptionDetails.exception?.description ?? message.params.exceptionDetails.text);
  } else if (message.method === "Log.entryAdded" && message.params.entry.level === "error") {
    problems.push(message.params.entry.text);
  } else if (message.method === "Runtime.consoleAPICalled" && message.params.type === "error") {
    problems.push(message.params.args.map((arg) => arg.value ?? arg.description).join(" "));
  } else if (message.method === "Network.requestWillBeSent") {
    requests.push(message.params.request.url.slice(0, 200));
  } else if (message.method === "Page.loadEventFired") {
    loaded();
  }
}

browser.stdio[4].setEncoding("utf8");
browser.stdio[4].on("data", (text) => {
  const parts = (rest + text).split("\0");
  rest = parts.pop();
  parts.forEach((part) => hear(JSON.parse(part)));
});

// What a screen reader meets, in its order.
function readable(node) {
  const property = (name) => node.properties?.find((each) => each.name === name)?.value.value;
  return { role: node.role?.value, name: node.name?.value ?? "", value: node.value?.value ?? null,
    focusable: property("focusable") === true, focused: property("focused") === true };
}

async function main() {
  const { targetId } = await send("Target.createTarget", { url: "about:blank" });
  const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
  const ask = (method, params) => send(method, params, sessionId);
  for (const domain of ["Page", "Runtime", "Log", "Network", "Accessibility"]) {
    await ask(`${domain}.enable`);
  }
  await ask("Emulation.setDeviceMetricsOverride",
    { width: Number(width), height: Number(height), deviceScaleFactor: 1, mobile: Number(width) < 500 });
  const whole = new Promise((resolve) => { loaded = resolve; });
  await ask("Page.navigate", { url });
  await whole;
  const settle = () => ask("Runtime.evaluate",
    { awaitPromise: true, expression: "new Promise(r => requestAnimationFrame(() => setTimeout(r, 50)))" });
  await settle();
  const results = [];
  for (const step of JSON.parse(steps)) {
    if (step.key) {
      for (const type of ["keyDown", "keyUp"]) {
        const code = { Tab: 9, Enter: 13, " ": 32, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40,
          PageUp: 33, PageDown: 34, Home: 36, End: 35 }[step.key];
        const text = step.key === "Enter" ? "\r" : step.key === " " ? " " : undefined;
        await ask("Input.dispatchKeyEvent", { type, key: step.key, code: step.key === " " ? "Space" : step.key,
          windowsVirtualKeyCode: code, text: type === "keyDown" ? text : undefined });
      }
      await settle();
      results.push(null);
    } else if (step.eval) {
      const { result } = await ask("Runtime.evaluate",
        { expression: step.eval, returnByValue: true, awaitPromise: true });
      results.push(result.value ?? null);
    } else {
      const { nodes } = await ask("Accessibility.getFullAXTree");
      results.push(nodes.filter((node) => !node.ignored).map(readable));
    }
  }
  process.stdout.write(JSON.stringify({ results, problems, requests }));
}

const late = setTimeout(() => finish(new Error("the browser did not answer within 60 s")), 60000);
function finish(error) {
  clearTimeout(late);
  if (error) {
    console.error(error.message);
    process.exitCode = 1;
    browser.kill();
  } else {
    send("Browser.close").catch(() => {});  // it tidies up after itself
  }
}
browser.on("exit", () => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
browser.on("error", (error) => finish(error));
main().then(() => finish(), finish);
