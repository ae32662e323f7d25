// Mouse, touch, wheel and keys of the canvas.
"use strict";

const Input = (() => {
  const canvas = document.getElementById("canvas");
  let call, wake, leaving = false;

  const ratio = () => window.devicePixelRatio || 1;
  const flags = (event) => [Number(event.ctrlKey || event.metaKey), Number(event.shiftKey)];

  function move(event) {
    const box = canvas.getBoundingClientRect();
    call("page_move", (event.clientX - box.left) * ratio(), (event.clientY - box.top) * ratio());
  }

  // Two fingers move and enlarge the plot between them, as a wheel does.
  // A turn of the wheel leaves 0.85 of the range that a plot shows (app/gui/panels/figure_mouse.cpp), so what lies
  // under the fingers stays under them.
  const kTurnsOfE = -1 / Math.log(0.85);
  const fingers = new Map();
  let apart = 0;
  function fingers_apart() {
    const [a, b] = [...fingers.values()];
    return Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
  }
  function pinch() {
    const [a, b] = [...fingers.values()], distance = fingers_apart();
    move({ clientX: (a.clientX + b.clientX) / 2, clientY: (a.clientY + b.clientY) / 2 });
    if (Math.abs(Math.log(distance / apart)) > 0.02) {
      call("page_wheel", 0, Math.log(distance / apart) * kTurnsOfE, 1, 0);
      apart = distance;
    }
  }

  function start(calling, waking) {
    call = calling;
    wake = waking;
    const on = (name, then) => canvas.addEventListener(name, (event) => { then(event); wake(); }, { passive: false });
    on("pointerdown", (event) => {
      if (event.pointerType === "touch") {
        fingers.set(event.pointerId, event);
        if (fingers.size === 2) {
          apart = fingers_apart();
          call("page_button", 0, 0, 0, 0);
          return;
        }
      }
      canvas.focus({ preventScroll: true });
      canvas.setPointerCapture(event.pointerId);
      move(event);
      call("page_button", [0, 2, 1][event.button] ?? 0, 1, ...flags(event));
      event.preventDefault();
    });
    on("pointermove", (event) => {
      if (fingers.has(event.pointerId)) fingers.set(event.pointerId, event);
      fingers.size === 2 ? pinch() : move(event);
    });
    const up = (event) => {
      fingers.delete(event.pointerId);
      call("page_button", [0, 2, 1][event.button] ?? 0, 0, ...flags(event));
      if (event.pointerType === "touch") call("page_leave");
    };
    on("pointerup", up);
    on("pointercancel", up);
    on("pointerleave", (event) => { if (event.buttons === 0) call("page_leave"); });
    on("contextmenu", (event) => event.preventDefault());
    on("wheel", (event) => {
      const lines = event.deltaMode === 1 ? 3 : event.deltaMode === 2 ? 1 : 100;
      call("page_wheel", -event.deltaX / lines, -event.deltaY / lines, ...flags(event));
      event.preventDefault();
    });
    on("keydown", (event) => key(event, 1));
    on("keyup", (event) => key(event, 0));
    on("blur", () => call("page_leave"));
    document.addEventListener("paste", (event) => {
      const text = event.clipboardData?.getData("text") ?? "";
      if (document.activeElement === canvas && text) { call("page_text", text); wake(); }
    });
  }

  // Keys that stay the browser's: reload, tabs, the address, tools.
  function is_browsers(event) {
    const control = event.ctrlKey || event.metaKey;
    return event.altKey || event.key === "F5" || event.key === "F12" ||
      (control && ["r", "w", "t", "n", "l", "p", "q", "v", "Tab"].includes(event.key)) ||
      (control && event.shiftKey && ["I", "J", "R", "T", "N", "P"].includes(event.key));
  }

  // Tab goes through the window's own controls. After Escape it leaves the canvas, so that nobody is caught.
  function key(event, down) {
    if (is_browsers(event) || (event.key === "Tab" && leaving)) return;
    if (down) leaving = event.key === "Escape";
    const known = call("page_key", event.code, event.key, down, ...flags(event), Number(event.repeat));
    const written = [...event.key].length === 1 && !event.ctrlKey && !event.metaKey;
    if (down && written) call("page_text", event.key);
    if (known || written) event.preventDefault();
  }

  return { start, ratio };
})();
