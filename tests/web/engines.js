// Drives the WebKit and the Firefox that Debian ships by WebDriver: WebKit's own driver hears it over HTTP, Firefox
// (Marionette) over a socket. Both draw into a screen of Xvfb, in software.
"use strict";
const fs = require("fs");
const net = require("net");
const path = require("path");
const { sleep } = require("./chromium.js");
const { begin, end, made_folder } = require("./programs.js");

const kWaitMs = 60000;

async function free_port() {
  const server = net.createServer();
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

// Tries until it succeeds: a program that was started opens its port when it can.
async function once_there(attempt, ended) {
  for (const end = Date.now() + kWaitMs; ; await sleep(200)) {
    try {
      return await attempt();
    } catch (error) {
      if (ended() || Date.now() > end) throw error;
    }
  }
}

// A display of its own, whose number Xvfb chooses.
async function screen() {
  const xvfb = begin("Xvfb", ["-displayfd", "3", "-screen", "0", "1600x1200x24", "-nolisten", "tcp"],
    { stdio: ["ignore", "ignore", "ignore", "pipe"] });
  const number = await new Promise((resolve, reject) => {
    xvfb.stdio[3].once("data", (data) => resolve(String(data).trim()));
    xvfb.once("error", reject);
    xvfb.once("exit", () => reject(new Error("Xvfb ended")));
  });
  return { display: `:${number}`, close: () => end(xvfb) };
}

// Commands by their path in W3C's WebDriver, to which Marionette's names belong.
const kCommands = {
  navigate: { path: "url", marionette: "WebDriver:Navigate" },
  script: { path: "execute/async", marionette: "WebDriver:ExecuteAsyncScript" },
  actions: { path: "actions", marionette: "WebDriver:PerformActions" },
  screenshot: { path: "screenshot", method: "GET", marionette: "WebDriver:TakeScreenshot" },
  refresh: { path: "refresh", marionette: "WebDriver:Refresh" },
  timeouts: { path: "timeouts", marionette: "WebDriver:SetTimeouts" },
};

class Engine {
  // What a reader of the page can do; ask(command, parameters) is the driver's.
  open(url) { return this.ask("navigate", { url }); }

  // The value of an expression, or of what it promises.
  async eval(expression) {
    const script = "const done = arguments[arguments.length - 1];" +
      `(async () => (${expression}))().then((value) => done({ value }), (error) => done({ error: String(error) }));`;
    const { value, error } = await this.ask("script", { script, args: [] });
    if (error !== undefined) throw new Error(`${expression}: ${error}`);
    return value;
  }

  async until(expression, seconds = 60) {
    for (const end = Date.now() + 1000 * seconds; !(await this.eval(expression).catch(() => false)); await sleep(50)) {
      if (Date.now() > end) throw new Error(`within ${seconds} s it did not become true: ${expression}`);
    }
  }

  // Presses the mouse at `from`, moves it through `to`, and lets it go.
  drag(from, to) {
    const move = ([x, y], duration = 20) => ({ type: "pointerMove", duration, x: Math.round(x), y: Math.round(y), origin: "viewport" });
    return this.ask("actions", { actions: [{ type: "pointer", id: "mouse", parameters: { pointerType: "mouse" },
      actions: [move(from, 0), { type: "pointerDown", button: 0 }, ...to.map((at) => move(at)), { type: "pointerUp", button: 0 }] }] });
  }

}

class WebKit extends Engine {
  static async start() {
    const engine = new WebKit();
    engine.name = "WebKit";
    engine.screen = await screen();
    const port = await free_port();
    engine.process = begin("WebKitWebDriver", [`--port=${port}`], { stdio: "ignore",
      env: { ...process.env, DISPLAY: engine.screen.display, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1", LIBGL_ALWAYS_SOFTWARE: "1" } });
    engine.address = `http://127.0.0.1:${port}/session`;
    const { sessionId, capabilities } = await once_there(() => engine.send("POST", "", { capabilities: {} }),
      () => engine.process.exitCode !== null);
    engine.address += `/${sessionId}`;
    engine.version = capabilities.browserVersion;
    await engine.ask("timeouts", { script: 5 * kWaitMs, pageLoad: kWaitMs });
    return engine;
  }

  async send(method, name, body) {
    const response = await fetch(this.address + (name && `/${name}`), { method, body: method === "GET" ? undefined : JSON.stringify(body ?? {}) });
    const { value } = await response.json();
    if (value?.error) throw new Error(`${name}: ${value.error}: ${value.message}`);
    return value;
  }

  ask(command, parameters) { return this.send(kCommands[command].method ?? "POST", kCommands[command].path, parameters); }

  async close() {
    await this.send("DELETE", "").catch(() => {});
    end(this.process);
    this.screen.close();
  }
}

class Firefox extends Engine {
  static async start() {
    const engine = new Firefox();
    engine.name = "Firefox";
    engine.screen = await screen();
    engine.folder = made_folder("ropescope-firefox-");
    const port = await free_port();
    fs.writeFileSync(path.join(engine.folder, "user.js"),
      `user_pref("marionette.port", ${port});\nuser_pref("webgl.force-enabled", true);\nuser_pref("dom.disable_open_during_load", false);\n` +
      'user_pref("datareporting.policy.dataSubmissionEnabled", false);\nuser_pref("browser.shell.checkDefaultBrowser", false);\n');
    engine.process = begin("firefox-esr", ["--marionette", "--no-remote", "--profile", engine.folder, "about:blank"],
      { stdio: "ignore", env: { ...process.env, DISPLAY: engine.screen.display, MOZ_DISABLE_CONTENT_SANDBOX: "1", LIBGL_ALWAYS_SOFTWARE: "1" } });
    await once_there(() => engine.connect(port), () => engine.process.exitCode !== null);
    const { capabilities } = await engine.command("WebDriver:NewSession", { strictFileInteractability: true });
    engine.version = capabilities.browserVersion;
    await engine.ask("timeouts", { script: 5 * kWaitMs, pageLoad: kWaitMs });
    return engine;
  }

  // Messages are "LENGTH:[type, id, ...]".
  connect(port) {
    this.waiting = new Map();
    this.count = 0;
    return new Promise((resolve, reject) => {
      const socket = net.connect(port, "127.0.0.1");
      let rest = Buffer.alloc(0);
      socket.once("error", reject);
      socket.on("data", (data) => {
        rest = Buffer.concat([rest, data]);
        for (let colon; (colon = rest.indexOf(":")) > 0;) {
          const length = Number(rest.subarray(0, colon)), end = colon + 1 + length;
          if (rest.length < end) return;
          this.hear(JSON.parse(rest.subarray(colon + 1, end)), resolve);
          rest = rest.subarray(end);
        }
      });
      this.socket = socket;
    });
  }

  hear(message, greeted) {
    if (!Array.isArray(message)) return greeted();  // what it says of itself at first
    const [, id, error, result] = message, { resolve, reject, name } = this.waiting.get(id);
    this.waiting.delete(id);
    error ? reject(new Error(`${name}: ${error.error}: ${error.message}`)) : resolve(result);
  }

  command(name, parameters) {
    const id = ++this.count, text = Buffer.from(JSON.stringify([0, id, name, parameters]));
    this.socket.write(Buffer.concat([Buffer.from(`${text.length}:`), text]));
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject, name }));
  }

  async ask(command, parameters) {
    const result = await this.command(kCommands[command].marionette, parameters);
    return result?.value;
  }

  async close() {
    const ended = new Promise((resolve) => this.process.once("exit", resolve));
    this.command("Marionette:Quit", { flags: ["eForceQuit"] }).catch(() => {});
    await Promise.race([ended, sleep(5000)]);
    end(this.process, "SIGKILL");
    this.socket.destroy();
    this.screen.close();
  }
}

module.exports = { WebKit, Firefox };
