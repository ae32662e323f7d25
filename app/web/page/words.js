// The figure in words and plain controls, kept current for a screen reader; the drawer of a small screen.
"use strict";

const Words = (() => {
  const of = (id) => document.getElementById(id);
  const kPlaces = 1000;
  let call, wake, shape = "";

  function start(calling, waking) {
    call = calling;
    wake = waking;
    of("view").addEventListener("change", () => set("view", of("view").value));
    of("lessons").addEventListener("change", () => {
      const id = of("lessons").value;
      id ? call("page_follow", `lesson=${id}`) : call("page_act", "leave");
      open_drawer(false);  // the lesson lies below the figure
      wake();
    });
    of("drawer").addEventListener("click", () => open_drawer(!document.body.classList.contains("open")));
    of("copy-link").addEventListener("click", () => navigator.clipboard?.writeText(location.href)
      .then(() => { of("notice").textContent = "copied the link"; }, () => {}));
    of("copy-picture").addEventListener("click", () => { call("page_act", "copy picture"); wake(); });
  }

  function open_drawer(open) {
    document.body.classList.toggle("open", open);
    of("drawer").setAttribute("aria-expanded", open);
    of("drawer").textContent = open ? "Close" : "Controls";
  }

  function set(name, value) {
    call("page_set", name, String(value));
    wake();
  }

  function element(tag, properties, ...children) {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  }

  function made(control) {
    const id = `control-${control.name}`;
    const label = element("label", { htmlFor: id },
      control.label + (control.unit ? ` (${control.unit})` : ""));
    const help = element("p", { id: `${id}-help`, className: "help" }, control.help);
    let fields;
    if (control.choices) {
      const field = element("select", { id }, ...control.choices.map((each) => element("option", { value: each }, each)));
      field.addEventListener("change", () => set(control.name, field.value));
      fields = [field];
    } else if ("min" in control) {
      // A logarithmic slider moves by its place, as the window's own does; the field beside it has the number.
      const by_place = "place" in control;
      const field = element("input", by_place ? { id, type: "range", min: 0, max: kPlaces, step: 1 } :
        { id, type: "range", min: control.min, max: control.max, step: control.step || "any" });
      const number = element("input", { id: `${id}-number`, className: "number", type: "text", inputMode: "decimal" });
      number.setAttribute("aria-label", `${control.label}, typed`);
      field.addEventListener("input", () => {
        if (!by_place) return set(control.name, field.value);
        call("page_act", `slide ${control.name} ${field.value / kPlaces}`);
        wake();
      });
      number.addEventListener("change", () => set(control.name, number.value));
      fields = [field, number];
    } else {
      const field = element("input", { id, type: "text" });
      field.addEventListener("change", () => set(control.name, field.value));
      fields = [field];
    }
    fields[0].setAttribute("aria-describedby", help.id);
    return element("div", { className: "control" }, label,
      element("div", { className: "pair" }, ...fields), help);
  }

  function show_lesson(lesson) {
    of("lesson").hidden = !lesson;
    if (!lesson) return;
    const buttons = [["Back", "back"], ["Hint", "hint"], ["Next", "next"], ["Leave the lesson", "leave"]];
    of("lesson").replaceChildren(
      element("h2", {}, `${lesson.title}: step ${lesson.step} of ${lesson.steps}`),
      element("h3", {}, lesson.heading), element("p", {}, lesson.text), element("p", {}, lesson.task || lesson.asks),
      ...lesson.choices.map((choice, at) => {
        const button = element("button", { type: "button" }, choice);
        button.addEventListener("click", () => { call("page_act", `answer ${at}`); wake(); });
        return button;
      }),
      element("p", {}, lesson.hint), element("p", { role: "status" }, lesson.done && lesson.task ? "Done." : ""),
      element("p", { className: "row" }, ...buttons.map(([name, act]) => {
        const button = element("button", { type: "button" }, name);
        button.addEventListener("click", () => { call("page_act", act); wake(); });
        return button;
      })));
  }

  let last = "";
  function show(json) {
    if (json === last) return;
    last = json;
    const words = JSON.parse(json);
    document.title = `${words.name} · ropescope`;
    of("title").textContent = words.title;
    of("question").textContent = words.question;
    of("error").textContent = words.error;
    of("notice").textContent = words.notice;
    of("report").textContent = words.report;
    of("canvas").setAttribute("aria-label", `${words.name}: ${words.title}`);
    if (of("view").length === 0) {
      of("view").append(...words.views.map((view) => element("option", { value: view.id }, view.name)));
    }
    of("view").value = words.view;
    if (of("lessons").length === 1) {
      of("lessons").append(...words.lessons.map((lesson) => element("option", { value: lesson.id }, lesson.title)));
    }
    of("lessons").value = words.lesson?.id ?? "";
    // Controls are made again only when others are shown, so that the focus stays in its field.
    const now = words.view + words.controls.map((each) => `${each.name} ${each.min} ${each.max}`).join();
    if (now !== shape) {
      shape = now;
      of("controls").replaceChildren(...words.controls.map(made));
    }
    for (const control of words.controls) {
      for (const field of [of(`control-${control.name}`), of(`control-${control.name}-number`)]) {
        if (!field) continue;
        const by_place = field.type === "range" && "place" in control;
        if (field.type === "range") field.setAttribute("aria-valuetext", control.value);
        if (field !== document.activeElement) field.value = by_place ? kPlaces * control.place : control.value;
      }
    }
    const lesson = JSON.stringify(words.lesson ?? null);
    if (of("lesson").dataset.shown !== lesson) {
      of("lesson").dataset.shown = lesson;
      show_lesson(words.lesson);
    }
  }

  return { start, show };
})();
