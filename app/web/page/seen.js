// Whether the canvas is seen, and whether its drawing context is there. A browser has about sixteen contexts; a page with
// more frames loses the oldest.
"use strict";

const Seen = (() => {
  let seen = true, wake = () => {};

  // Resolves when the element has been seen.
  const first = (element) => new Promise((resolve) => {
    new IntersectionObserver((entries, watcher) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      watcher.disconnect();
      resolve();
    }).observe(element);
  });

  function watch(element, waking) {
    wake = waking;
    new IntersectionObserver((entries) => {
      seen = entries.at(-1).isIntersecting;
      if (!seen) return Context.left();
      if (!Context.back()) wake();
    }).observe(element);
  }

  return { first, watch, now: () => seen };
})();

const Context = (() => {
  let gone = false, was_left = false, in_frame = false;
  // The address holds the scene, so that a new start leads back to it.
  const restart = () => location.reload();

  // `again`: draws with what the browser gives in the place of what it took.
  function start(canvas, embedded, again) {
    in_frame = embedded;
    canvas.addEventListener("webglcontextrestored", () => {
      gone = false;
      Start.over();
      again();
    });
    canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault();
      gone = true;
      was_left = !Seen.now();
      Start.say("The browser has taken back what this figure is drawn with, as it does when many pages draw or the graphics " +
        "driver starts anew.", { name: "Draw the figure again", act: restart });
    });
  }

  // A frame of an article that was scrolled away and has come back draws itself anew, without a question.
  function left() { was_left = true; }
  function back() {
    if (!gone) return false;
    if (in_frame && was_left) restart();
    return true;
  }

  return { start, left, back, lost: () => gone };
})();
