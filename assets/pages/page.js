"use strict";
// Draws the films of this page: frames with sliders and lists, play, values under the pointer, the report.
// A film lies in the page, or in a script of its own that is loaded when its figure comes near.
(() => {
  const narrow = matchMedia("(max-width: 640px)");
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const films = new Map();    // by name: a promise of its data
  const waiting = new Map();  // by name: what a script that is on its way gives its text to

  async function unpacked(text) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  }

  window.ropescope_film = (name, text) => waiting.get(name)?.(text);

  // A script, since a page that was opened as a file may load scripts and nothing else.
  const loaded = (name, source) => new Promise((resolve, reject) => {
    waiting.set(name, resolve);
    const script = document.createElement("script");
    script.src = source;
    script.onerror = () => reject(new Error(source));
    document.head.append(script);
  });

  function data_of(name, source) {
    const here = document.getElementById(`data-${name}`);
    if (!films.has(name)) {
      films.set(name, (here ? Promise.resolve(here.textContent) : loaded(name, source)).then(unpacked));
    }
    return films.get(name);
  }

  function film(root) {
    const box = root.querySelector(".film"), caption = root.querySelector("figcaption");
    const readout = root.querySelector(".readout"), report = root.querySelector("pre");
    const heard = root.querySelector(".heard"), play = root.querySelector(".play");
    const controls = [...root.querySelectorAll(".controls")].map((row) => ({
      field: row.querySelector("input,select"), value: row.querySelector(".value"),
      less: row.querySelector(".less"), more: row.querySelector(".more"), labels: row.dataset.labels.split("|") }));
    let data, timer = 0, panel = 0, sample = null, speaking = 0, moved = false;

    const frame = () => controls.reduceRight((sum, { field, labels }) => sum * labels.length + Number(field.value), 0);
    const now = () => data.frames[frame()];
    const format = () => (narrow.matches ? 1 : 0);

    function draw() {
      for (const { field, value, labels, less, more } of controls) {
        const at = Number(field.value);
        if (field.type === "range") field.setAttribute("aria-valuetext", labels[at]);
        if (value) value.textContent = labels[at];
        less?.toggleAttribute("disabled", at === 0);
        more?.toggleAttribute("disabled", at === labels.length - 1);
      }
      if (!data) return;
      const of = now(), [w, h] = data.sizes[format()];
      box.innerHTML = `<svg viewBox="0 0 ${w} ${h}" aria-hidden="true">` +
        of.formats[format()].parts.map((i) => data.parts[i]).join("") + "</svg>";
      box.setAttribute("aria-label", `Figure: ${of.title}. ${of.about}`);
      const title = document.createElement("b");
      title.textContent = `${of.title}. `;
      caption.replaceChildren(title, of.about);
      report.textContent = of.lines.map((i) => data.texts[i]).join("\n");
      if (sample !== null) say();
      root.dispatchEvent(new CustomEvent("shown", { detail: { done: of.done === true, moved } }));
      if (moved) hear(of.title);
    }

    // A screen reader hears the title of a figure that has stayed for a moment.
    function hear(title) {
      clearTimeout(speaking);
      speaking = setTimeout(() => { heard.textContent = title; }, 700);
    }

    // The values at the sample of the panel, as text. Keys reach those of panels that a phone does not show, too.
    function say() {
      const [name, grid, id] = now().values[panel] || [];
      readout.textContent = "";
      root.dispatchEvent(new CustomEvent("pointed", { detail: id }));
      if (!grid) return;
      const [columns, rows, texts] = grid;
      const column = Math.min(columns - 1, Math.floor(sample[0] * columns));
      const row = Math.min(rows - 1, Math.floor(sample[1] * rows));
      const text = data.texts[texts[row * columns + column]];
      for (const line of (text ? text.split("\n") : [])) {
        const [what, number] = line.split("\t");
        const item = document.createElement("span"), label = document.createElement("b");
        label.textContent = what + " ";
        item.append(label, number || "");
        readout.append(item, " ");
      }
      readout.dataset.panel = name;
    }

    function put(control, at) {
      control.field.value = Math.max(0, Math.min(control.labels.length - 1, at));
      moved = true;
      draw();
    }

    function stop() {
      clearInterval(timer);
      timer = 0;
      if (!play) return;
      play.textContent = "Play";
      play.setAttribute("aria-pressed", "false");
    }

    function point(event) {
      if (!data) return;
      const [w, h] = data.sizes[format()], r = box.getBoundingClientRect();
      const x = (event.clientX - r.left) / r.width * w, y = (event.clientY - r.top) / r.height * h;
      const places = now().formats[format()].places;
      const under = places.findIndex(([px, py, pw, ph]) =>
        x >= px && x < px + pw && y >= py && y < py + ph);
      if (under < 0) return;
      const [px, py, pw, ph, x0, x1, y0, y1] = places[under];
      const inside = (share) => Math.max(0, Math.min(0.999, share));
      panel = under;
      // From the bottom up, as the axis counts; samples count from the top.
      sample = [inside(x0 + (x - px) / pw * (x1 - x0)),
                inside(1 - (y0 + (1 - (y - py) / ph) * (y1 - y0)))];
      say();
    }
    box.addEventListener("pointermove", point);
    box.addEventListener("pointerdown", point);

    // The figure has the focus: the arrows move through its values, page up and down to another panel.
    box.addEventListener("keydown", (event) => {
      const move = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[event.key];
      const other = {PageUp: -1, PageDown: 1}[event.key];
      if (!data || (!move && !other)) return;
      event.preventDefault();
      const values = now().values, count = values.length;
      if (other) {
        for (let i = 0; i < count; ++i) {
          panel = (panel + other + count) % count;
          if (values[panel][1]) break;
        }
        sample = [0, 0];
      } else {
        if (sample === null || !values[panel][1]) {
          panel = Math.max(0, values.findIndex(([, grid]) => grid));
          sample = [0, 0];
        } else {
          const [columns, rows] = values[panel][1];
          const step = (at, by, n) => (Math.max(0, Math.min(n - 1, Math.floor(at * n) + by)) + 0.5) / n;
          sample = [step(sample[0], move[0], columns), step(sample[1], move[1], rows)];
        }
      }
      say();
    });

    for (const control of controls) {
      control.field.addEventListener("input", () => { stop(); moved = true; draw(); });
      control.less?.addEventListener("click", () => put(control, Number(control.field.value) - 1));
      control.more?.addEventListener("click", () => put(control, Number(control.field.value) + 1));
    }
    if (play) {
      const [only] = controls, last = only.labels.length - 1;
      play.addEventListener("click", () => {
        if (timer) return stop();
        play.textContent = "Stop";
        play.setAttribute("aria-pressed", "true");
        if (Number(only.field.value) === last) only.field.value = -1;
        timer = setInterval(() => {
          if (Number(only.field.value) >= last) return stop();
          put(only, Number(only.field.value) + 1);
        }, still.matches ? 1000 : 200);
      });
    }
    root.addEventListener("solve", async () => {
      if (!data) await load();
      if (!data) return;  // the figure would say otherwise than the slider
      let rest = Number(root.dataset.solved);
      for (const { field, labels } of controls) {
        field.value = rest % labels.length;
        rest = Math.floor(rest / labels.length);
      }
      moved = true;
      draw();
    });
    root.addEventListener("look", async ({ detail }) => {
      if (!data) await load();
      const at = data ? now().values.findIndex(([, , id]) => id === detail) : -1;
      if (at < 0) return;
      panel = at;
      sample = [0.5, 0.5];
      say();
    });
    narrow.addEventListener("change", draw);

    async function load() {
      try {
        data = await data_of(root.dataset.film, root.dataset.source);
        draw();
      } catch {
        films.delete(root.dataset.film);
        readout.textContent = "This figure could not be loaded, so that it does not move. ";
        const again = document.createElement("button");
        again.type = "button";
        again.textContent = "Load it again";
        again.addEventListener("click", () => { readout.textContent = ""; load(); });
        readout.append(again);
      }
    }
    draw();
    if (!root.dataset.source) return load();
    const near = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      near.disconnect();
      load();
    }, { rootMargin: "100% 0px" });
    near.observe(box);  // on a phone the figure itself has no box
  }

  document.querySelectorAll("figure[data-film]").forEach(film);
})();
