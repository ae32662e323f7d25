// Tests the page in the WebKit and the Firefox that Debian ships, in what differs between browsers: their limits of
// history, a lost drawing surface, the worker, the arithmetic of the checks, reading and keeping files.
//   node engines_test.js FOLDER_OF_PAGE [--only REGULAR_EXPRESSION] [--engine WebKit|Firefox] [--pictures FOLDER]
"use strict";
const assert = require("assert");
const fs = require("fs");
const path = require("path");
const { serve, sleep } = require("./chromium.js");
const { WebKit, Firefox } = require("./engines.js");

const given = (name) => {
  const at = process.argv.indexOf(name);
  return at < 0 ? undefined : process.argv[at + 1];
};
const root = path.resolve(process.argv[2]);
const pictures = given("--pictures");

const tests = [];
const test = (name, run) => tests.push({ name, run });

// What one engine is asked: the page at `address`, with every error that it tells of.
class Page {
  constructor(engine, address) {
    this.engine = engine;
    this.address = address;
  }

  async open(link = "") {
    await this.engine.open("about:blank");  // an address that differs in its fragment alone loads nothing
    await this.engine.open(`${this.address}app.html#${link}`);
    await this.ready();
  }

  async ready() {
    await this.engine.until("window.ropescope !== undefined", 240);  // a WebKit without a free core compiles for a minute
    await this.engine.eval(`(window.told = [], addEventListener("error", (event) => told.push(String(event.message))),
      addEventListener("unhandledrejection", (event) => told.push(String(event.reason))), 0)`);
    await this.engine.until("document.getElementById('canvas').dataset.frames > 0", 240);
  }

  ask(question) { return this.engine.eval(`ropescope.ask(${JSON.stringify(question)})`); }
  async words() { return JSON.parse(await this.ask("spoken")); }
  set(name, value) { return this.engine.eval(`(ropescope.call("page_set", "${name}", "${value}"), ropescope.wake(), 0)`); }
  act(what) { return this.engine.eval(`(ropescope.call("page_act", ${JSON.stringify(what)}), ropescope.wake(), 0)`); }
  link() { return this.engine.eval("location.hash.slice(1)"); }

  async place(name) {
    await this.act(`probe ${name}`);
    await this.engine.until("ropescope.ask('probe')");
    const ratio = await this.engine.eval("devicePixelRatio");
    const [x, y, width, height] = (await this.ask("probe")).split(" ").map((each) => Number(each) / ratio);
    return { x, y, width, height };
  }
}

// Views that are made in different ways: maps, text, and what the worker computes.
const kViews = ["rotation", "layouts", "stretch", "diagnose"];

// How many colours a picture has in places on a grid, found by the browser.
const colours = (page, png) => page.engine.eval(`(async () => {
  const bitmap = await createImageBitmap(await (await fetch("data:image/png;base64,${png}")).blob());
  const canvas = document.createElement("canvas"), context = canvas.getContext("2d");
  [canvas.width, canvas.height] = [bitmap.width, bitmap.height];
  context.drawImage(bitmap, 0, 0);
  const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height), seen = new Set();
  for (let i = 0; i < data.length; i += 4 * 101) seen.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
  return seen.size;
})()`);

test("views are drawn and told", async (page) => {
  await page.open();
  for (const id of kViews) {
    await page.set("view", id);
    await page.engine.until(`JSON.parse(ropescope.ask("spoken")).view === "${id}"`);
    await page.engine.until(`ropescope.ask("draft") !== "1"`);
    const said = await page.words();
    assert.strictEqual(said.error, "", id);
    assert(said.report.length > 20, `${id} has no report`);
    const png = await page.engine.ask("screenshot", {});
    if (pictures) fs.writeFileSync(path.join(pictures, `${page.engine.name}-${id}.png`), Buffer.from(png, "base64"));
    assert((await colours(page, png)) > 16, `${id} has hardly any colours`);
  }
});

test("a slider that is dragged for twelve seconds breaks nothing, and the address is that of the last place", async (page) => {
  await page.open("view=rotation");
  const slider = await page.place("slider of query_position");
  const y = slider.y + slider.height / 2, way = [];
  for (let i = 0; i < 420; ++i) way.push([slider.x + 10 + (slider.width - 20) * Math.abs(Math.sin(i / 9)), y]);
  const began = Date.now();
  await page.engine.drag([slider.x + 10, y], way);
  await sleep(1500);
  const position = (await page.ask("link")).match(/query_position=(\d+)/)[1];
  console.log(`    ${((Date.now() - began) / 1000).toFixed(1)} s, at position ${position}`);
  await page.engine.until(`location.hash.includes("query_position=${position}")`, 10);
});

test("a thousand settings in a second leave the address right", async (page) => {
  await page.open("view=rotation");
  for (let i = 1; i <= 1000; i += 50) {
    await page.engine.eval(`(() => { for (let i = ${i}; i < ${i + 50}; ++i) {
      ropescope.call("page_set", "query_position", String(i)); ropescope.call("page_frame", 0.01); ropescope.wake(); } return 0; })()`);
  }
  await page.engine.until(`location.hash.includes("query_position=1000")`, 20);
});

test("back leads to the view before", async (page) => {
  await page.open("view=rotation");
  await page.set("view", "spectrum");
  await page.engine.until(`location.hash.includes("view=spectrum")`);
  await page.engine.eval("(history.back(), 0)");  // the browser's own button passes over places that no hand led to
  await page.engine.until(`JSON.parse(ropescope.ask("spoken")).view === "rotation"`);
});

test("a reload keeps the scene", async (page) => {
  await page.open("view=decay&base=777");
  await page.set("base", "888");
  await page.engine.until(`location.hash.includes("base=888")`);
  await page.engine.ask("refresh", {});
  await page.ready();
  assert.match(await page.link(), /view=decay.*base=888|base=888.*view=decay/);
});

test("a drawing surface that is lost is said, and drawn on again when it comes back", async (page) => {
  await page.open("view=decay");
  await page.engine.eval(`(window.lose = document.getElementById("canvas").getContext("webgl2").getExtension("WEBGL_lose_context"), lose.loseContext(), 0)`);
  await page.engine.until(`!document.getElementById("start").hidden`);
  assert.match(await page.engine.eval(`document.getElementById("start-text").textContent`), /drawing surface|taken back/);
  await page.engine.eval("(lose.restoreContext(), 0)");
  await page.engine.until(`document.getElementById("start").hidden`);
  const frames = await page.engine.eval("Number(document.getElementById('canvas').dataset.frames)");
  await page.set("base", "999");
  await page.engine.until(`Number(document.getElementById("canvas").dataset.frames) > ${frames}`);
});

test("the worker computes what the trained model says", async (page) => {
  await page.open("view=attention");
  await page.engine.until(`/“/.test(JSON.parse(ropescope.ask("spoken")).title)`, 30);  // the word that it predicts
  assert.strictEqual((await page.words()).error, "");
});

test("a damaged dump and a model's configuration are read and told", async (page) => {
  await page.open("view=spectrum");
  const drop = (name, text) => page.engine.eval(`(() => {
    const given = new DataTransfer();
    given.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}));
    document.getElementById("canvas").dispatchEvent(new DragEvent("drop", { dataTransfer: given, bubbles: true, cancelable: true }));
    return 0;
  })()`);
  await drop("config.json", JSON.stringify({ model_type: "llama", hidden_size: 256, num_attention_heads: 4, rope_theta: 4321 }));
  await page.engine.until(`/4.?321/.test(JSON.parse(ropescope.ask("spoken")).report)`, 20);
  await drop("dump.npz", "PK no archive");
  await page.engine.until(`JSON.parse(ropescope.ask("spoken")).error !== ""`, 20);
});

test("a lesson's page has a figure that follows its slider", async (page) => {
  await page.engine.open(`${page.address}lessons/one-pair.html`);
  await page.engine.until(`document.readyState === "complete" && document.querySelectorAll("input[type=range]").length > 0`);
  const moved = await page.engine.eval(`(async () => {
    const slider = document.querySelector("input[type=range]"), section = slider.closest("section, article, main, body");
    const before = section.innerHTML;
    slider.value = slider.max;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    await new Promise((done) => setTimeout(done, 500));
    return section.innerHTML !== before;
  })()`);
  assert(moved, "nothing changed with the slider");
  assert(!(await page.engine.eval("document.body.textContent")).includes("\uFFFD"), "a letter is broken");
});

test("the checks hold", async (page) => {
  await page.open("view=rotation");
  await page.act("run checks");
  await page.engine.until(`/^[1-9].* passed/.test(ropescope.ask("checks")) && !ropescope.ask("checks").includes("not over")`, 300);
  const result = await page.ask("checks");
  console.log(`    ${result}`);
  assert.match(result, /^\d\d+ passed, 0 failed/);
});

test("what was loaded once comes without a server", async (page) => {
  const other = await serve(root);
  await page.engine.open(`${other.address}app.html#view=spectrum`);
  await page.ready();
  await page.engine.until(`navigator.serviceWorker.controller !== null &&
    caches.match("ropescope.wasm?v=" + document.documentElement.dataset.version).then(Boolean)`);
  await sleep(1000);
  other.close();
  // A driver's own command to load again may pass over what the page has kept.
  await page.engine.eval("(window.before = true, setTimeout(() => location.reload(), 100), 0)");
  await page.engine.until("window.before === undefined && window.ropescope !== undefined", 240);
  assert.match(await page.link(), /view=spectrum/);
});

async function passes(name, run, page) {
  const began = Date.now();
  const seconds = () => ((Date.now() - began) / 1000).toFixed(1);
  try {
    await run(page);
    assert.deepStrictEqual(await page.engine.eval("window.told ?? []"), [], "the page tells of errors");
    console.log(`ok      ${page.engine.name}: ${name} (${seconds()} s)`);
    return true;
  } catch (error) {
    console.log(`FAILED  ${page.engine.name}: ${name}: ${error.message} (${seconds()} s)`);
    return false;
  }
}

async function main() {
  if (pictures) fs.mkdirSync(pictures, { recursive: true });
  const server = await serve(root);
  const only = new RegExp(given("--only") ?? "");
  let failed = 0, ran = 0;
  for (const Browser of [WebKit, Firefox]) {
    if ((given("--engine") ?? Browser.name) !== Browser.name) continue;
    const engine = await Browser.start();
    console.log(`${engine.name} ${engine.version}`);
    for (const { name, run } of tests) {
      if (!only.test(name)) continue;
      ++ran;
      if (!(await passes(name, run, new Page(engine, server.address)))) ++failed;
    }
    await engine.close();
  }
  server.close();
  console.log(`${ran - failed} of ${ran} tests of the page passed`);
  process.exit(failed || ran === 0 ? 1 : 0);
}

main().catch((error) => { console.error(error.stack); process.exit(1); });
