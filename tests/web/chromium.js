// Drives Debian's Chromium over two pipes (--remote-debugging-pipe), as tests/browser/browse.js does, with WebGL
// drawn in software.
"use strict";
const fs = require("fs");
const http = require("http");
const path = require("path");
const { begin, end, made_folder } = require("./programs.js");

const kTypes = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };

// Serves a folder on 127.0.0.1, as any static host would: no special headers, unless they are given.
function serve(root, headers = {}) {
  const server = http.createServer((request, response) => {
    const name = decodeURIComponent(new URL(request.url, "http://x/").pathname);
    const file = path.join(root, name.endsWith("/") ? `${name}index.html` : name);
    if (!file.startsWith(root) || !fs.existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { ...headers, "Content-Type": kTypes[path.extname(file)] ?? "application/octet-stream" });
    fs.createReadStream(file).pipe(response);
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1",
    () => resolve({ address: `http://127.0.0.1:${server.address().port}/`, close: () => { server.close(); server.closeAllConnections(); } })));
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

class Chromium {
  constructor() {
    this.folder = made_folder("ropescope-web-");
    this.downloads = path.join(this.folder, "downloads");
    fs.mkdirSync(this.downloads);
    this.process = begin("chromium", ["--headless=new", "--no-sandbox", "--remote-debugging-pipe",
      "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist",
      "--force-renderer-accessibility", `--user-data-dir=${this.folder}`, "about:blank"],
      { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    this.waiting = new Map();
    this.problems = [];
    this.requests = [];
    this.count = 0;
    let rest = "";
    this.process.stdio[4].setEncoding("utf8");
    this.process.stdio[4].on("data", (text) => {
      const parts = (rest + text).split("\0");
      rest = parts.pop();
      parts.forEach((part) => this.hear(JSON.parse(part)));
    });
  }

  send(method, params = {}, sessionId = undefined) {
    const id = ++this.count;
    this.process.stdio[3].write(JSON.stringify({ id, method, params, sessionId }) + "\0");
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject, method }));
  }

  hear(message) {
    if (message.id) {
      const { resolve, reject, method } = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      message.error ? reject(new Error(`${method}: ${message.error.message}`)) : resolve(message.result);
    } else if (message.method === "Runtime.exceptionThrown") {
      const details = message.params.exceptionDetails;
      this.problems.push(details.exception?.description ?? details.text);
    } else if (message.method === "Log.entryAdded" && message.params.entry.level === "error") {
      this.problems.push(message.params.entry.text);
    } else if (message.method === "Runtime.consoleAPICalled" && message.params.type === "error") {
      this.problems.push(message.params.args.map((arg) => arg.value ?? arg.description).join(" "));
    } else if (message.method === "Network.requestWillBeSent") {
      this.requests.push(message.params.request.url.slice(0, 200));
    }
  }

  ask(method, params) { return this.send(method, params, this.session); }

  // A page of its own for each test. What matches 'blocked' does not come from the network, and no service worker of an
  // earlier page answers in its place.
  async open(address, { width = 1600, height = 1000, ratio = 1, touch = false, dark = true, plain = false, blocked = [] } = {}) {
    if (this.target) await this.send("Target.closeTarget", { targetId: this.target });
    this.target = (await this.send("Target.createTarget", { url: "about:blank" })).targetId;
    this.session = (await this.send("Target.attachToTarget", { targetId: this.target, flatten: true })).sessionId;
    for (const domain of ["Page", "Runtime", "Log", "Network", "Accessibility"]) await this.ask(`${domain}.enable`);
    await this.ask("Emulation.setEmulatedMedia",
      { features: [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }] });
    if (touch) await this.ask("Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: 2 });
    await this.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: this.downloads });
    await this.send("Browser.grantPermissions", { permissions: ["clipboardReadWrite", "clipboardSanitizedWrite"] });
    await this.resize(width, height, ratio, touch);
    if (this.beforeLoad) await this.ask("Page.addScriptToEvaluateOnNewDocument", { source: this.beforeLoad });
    if (/^http/.test(address)) await this.ask("Storage.clearDataForOrigin", { origin: new URL(address).origin, storageTypes: "local_storage,service_workers,cache_storage" });
    if (blocked.length > 0) {
      await this.ask("Network.setBypassServiceWorker", { bypass: true });
      await this.ask("Network.setCacheDisabled", { cacheDisabled: true });
      await this.ask("Network.setBlockedURLs", { urls: blocked });
    }
    await this.ask("Page.navigate", { url: address });
    if (plain) return this.until("document.readyState === 'complete'");  // a page without the program
    await this.until("window.ropescope !== undefined || document.getElementById('start-bar')?.hidden");
    await this.rest();
  }

  resize(width, height, ratio = 1, mobile = false) {
    return this.ask("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: ratio, mobile });
  }

  async eval(expression) {
    const { result, exceptionDetails } = await this.ask("Runtime.evaluate",
      { expression, returnByValue: true, awaitPromise: true });
    if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.exception?.description}`);
    return result.value;
  }

  async until(expression, seconds = 60) {
    const end = Date.now() + 1000 * seconds;
    const holds = () => this.eval(expression).catch((error) => {
      if (!/navigated or closed/.test(error.message)) throw error;
      return false;  // the page leads to another, which is asked next
    });
    while (!(await holds())) {
      if (Date.now() > end) throw new Error(`within ${seconds} s it did not become true: ${expression}`);
      await sleep(30);
    }
  }

  // Until the window draws no further frame.
  async rest(seconds = 60) {
    const end = Date.now() + 1000 * seconds;
    // A frame that was asked for is drawn before, however long that takes.
    const frames = () => this.eval(`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() =>
      done(Number(document.getElementById("canvas").dataset.frames ?? 0)))))`);
    const waits = () => this.eval("window.ropescope?.ask('draft') === '1'");
    for (let before = -1, now = await frames(); before !== now || (await waits()); now = await frames()) {
      if (await this.eval("window.ropescope?.ask('typing')")) return;  // a caret blinks
      if (Date.now() > end) throw new Error(`the window did not come to rest within ${seconds} s`);
      before = now;
      await sleep(350);  // longer than the address is behind
    }
  }

  mouse(type, x, y, more = {}) {
    return this.ask("Input.dispatchMouseEvent", { type, x, y, button: "left", clickCount: 1, ...more });
  }

  async click(x, y) {
    await this.mouse("mouseMoved", x, y, { button: "none" });
    await this.mouse("mousePressed", x, y, { buttons: 1 });
    await this.mouse("mouseReleased", x, y);
    await sleep(300);
    if (!(await this.eval("ropescope.ask('typing')"))) await this.rest();
  }

  async drag(from, to) {
    await this.stroke(from, to);
    await this.rest();
  }

  // As drag(), without waiting for what it changes.
  async stroke(from, to) {
    await this.mouse("mouseMoved", ...from, { button: "none" });
    await this.mouse("mousePressed", ...from, { buttons: 1 });
    for (let i = 1; i <= 5; ++i) {
      const at = from.map((start, axis) => start + ((to[axis] - start) * i) / 5);
      await this.mouse("mouseMoved", ...at, { buttons: 1 });
      await sleep(40);
    }
    await this.mouse("mouseReleased", ...to);
  }

  async key(key, { code = key, modifiers = 0, text = undefined } = {}) {
    const number = { Tab: 9, Enter: 13, Escape: 27, F6: 117, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40,
      Backspace: 8 }[key] ?? key.toUpperCase().charCodeAt(0);
    const common = { key, code, modifiers, windowsVirtualKeyCode: number };
    await this.ask("Input.dispatchKeyEvent", { type: "keyDown", text, ...common });
    await this.ask("Input.dispatchKeyEvent", { type: "keyUp", ...common });
    await sleep(120);
    if (!(await this.eval("ropescope.ask('typing')"))) await this.rest();  // a caret blinks
  }

  async type(text) {
    for (const letter of text) await this.key(letter, { text: letter });
  }

  async screenshot(file = undefined) {
    const { data } = await this.ask("Page.captureScreenshot", { format: "png" });
    if (file) fs.writeFileSync(file, Buffer.from(data, "base64"));
    return data;
  }

  // What a screen reader meets: role, name, value.
  async tree() {
    const { nodes } = await this.ask("Accessibility.getFullAXTree");
    return nodes.filter((node) => !node.ignored).map((node) => ({ role: node.role?.value,
      name: node.name?.value ?? "", value: node.value?.value ?? null }));
  }

  async download(name, seconds = 20) {
    const file = path.join(this.downloads, name);
    for (const end = Date.now() + 1000 * seconds; !fs.existsSync(file); await sleep(50)) {
      if (Date.now() > end) throw new Error(`no download '${name}' came within ${seconds} s`);
    }
    await sleep(100);
    const bytes = fs.readFileSync(file);
    fs.unlinkSync(file);
    return bytes;
  }

  async close() {
    const ended = new Promise((resolve) => this.process.once("exit", resolve));
    this.send("Browser.close").catch(() => {});
    await Promise.race([ended, sleep(5000)]);
    end(this.process, "SIGKILL");
  }
}

module.exports = { Chromium, serve, sleep };
