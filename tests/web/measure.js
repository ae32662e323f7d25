// Measures how soon the pages can be read over a slow network on a slow processor, as the developer tools emulate them:
//   node measure.js FOLDER_OF_SITE
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

async function main() {
  const server = await serve(), browser = new Chromium();
  const address = `http://127.0.0.1:${server.address().port}/`;
  const lessons = fs.readdirSync(path.join(root, "lessons")).filter((name) => name.endsWith(".html"));
  const size = (file) => compressed(path.join(root, file)).length;
  const sizes = lessons.map((name) => [name, size(`lessons/${name}`)]).sort((a, b) => b[1] - a[1]);
  for (const [name, bytes] of sizes) console.log(`${(bytes / 1000).toFixed(1).padStart(7)} kB  ${name}`);
  const app = fs.readdirSync(root).filter((name) => /^(app[.]html|(?!service).*[.](js|css|wasm))$/.test(name));
  console.log(`${(app.reduce((sum, name) => sum + size(name), 0) / 1000).toFixed(1).padStart(7)} kB  the app (${app.length} files)`);
  for (const [name, network] of Object.entries(kNetworks)) {
    for (const page of [...new Set([lessons.includes("one-pair.html") ? "one-pair.html" : lessons[0], sizes[0][0]])]) {
      console.log(`${name}: ${page} is painted after ${(await time(browser, `${address}lessons/${page}`, kPainted, network)).toFixed(1)} s`);
    }
    const drawn = "performance.getEntriesByName('first picture')[0]?.startTime ?? 0";
    console.log(`${name}: first picture of the app after ${(await time(browser, `${address}app.html#lesson=one-pair`, drawn, network)).toFixed(1)} s`);
  }
  await browser.close();
  server.close();
  process.exit(0);
}

main().catch((error) => { console.error(error.stack); process.exit(1); });
