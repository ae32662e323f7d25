// page.js FOLDER MINUTES: random work in the page, and the memory of what draws it after each minute: views, sliders, lessons, the
// mouse, keys, sizes of the window, tabs that come and go.
"use strict";
const fs = require("fs");
const path = require("path");
const { Chromium, serve, sleep } = require("../web/chromium.js");

const [folder, minutes] = [process.argv[2], Number(process.argv[3] ?? 1)];
let state = Number(process.env.ROPESCOPE_SEED ?? 1) >>> 0;
// Marsaglia's xorshift, so that a seed repeats a run.
const below = (count) => {
  state ^= state << 13; state ^= state >>> 17; state ^= state << 5;
  return (state >>> 0) % count;
};

// Memory of all processes of the browser that draw pages, in MiB.
function memory(browser) {
  let sum = 0;
  for (const id of fs.readdirSync("/proc").filter((name) => /^[0-9]+$/.test(name))) {
    try {
      const stat = fs.readFileSync(`/proc/${id}/stat`, "utf8");
      const group = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[2]);
      if (group !== browser.process.pid || !fs.readFileSync(`/proc/${id}/cmdline`, "utf8").includes("--type=renderer")) continue;
      sum += Number(/VmRSS:\s+([0-9]+)/.exec(fs.readFileSync(`/proc/${id}/status`, "utf8"))?.[1] ?? 0);
    } catch { /* it has ended */ }
  }
  return Math.round(sum / 1024);
}

async function soak(browser, address) {
  await browser.open(`${address}app.html`);
  const { views, lessons } = JSON.parse(await browser.eval(`ropescope.ask("lists")`));
  const follow = (link) => browser.eval(`(ropescope.call("page_follow", ${JSON.stringify(link)}), ropescope.wake())`);
  const works = [
    () => follow(`view=${views[below(views.length)].id}&query_position=${below(4096)}`),
    () => follow(`lesson=${lessons[below(lessons.length)].id}&step=${1 + below(4)}`),
    () => follow(`view=${views[below(views.length)].id}&head_dim=${2 + 2 * below(128)}&base=${1 + below(1 << 20)}`),
    () => browser.mouse("mouseMoved", below(1280), below(800), { button: "none" }),
    () => browser.click(below(1280), below(800)),
    () => browser.drag([below(1280), below(800)], [below(1280), below(800)]),
    () => browser.key(["ArrowLeft", "ArrowRight", "PageUp", "PageDown", "Escape", " ", "Home", "l", "e", "t"][below(10)]),
    () => browser.resize(200 + below(1200), 150 + below(900)),
  ];
  // Positions may be played, which never rests.
  const rest = browser.rest.bind(browser);
  browser.rest = () => sleep(350);
  let actions = 0;
  const begin = Date.now();
  for (let minute = 1; minute <= minutes; ++minute) {
    while (Date.now() < begin + 60000 * minute) {
      try {
        await works[below(20) < 10 ? below(3) : below(works.length)]();
      } catch (error) {
        if (await browser.eval("window.ropescope !== undefined")) throw error;
        await browser.open(`${address}app.html`);  // a click on a link has led to another page
      }
      await sleep(50 + below(200));
      ++actions;
    }
    // It still answers, and does not compute for ever: a lesson that is opened stops what is played.
    await follow(`lesson=${lessons[minute % lessons.length].id}`);
    await rest(300);
    const heap = await browser.eval("performance.memory.usedJSHeapSize");
    console.log(`page: minute ${minute}, ${actions} actions, ${memory(browser)} MiB, ${Math.round(heap / 2 ** 20)} of them JavaScript`);
  }
}

(async () => {
  const server = await serve(path.resolve(folder)), browser = new Chromium();
  try {
    await soak(browser, server.address);
  } catch (error) {
    console.error(await browser.eval("ropescope.ask('spoken')").catch(String));
    throw error;
  } finally {
    await browser.close();
    server.close();
  }
})().then(() => process.exit(0), (error) => { console.error(error); process.exit(1); });
