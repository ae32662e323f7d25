// Mouse, touch, wheel and keys of the canvas.
"use strict";

const Input = (() => {
  const canvas = document.getElementById("canvas");
  let ask, call, wake, at_once, embedded;
  // So small a screen scrolls as a whole (page.css).
  const tiny = matchMedia("(max-width: 480px) and (max-height: 480px)");
  const page_scrolls = () => embedded || tiny.matches;

  const ratio = () => window.devicePixelRatio || 1;
  const flags = (event) => [Number(event.ctrlKey || event.metaKey), Number(event.shiftKey)];

  function move(event) {
    const box = canvas.getBoundingClientRect();
    call("page_move", (event.clientX - box.left) * ratio(), (event.clientY - box.top) * ratio());
  }

  // Two fingers move and enlarge the plot between them, as a wheel does.
  // A turn of the wheel leaves 0.85 of the range that a plot shows (app/gui/panels/figure_input.cpp), so what lies
  // under the fingers stays under them.
  const kTurnsOfE = -1 / Math.log(0.85);
  const fingers = new Map();
  let apart = 0;
  function fingers_apart() {
    const [a, b] = [...fingers.values()];
    return Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
  }
  // A finger that moves up or down over what can be scrolled scrolls it. Any other finger is the mouse, and presses
  // where it came down: when it moves, when it is lifted, or when it stays there.
  const kSlack = 8, kHoldMs = 300;
  let finger = null;  // {start: event, mode: "waiting", "mouse" or "scroll", moved, y, timer}
  function press(event) {
    move(event);
    call("page_button", [0, 2, 1][event.button] ?? 0, 1, ...flags(event));
  }
  function release(event) {
    call("page_button", [0, 2, 1][event.button] ?? 0, 0, ...flags(event));
  }
  function press_finger() {
    clearTimeout(finger.timer);
    finger.mode = "mouse";
    press(finger.start);
    wake();
  }
  function finger_down(event) {
    finger = { start: event, mode: "waiting", y: event.clientY, timer: setTimeout(press_finger, kHoldMs) };
    move(event);
  }
  function finger_moved(event) {
    const x = Math.abs(event.clientX - finger.start.clientX), y = Math.abs(event.clientY - finger.start.clientY);
    finger.moved ||= Math.hypot(x, y) >= kSlack;
    if (finger.mode === "waiting") {
      if (!finger.moved) return;
      clearTimeout(finger.timer);
      if (y > x && call("page_scroll", 0)) finger.mode = "scroll";
      else if (y > x && page_scrolls()) return;  // the page, or that around the frame
      else press_finger();
    }
    if (finger.mode === "mouse") return move(event);
    call("page_scroll", (finger.y - event.clientY) * ratio());
    finger.y = event.clientY;
  }
  function finger_up(event) {
    if (finger.mode === "waiting") press_finger();
    if (finger.mode === "mouse") release(event);
    // A finger that has tapped still points there: what stands under a mouse can be read.
    const tapped = finger.mode === "mouse" && !finger.moved;
    forget_finger();
    if (!tapped) call("page_leave");
  }
  function forget_finger() {
    clearTimeout(finger?.timer);
    finger = null;
  }

  function pinch() {
    const [a, b] = [...fingers.values()], distance = fingers_apart();
    move({ clientX: (a.clientX + b.clientX) / 2, clientY: (a.clientY + b.clientY) / 2 });
    if (Math.abs(Math.log(distance / apart)) > 0.02) {
      call("page_wheel", 0, Math.log(distance / apart) * kTurnsOfE, 1, 0);
      apart = distance;
    }
  }

  function start(asking, calling, waking, drawing, in_a_frame) {
    ask = asking;
    call = calling;
    wake = waking;
    at_once = drawing;
    embedded = in_a_frame;
    const on = (name, then) => canvas.addEventListener(name, (event) => { then(event); wake(); }, { passive: false });
    on("pointerdown", (event) => {
      event.preventDefault();
      canvas.focus({ preventScroll: true });
      canvas.setPointerCapture(event.pointerId);
      if (event.pointerType !== "touch") return press(event);
      fingers.set(event.pointerId, event);
      if (fingers.size === 1) return finger_down(event);
      if (finger?.mode === "mouse") release(event);
      forget_finger();
      apart = fingers.size === 2 ? fingers_apart() : 0;
    });
    on("pointermove", (event) => {
      if (event.pointerType !== "touch") return move(event);
      if (!fingers.has(event.pointerId)) return;
      fingers.set(event.pointerId, event);
      if (fingers.size === 2) pinch();
      else if (finger) finger_moved(event);
    });
    const up = (event) => {
      if (event.pointerType !== "touch") return release(event);
      fingers.delete(event.pointerId);
      finger ? finger_up(event) : call("page_leave");
      at_once();
    };
    on("pointerup", up);
    // The browser has taken the finger, to scroll the page around a frame: nothing was tapped.
    on("pointercancel", (event) => {
      fingers.delete(event.pointerId);
      if (event.pointerType !== "touch" || finger?.mode === "mouse") release(event);
      forget_finger();
      call("page_leave");
    });
    on("pointerleave", (event) => { if (event.buttons === 0 && event.pointerType !== "touch") call("page_leave"); });
    on("contextmenu", (event) => event.preventDefault());
    // A frame in another page does not stop that page from scrolling.
    if (embedded) canvas.style.touchAction = "pan-y";
    on("wheel", (event) => {
      if (page_scrolls() && !event.ctrlKey) return;
      const lines = event.deltaMode === 1 ? 3 : event.deltaMode === 2 ? 1 : 100;
      call("page_wheel", -event.deltaX / lines, -event.deltaY / lines, ...flags(event));
      event.preventDefault();
    });
    on("keydown", (event) => key(event, 1));
    on("keyup", (event) => key(event, 0));
    on("blur", (event) => { if (event.relatedTarget !== typing) call("page_leave"); });
    document.addEventListener("paste", (event) => {
      const text = event.clipboardData?.getData("text") ?? "";
      if (![canvas, typing].includes(document.activeElement) || !text) return;
      event.preventDefault();
      call("page_text", text);
      wake();
    });
    start_typing();
  }

  // While a text field of the window is open, a field of the page that nobody sees has the focus: keyboards of a screen,
  // input methods and dead keys write into it, and what they write goes on to the window.
  const typing = document.getElementById("typing");
  const kKept = "\u200b";  // keyboards tell of nothing to erase in a field that is empty
  let composed = "";

  function press_key(name) {
    for (const down of [1, 0]) call("page_key", name, name, down, 0, 0, 0);
  }

  // An input method changes what it has written until it is done: the window gets the difference.
  function compose(text) {
    const before = [...composed], after = [...text];
    let same = 0;
    while (same < before.length && before[same] === after[same]) ++same;
    for (let i = same; i < before.length; ++i) press_key("Backspace");
    if (after.length > same) call("page_text", after.slice(same).join(""));
    composed = text;
  }

  function written(event) {
    if (event.inputType === "insertCompositionText") return compose(event.data ?? "");
    if (event.isComposing) return;
    event.preventDefault();
    if (event.inputType.startsWith("delete")) press_key("Backspace");
    else if (event.inputType === "insertLineBreak") press_key("Enter");
    else if (event.data) call("page_text", event.data);
  }

  function start_typing() {
    const on = (name, then) => typing.addEventListener(name, (event) => { then(event); wake(); });
    on("keydown", (event) => { if (!event.isComposing && event.keyCode !== 229) key(event, 1); });
    on("keyup", (event) => { if (!event.isComposing && event.keyCode !== 229) key(event, 0); });
    on("beforeinput", written);
    on("compositionend", (event) => {
      compose(event.data ?? "");
      composed = "";
      typing.value = kKept;
    });
  }

  // After each frame: the field has the focus as long as one of the window is open. Else it is not there for anybody.
  function follow_typing() {
    const open = ask("typing") === "1";
    if (open && document.activeElement === canvas) {
      typing.inert = false;
      typing.value = kKept;
      typing.focus({ preventScroll: true });
    } else if (!open && document.activeElement === typing) {
      canvas.focus({ preventScroll: true });
    }
    typing.inert = document.activeElement !== typing;
  }

  // Keys that stay the browser's: reload, tabs, the address, tools; in another page all but those that move.
  function is_browsers(event) {
    if (embedded && !/^(Arrow\w+|Page\w+|Home|End| |Escape)$/.test(event.key)) return true;
    const control = event.ctrlKey || event.metaKey;
    return event.altKey || event.key === "F5" || event.key === "F12" ||
      (control && ["r", "w", "t", "n", "l", "p", "q", "v", "Tab"].includes(event.key)) ||
      (control && event.shiftKey && ["I", "J", "R", "T", "N", "P"].includes(event.key));
  }

  // Tab goes through the window's own controls, and leaves the canvas behind the last one and before the first.
  function key(event, down) {
    if (is_browsers(event)) return;
    if (event.key === "Tab" && ask(event.shiftKey ? "Shift + Tab leaves" : "Tab leaves")) return;
    const known = call("page_key", event.code, event.key, down, ...flags(event), Number(event.repeat));
    const written = [...event.key].length === 1 && !event.ctrlKey && !event.metaKey;
    if (down && written) call("page_text", event.key);
    if (known || written) event.preventDefault();
  }

  return { start, ratio, follow_typing };
})();
