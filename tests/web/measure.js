// Measures how soon the pages can be read over a slow network on a slow processor, as the developer tools emulate them, how long
// a frame of each view takes, and how many steps of the lessons fit a phone's screen:
//   node measure.js FOLDER_OF_SITE [frames]
// With the word at the end, the frames alone.
// Files come compressed, as any host sends them. Nothing is held to a limit here: a loaded machine is slower.
"use strict";
const fs = require("fs");
const http = require("http");
const path = require("path");
const zlib = require("zlib");
const { Chromium, sleep } = require("./chromium.js");

const root = path.resolve(process.argv[2]);
const kTypes = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };
const packed = new Map();
const compressed = (file) => {
  if (!packed.has(file)) packed.set(file, zlib.gzipSync(fs.readFileSync(file), { level: 9 }));
  return packed.get(file);
};

function serve() {
  const server = http.createServer((request, response) => {
    const file = path.join(root, decodeURIComponent(new URL(request.url, "http://x/").pathname));
    if (!file.startsWith(root) || !fs.existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { "Content-Type": kTypes[path.extname(file)] ?? "application/octet-stream", "Content-Encoding": "gzip" });
    response.end(compressed(file));
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

const kNetworks = {
  "slow 3G, CPU/4": { latency: 400, kbit: 400, cpu: 4 },
  "fast 3G, CPU/4": { latency: 150, kbit: 1600, cpu: 4 },
  "4G": { latency: 40, kbit: 9000, cpu: 1 },
};

// What may stand before a text: the page is laid out and painted.
const kPainted = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0";

async function time(browser, address, expression, network) {
  await browser.send("Target.closeTarget", { targetId: browser.target }).catch(() => {});
  browser.target = (await browser.send("Target.createTarget", { url: "about:blank" })).targetId;
  browser.session = (await browser.send("Target.attachToTarget", { targetId: browser.target, flatten: true })).sessionId;
  for (const domain of ["Page", "Runtime", "Network"]) await browser.ask(`${domain}.enable`);
  await browser.ask("Network.setCacheDisabled", { cacheDisabled: true });
  await browser.ask("Network.setBypassServiceWorker", { bypass: true });
  await browser.resize(390, 664, 3, true);
  const rate = (network.kbit * 1000) / 8;
  await browser.ask("Network.emulateNetworkConditions",
    { offline: false, latency: network.latency, downloadThroughput: rate, uploadThroughput: rate });
  await browser.ask("Emulation.setCPUThrottlingRate", { rate: network.cpu });
  await browser.ask("Page.navigate", { url: address });
  for (const end = Date.now() + 180000; Date.now() < end; await sleep(200)) {
    const ms = await browser.eval(expression).catch(() => 0);
    if (ms > 0) return ms / 1000;
  }
  return Infinity;
}

// Of the steps of a lesson's page: how many have a figure, and of them those where the task has room between the figure and the
// controls, which stay on the screen while the words scroll.
const kStepsOfPage = `(async () => {
  const { height } = visualViewport, found = { figures: 0, together: 0 };
  for (const step of document.querySelectorAll("section.step:has(figure)")) {
    step.scrollIntoView();
    for (let i = 0; i < 50 && !step.querySelector(".film > svg"); ++i) await new Promise((resolve) => setTimeout(resolve, 50));
    const parts = [...step.querySelectorAll(".task, .moves, .film")];
    ++found.figures;
    found.together += parts.reduce((sum, each) => sum + each.getBoundingClientRect().height, 0) <= height;
  }
  return found;
})()`;

// Of a step in the app, where words scroll below the figure: whether they fit without that as far as the last control that the
// step needs, and whether they do from the task on.
const kStepOfApp = `(() => {
  const shown = [...document.querySelectorAll("#lesson-task, #lesson-choices, .control.first")].map((each) =>
    each.getBoundingClientRect()).filter((box) => box.height > 0);
  const panel = document.getElementById("words").getBoundingClientRect(), ends = Math.max(panel.top, ...shown.map(({ bottom }) => bottom));
  return { whole: ends <= panel.bottom + 1, task: ends - Math.min(ends, ...shown.map(({ top }) => top)) <= panel.height };
})()`;

async function count_steps(browser, address, lessons) {
  const pages = { figures: 0, together: 0 }, app = { steps: 0, whole: 0, task: 0 };
  for (const name of lessons) {
    await browser.open(`${address}lessons/${name}`, { plain: true, width: 390, height: 664, touch: true });
    const found = await browser.eval(kStepsOfPage);
    for (const each of Object.keys(pages)) pages[each] += found[each];
    const lesson = name.replace(".html", "");
    await browser.open(`${address}app.html#lesson=${lesson}`, { width: 390, height: 664, ratio: 3, touch: true });
    const { steps } = JSON.parse(await browser.eval("ropescope.ask('spoken')")).lesson;
    for (let step = 1; step <= steps; ++step) {
      await browser.eval(`(ropescope.call("page_follow", "lesson=${lesson}&step=${step}"), ropescope.wake())`);
      await browser.rest();
      const fits = await browser.eval(kStepOfApp);
      ++app.steps;
      for (const each of ["whole", "task"]) app[each] += fits[each];
    }
  }
  console.log(`phone, pages: task, controls and figure are on the screen at once in ${pages.together} of ${pages.figures} steps with a figure`);
  console.log(`phone, app: the words of ${app.whole} of ${app.steps} steps fit below the figure, those of ${app.task} from the task on`);
}

// The milliseconds that a view takes for itself to draw a frame in which its figure changes, at the processor's own speed and at
// a quarter of it; what the browser and its graphics do after that is not in them.
async function time_frames(browser, address) {
  await browser.open(`${address}app.html#view=rotation`, { width: 1280, height: 800 });
  const { views } = JSON.parse(await browser.eval("ropescope.ask('lists')"));
  for (const { id } of views) {
    const found = [];
    for (const rate of [1, 4]) {
      await browser.open(`${address}app.html#view=${id}`, { width: 1280, height: 800 });
      await browser.rest();
      await browser.ask("Emulation.setCPUThrottlingRate", { rate });
      const times = [];
      for (let i = 0; i < 30; ++i) {
        const scene = `view=${id}&query_position=${20 + i}&base=${10000 + 100 * i}`;
        await browser.eval(`(ropescope.call("page_follow", "${scene}"), ropescope.wake())`);
        await sleep(100 * rate);
        times.push(Number(await browser.eval("ropescope.ask('frame ms')")));
      }
      times.sort((a, b) => a - b);
      found.push(`${times[15].toFixed(1).padStart(6)} (${times[29].toFixed(1).padStart(6)})`);
      await browser.ask("Emulation.setCPUThrottlingRate", { rate: 1 });
    }
    console.log(`${id.padEnd(12)} ms of a frame, median (longest) of 30: ${found[0]}, at a quarter of the processor ${found[1]}`);
  }
}

async function main() {
  const server = await serve(), browser = new Chromium();
  const address = `http://127.0.0.1:${server.address().port}/`;
  if (process.argv[3] === "frames") {
    await time_frames(browser, address);
    await browser.close();
    process.exit(0);
  }
  const lessons = fs.readdirSync(path.join(root, "lessons")).filter((name) => name.endsWith(".html"));
  const size = (file) => compressed(path.join(root, file)).length;
  const sizes = lessons.map((name) => [name, size(`lessons/${name}`)]).sort((a, b) => b[1] - a[1]);
  for (const [name, bytes] of sizes) console.log(`${(bytes / 1000).toFixed(1).padStart(7)} kB  ${name}`);
  // A browser loads one of the two programs.
  const app = fs.readdirSync(root).filter((name) => /^(app[.]html|(?!service|.*-older).*[.](js|css|wasm))$/.test(name));
  console.log(`${(app.reduce((sum, name) => sum + size(name), 0) / 1000).toFixed(1).padStart(7)} kB  the app (${app.length} files)`);
  // Who follows a link has a browser that runs: the first page of all waits for its processes to start.
  await time(browser, `${address}lessons/${lessons[0]}`, kPainted, kNetworks["4G"]);
  for (const [name, network] of Object.entries(kNetworks)) {
    for (const page of [...new Set([lessons.includes("one-pair.html") ? "one-pair.html" : lessons[0], sizes[0][0]])]) {
      console.log(`${name}: ${page} is painted after ${(await time(browser, `${address}lessons/${page}`, kPainted, network)).toFixed(1)} s`);
    }
    const drawn = "performance.getEntriesByName('first picture')[0]?.startTime ?? 0";
    console.log(`${name}: first picture of the app after ${(await time(browser, `${address}app.html#lesson=one-pair`, drawn, network)).toFixed(1)} s`);
  }
  await browser.ask("Emulation.setCPUThrottlingRate", { rate: 1 });
  await browser.ask("Network.emulateNetworkConditions", { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 });
  await time_frames(browser, address);
  await count_steps(browser, address, lessons);
  await browser.close();
  server.close();
  process.exit(0);
}

main().catch((error) => { console.error(error.stack); process.exit(1); });
