"use strict";
// Draws the films of this page: frames with a slider, play, values under the pointer, the report.
(() => {
  const narrow = matchMedia("(max-width: 640px)");
  const still = matchMedia("(prefers-reduced-motion: reduce)");

  async function unpacked(text) {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  }

  async function film(root) {
    const data = await unpacked(root.querySelector(".data").textContent);
    const box = root.querySelector(".film");
    const slider = root.querySelector("input[type=range]");
    const value = root.querySelector(".value");
    const play = root.querySelector(".play");
    const toggle = root.querySelector(".toggle");
    const caption = root.querySelector("figcaption");
    const readout = root.querySelector(".readout");
    const report = root.querySelector("pre");
    let frame = 0, timer = 0, panel = 0, sample = null;

    const now = () => data.frames[frame];
    const format = () => (narrow.matches ? 1 : 0);

    function draw() {
      const of = now(), [w, h] = data.sizes[format()];
      box.innerHTML = `<svg viewBox="0 0 ${w} ${h}" aria-hidden="true">` +
        of.formats[format()].parts.map((i) => data.parts[i]).join("") + "</svg>";
      box.setAttribute("aria-label", `Figure: ${of.title}. ${of.about}`);
      caption.textContent = `${of.title}. ${of.about}`;
      report.textContent = of.lines.map((i) => data.texts[i]).join("\n");
      if (slider) {
        slider.value = frame;
        slider.setAttribute("aria-valuetext", of.label);
      }
      if (value) value.textContent = of.label;
      if (sample !== null) say();
    }

    // The values at the sample of the panel, as text.
    function say() {
      const [name, grid] = now().values[panel] || [];
      readout.textContent = "";
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

    function show(next) {
      frame = Math.max(0, Math.min(data.frames.length - 1, next));
      draw();
    }

    function stop() {
      clearInterval(timer);
      timer = 0;
      if (play) {
        play.textContent = "Play";
        play.setAttribute("aria-pressed", "false");
      }
    }

    box.addEventListener("pointermove", (event) => {
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
    });

    // The figure has the focus: the arrows move through its values, page up and down to another panel.
    box.addEventListener("keydown", (event) => {
      const move = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]}[event.key];
      const other = {PageUp: -1, PageDown: 1}[event.key];
      if (!move && !other) return;
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

    if (slider) slider.addEventListener("input", () => { stop(); show(Number(slider.value)); });
    if (play) {
      play.addEventListener("click", () => {
        if (timer) return stop();
        play.textContent = "Stop";
        play.setAttribute("aria-pressed", "true");
        if (frame === data.frames.length - 1) frame = -1;
        timer = setInterval(() => {
          if (frame + 1 >= data.frames.length) return stop();
          show(frame + 1);
        }, still.matches ? 1000 : 200);
      });
    }
    if (toggle) {
      toggle.addEventListener("click", () => {
        show(frame === 0 ? 1 : 0);
        toggle.setAttribute("aria-pressed", String(frame === 1));
        toggle.textContent = frame === 1 ? "Back to the beginning" : "Show it done";
      });
    }
    narrow.addEventListener("change", draw);
    draw();
  }

  function question(root) {
    const verdict = root.querySelector(".verdict");
    root.querySelectorAll("button").forEach((button) => {
      button.addEventListener("click", () => {
        root.querySelectorAll("button").forEach((b) => b.setAttribute("aria-pressed", String(b === button)));
        const right = button.dataset.right === "yes";
        verdict.textContent = right ? root.dataset.why : "Not this one. Think again, or open the hint.";
        verdict.className = "verdict " + (right ? "yes" : "no");
      });
    });
  }

  document.querySelectorAll("figure").forEach(film);
  document.querySelectorAll(".question").forEach(question);
})();
