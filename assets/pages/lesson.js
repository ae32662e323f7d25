"use strict";
// The tasks of a lesson: when each is done, how far its reader is, and that both stay in this browser.
(() => {
  const nav = document.querySelector("nav.steps"), lesson = nav?.dataset.lesson;
  const steps = [...document.querySelectorAll("section.step")];
  if (!nav) return;

  // The app keeps its progress under the same name and in the same form.
  const kKey = "ropescope lessons";
  function kept() {
    try { return JSON.parse(localStorage.getItem(kKey)) ?? {}; } catch { return {}; }
  }
  function keep(count) {
    const all = kept().steps_done ?? {};
    if ((all[lesson] ?? 0) >= count) return;
    try {
      localStorage.setItem(kKey, JSON.stringify({ ropescope_lessons: 1, steps_done: { ...all, [lesson]: count } }));
    } catch { /* a private window, or a page that may keep nothing */ }
  }

  const done = new Set();  // indices of steps
  function show() {
    // A step is done when it and all before it are.
    let count = 0;
    while (done.has(count)) ++count;
    keep(count);
    nav.querySelectorAll("a").forEach((link, at) => {
      link.classList.toggle("done", done.has(at));
      link.setAttribute("aria-label", `Step ${at + 1}${done.has(at) ? ", done" : ""}`);
    });
    nav.querySelector(".progress").textContent =
      count === steps.length ? "All steps are done." : `${done.size} of ${steps.length} steps done`;
  }

  function say(at, words) {
    const state = steps[at].querySelector(".state");
    if (!state) return;
    state.textContent = words;
    state.className = "state yes";
    if (at + 1 < steps.length) {
      const on = document.createElement("a");
      on.href = `#step${at + 2}`;
      on.textContent = `On to step ${at + 2}`;
      state.append(on);
    }
  }

  const now = new Set();  // indices of steps that were done since the page was opened
  function finish(at) {
    if (now.has(at)) return;
    now.add(at);
    done.add(at);
    say(at, "Done. ");
    show();
  }

  function question(root, right) {
    const verdict = root.querySelector(".verdict"), buttons = [...root.querySelectorAll(".choices button")];
    for (const button of buttons) {
      button.addEventListener("click", () => {
        buttons.forEach((each) => each.setAttribute("aria-pressed", String(each === button)));
        const yes = button.dataset.right === "yes";
        verdict.textContent = yes ? root.dataset.why : "Not this one. Think again, or open the hint.";
        verdict.className = "verdict " + (yes ? "yes" : "no");
        if (yes) right();
      });
    }
  }

  const before = kept().steps_done?.[lesson] ?? 0;
  steps.forEach((section, at) => {
    const task = section.querySelector(".task"), figure = section.querySelector("figure");
    const asked = task?.querySelector(".question");
    if (asked) question(asked, () => finish(at));
    if (task?.dataset.kind === "until") {
      figure.addEventListener("shown", ({ detail }) => { if (detail.done && detail.moved) finish(at); });
      task.querySelector(".solve").addEventListener("click", () => figure.dispatchEvent(new CustomEvent("solve")));
    } else if (task?.dataset.kind === "point") {
      figure.addEventListener("pointed", ({ detail }) => { if (detail === task.dataset.panel) finish(at); });
      task.querySelector(".look").addEventListener("click", () =>
        figure.dispatchEvent(new CustomEvent("look", { detail: task.dataset.panel })));
    } else if (!asked) {
      // Nothing is to be done here: reading to its end is enough.
      const end = section.querySelector(".words").lastElementChild;
      new IntersectionObserver((entries, watcher) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        watcher.disconnect();
        finish(at);
      }).observe(end);
    }
    if (at < before) {
      done.add(at);
      say(at, "You have done this before. ");
    }
  });
  show();
})();
