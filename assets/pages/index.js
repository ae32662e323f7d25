"use strict";
// The first page of the site: older addresses of figures lead on to the app, and lessons show how far they are.
(() => {
  const lead_on = () => {
    if (/^#[a-z_]+=/.test(location.hash)) location.replace("app.html" + location.hash);
  };
  lead_on();
  addEventListener("hashchange", lead_on);

  function show() {
    let done = {};
    try { done = JSON.parse(localStorage.getItem("ropescope lessons"))?.steps_done ?? {}; } catch { /* none is kept */ }
    for (const item of document.querySelectorAll("[data-lesson]")) {
      const steps = Number(item.dataset.steps), count = Math.min(steps, done[item.dataset.lesson] ?? 0);
      item.querySelector(".progress").textContent =
        count === 0 ? "" : count === steps ? "done" : `${count} of ${steps} steps done`;
    }
  }
  addEventListener("storage", show);
  addEventListener("pageshow", show);
  show();
})();
