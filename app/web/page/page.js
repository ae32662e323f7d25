// Starts the program and runs its frames: one when it asks for it or when something happens, none else.
"use strict";

(() => {
  const canvas = document.getElementById("canvas");
  if (typeof WebAssembly !== "object" || !document.createElement("canvas").getContext("webgl2")) {
    Start.say("ropescope draws with WebGL 2, which this browser does not offer. A current Firefox, Chrome, Edge or " +
      "Safari does; where it is one, graphics acceleration may be switched off in its settings.");
    return;
  }

  // Compiles while it comes, and tells how much has come. The size is that of the unpacked file.
  async function compiled_from(url) {
    const response = await fetch(url);
    if (!response.ok) {
      throw Object.assign(new Error(`${url}: ${response.status} ${response.statusText}`), { status: response.status });
    }
    const whole = Number(document.documentElement.dataset.wasmBytes);
    let bytes = 0;
    const counted = new TransformStream({ transform(part, to) {
      bytes += part.length;
      if (whole > 0) Start.progress(Math.min(1, bytes / whole));
      to.enqueue(part);
    } });
    return WebAssembly.compileStreaming(new Response(response.body.pipeThrough(counted),
      { headers: { "Content-Type": "application/wasm" } }));
  }

  // WebKit of 2025 and 2026 loses its memory at the first exception in the older form (Out of bounds memory access), and
  // browsers before 2025 do not know the newer one. So the program comes in both: this is the smallest module with a
  // try_table, of a function that does nothing in it.
  const kTryTable = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0,
    10, 8, 1, 6, 0, 0x1f, 0x40, 0, 0x0b, 0x0b);
  const program = () => (WebAssembly.validate(kTryTable) ? "ropescope.wasm" : "ropescope-older.wasm");

  const types = { page_open: ["string", "string"], page_frame: ["number"], page_answer: ["string"],
    page_resize: ["number", "number", "number"], page_move: ["number", "number"], page_leave: [],
    page_button: ["number", "number", "number", "number"], page_wheel: ["number", "number", "number", "number"],
    page_key: ["string", "string", "number", "number", "number", "number"], page_text: ["string"],
    page_file: ["string"], page_join: ["string"], page_follow: ["string"], page_scroll: ["number"],
    page_set: ["string", "string"], page_act: ["string"],
    page_work_progress: ["number", "number"], page_work_result: ["string", "number", "string"],
    page_work_refused: ["number", "string"], page_work_failed: ["string", "number", "string"] };
  const texts = new Set(["page_open", "page_answer"]);

  // The version of the files is in their addresses, so that a browser's cache never mixes two.
  const versioned = document.documentElement.dataset.version ? `?v=${document.documentElement.dataset.version}` : "";

  async function main() {
    const embedded = /(?:^|[#&])embed=1(?:&|$)/.test(location.hash);
    // A frame that nobody has scrolled to yet takes neither memory nor one of the browser's few drawing contexts.
    if (embedded) await Seen.first(canvas);
    const compiled = await compiled_from(`${program()}${versioned}`);
    const module = await start_module(compiled);
    const call = (name, ...values) => module.ccall(name, texts.has(name) ? "string" : "number", types[name], values);
    const ask = (question) => call("page_answer", question);
    const narrow = matchMedia("(max-width: 700px), (max-height: 480px)");
    let due = 0, timer = 0, last = performance.now(), shown = "", drawn = 0;

    function wake() {
      clearTimeout(timer);
      timer = 0;
      if (Context.lost() || !Seen.now()) return;
      due = due || requestAnimationFrame(frame);
    }

    function fit() {
      const box = canvas.getBoundingClientRect(), ratio = Input.ratio();
      const width = Math.max(1, Math.round(box.width * ratio)), height = Math.max(1, Math.round(box.height * ratio));
      if (canvas.width !== width || canvas.height !== height || canvas.dataset.ratio !== String(ratio)) {
        canvas.width = width;
        canvas.height = height;
        canvas.dataset.ratio = ratio;
        call("page_resize", width, height, ratio);
      }
      // On a small screen the lesson, the title and the controls stand beside the figure as words, until they are closed.
      const shape = !narrow.matches ? "wide" : document.body.classList.contains("open") ? "narrow" : "alone";
      if (canvas.dataset.shape !== shape) call("page_act", canvas.dataset.shape = shape);
    }
    const arrange = () => Words.open_drawer(narrow.matches && !embedded);

    // The address leads to what is shown: a new entry of the history for each view and each lesson. Browsers take few
    // changes (WebKit a hundred in ten seconds) and throw at the next, so that a slider that moves changes it at most
    // every 300 ms.
    const kAddressMs = 300;
    let told = -Infinity, telling = 0;
    function tell_address(link) {
      clearTimeout(telling);
      telling = 0;
      told = performance.now();
      const address = `#${link}${embedded ? "&embed=1" : ""}`;
      try {
        shown && place(link) !== place(shown) ? history.pushState(null, "", address) : history.replaceState(null, "", address);
        shown = link;
      } catch {
        telling = setTimeout(() => { telling = 0; show_address(); }, 10 * kAddressMs);  // it has had enough for now
      }
    }
    const place = (text) => text.match(/(?:^|&)(?:view|lesson|step)=[^&]*/g)?.join();
    function show_address() {
      const link = ask("link");
      if (link === shown) return;
      const wait = told + kAddressMs - performance.now();
      if (wait <= 0 || (shown && place(link) !== place(shown))) return tell_address(link);
      telling = telling || setTimeout(() => tell_address(ask("link")), wait);
    }

    function frame(now) {
      due = 0;
      fit();
      const wait = call("page_frame", (now - last) / 1000);
      last = now;
      canvas.style.cursor = ask("cursor");
      document.documentElement.dataset.theme = ask("theme");
      Files.give();
      if (ask("wanted file")) Files.choose();
      Words.perform(ask("asked of page"));
      Beside.follow(ask("requests"));
      show_address();
      speak();
      fetch_missing();
      follow_full_screen();
      Input.follow_typing();
      canvas.dataset.frames = ++drawn;
      if (wait === 0) {
        wake();
      } else if (wait > 0) {
        timer = setTimeout(wake, wait * 1000);
      }
    }

    // Words are not watched: they follow after the frame, at most ten times a second.
    let spoken = -Infinity, speaking = 0;
    function speak() {
      speaking = speaking || setTimeout(() => {
        speaking = 0;
        spoken = performance.now();
        Words.show(ask("spoken"));
      }, Math.max(0, spoken + 100 - performance.now()));
    }

    // The weights of the trained models come when a figure or a check needs them.
    async function fetch_missing() {
      const names = ask("missing files").split("\n").filter((name) => name);
      if (names.length === 0) return;
      try {
        for (const name of names) {
          const response = await fetch(name);
          if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
          Files.put(`/${name}`, new Uint8Array(await response.arrayBuffer()));
        }
        call("page_act", "files came");
      } catch (error) {
        call("page_act", `refused The weights of the trained model could not be fetched: ${error.message}. ` +
          (navigator.onLine ? "Load the page again." : "There is no connection; choose the figure again when there is one."));
      }
      wake();
    }

    // Nothing of a dropped file stays when a page is loaded again, and a link does not carry it.
    function say_gone() {
      const names = Files.gone_of(location.hash).map((name) => `'${name}'`);
      if (names.length === 0) return;
      call("page_act", names.length === 1 ? `refused ${names[0]} was a file that you dropped; drop it again.` :
        `refused ${names.join(" and ")} were files that you dropped; drop them again.`);
    }

    let full = false;
    function follow_full_screen() {
      const wanted = ask("full screen") === "1";
      if (wanted === full) return;
      full = wanted;
      wanted ? document.documentElement.requestFullscreen?.().catch(() => {}) : document.exitFullscreen?.().catch(() => {});
    }

    document.body.classList.toggle("embed", embedded);
    arrange();
    fit_before_opening();
    Files.start(module, ask, call, wake);
    Beside.start(compiled, call, wake);
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const refused = call("page_open", location.hash.slice(1), dark.matches ? "dark" : "light");
    if (refused) return Start.say(`ropescope cannot draw here: ${refused}.`);
    dark.addEventListener("change", () => { call("page_act", `usual theme ${dark.matches ? "dark" : "light"}`); wake(); });
    Context.start(canvas, embedded, () => { call("page_act", "surface came back"); wake(); });
    Seen.watch(canvas, wake);
    // A keyboard of the screen opens only for a field that gets the focus while the finger's event is handled.
    const at_once = () => { for (let i = 0; i < 2; ++i) frame(performance.now()); };
    Input.start(ask, call, wake, at_once, embedded);
    Words.start(ask, call, wake, embedded);
    narrow.addEventListener("change", () => { arrange(); wake(); });
    say_gone();
    if (JSON.parse(ask("spoken")).error) shown = ask("link");  // an address with a mistake stays, to be corrected
    const follow = () => {
      if (location.hash.slice(1) === shown) return;
      clearTimeout(telling);
      telling = 0;
      const followed = call("page_follow", location.hash.slice(1));
      shown = followed ? "" : ask("link");
      say_gone();
      wake();
    };
    addEventListener("popstate", follow);
    addEventListener("hashchange", follow);
    addEventListener("resize", wake);
    new ResizeObserver(wake).observe(canvas);
    // The device's ratio changes with zoom and when the window goes to another screen.
    (function watch() {
      matchMedia(`(resolution: ${Input.ratio()}dppx)`).addEventListener("change", () => { wake(); watch(); }, { once: true });
    })();
    frame(performance.now());
    Start.over();
    performance.mark("first picture");
    if (!embedded) canvas.focus({ preventScroll: true });  // the page around a frame keeps its focus
    if (!embedded) keep_for_later();
    window.ropescope = { ask, call, wake };  // for tests, and for who embeds the page

    // Without a connection the page comes from what this browser has kept.
    async function keep_for_later() {
      try {
        await navigator.serviceWorker?.register(`service.js${versioned}`);
        const { active } = (await navigator.serviceWorker?.ready) ?? {};
        const loaded = performance.getEntriesByType("resource").map(({ name }) => name)
          .filter((name) => name.startsWith(location.origin));
        active?.postMessage({ keep: [location.href.split("#")[0], new URL(`worker.js${versioned}`, location.href).href, ...loaded] });
      } catch { /* a browser that keeps nothing, or a page without https */ }
    }

    function fit_before_opening() {
      const box = canvas.getBoundingClientRect();
      canvas.width = Math.max(1, Math.round(box.width * Input.ratio()));
      canvas.height = Math.max(1, Math.round(box.height * Input.ratio()));
    }
  }

  main().catch((error) => Start.say(Start.why(error), Start.again));
})();
