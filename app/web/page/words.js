// The figure in words and plain controls, kept current for a screen reader; the drawer of a small screen.
"use strict";

const Words = (() => {
  const of = (id) => document.getElementById(id);
  const kPlaces = 1000;
  const kSteps = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 };
  let ask, call, wake, shape = "";

  // What the window's menu offers besides its own.
  const kCommands = { "Copy the link": copy_link, "Copy the code for another page": copy_embed,
    ...(navigator.share ? { "Share the link": share } : {}) };

  function start(asking, calling, waking, embedded) {
    ask = asking;
    call = calling;
    wake = waking;
    const lists = JSON.parse(ask("lists"));
    for (const [id, list] of [["view", lists.views], ["lessons", lists.lessons], ["model", lists.models]]) {
      of(id).append(...list.map((each) => element("option", { value: each.id }, each.name)));
    }
    of("begin").href = `#lesson=${lists.lessons[0].id}`;
    if (!embedded) Object.keys(kCommands).forEach((name) => call("page_act", `offer ${name}`));
    of("view").addEventListener("change", () => set("view", of("view").value));
    of("model").addEventListener("change", () => act(`model ${of("model").value}`));
    of("lessons").addEventListener("change", () => {
      const id = of("lessons").value;
      id ? call("page_follow", `lesson=${id}`) : call("page_act", "leave");
      wake();
    });
    of("drawer").addEventListener("click", () => open_drawer(!document.body.classList.contains("open")));
    of("copy-link").addEventListener("click", copy_link);
    of("copy-embed").addEventListener("click", copy_embed);
    of("share").addEventListener("click", share);
    of("share").hidden = !navigator.share;
    for (const [id, name] of [["copy-picture", "copy picture"], ["undo", "undo"], ["theme", "theme"],
      ["run-checks", "run checks"], ["lesson-back", "back"], ["lesson-hint", "hint"], ["lesson-next", "next"],
      ["lesson-solution", "solution"], ["lesson-after", "following lesson"], ["lesson-leave", "leave"],
      ["export-svg", "export as svg"], ["export-png", "export as png"], ["export-csv", "export as csv"],
      ["work-go", "stop or go on"]]) {
      of(id).addEventListener("click", () => { if (of(id).getAttribute("aria-disabled") !== "true") act(name); });
    }
    addEventListener("beforeprint", () => of("paper").replaceChildren(...on_paper()));
    addEventListener("afterprint", () => of("paper").replaceChildren());
  }

  // On paper the figure is drawn anew, light and sharp, with the words below it (page.css).
  function on_paper() {
    const svg = ask("on paper");
    return svg ? [document.importNode(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement, true)] : [];
  }

  // A button that is disabled would lose the focus.
  const enable = (id, enabled) => of(id).setAttribute("aria-disabled", String(!enabled));

  // Beside the controls, and in the window where these are not seen.
  function say_copied(what) {
    call("page_act", `say ${what}`);
    wake();
    of("copied").textContent = what;
    setTimeout(() => { if (of("copied").textContent === what) of("copied").textContent = ""; }, 6000);
  }

  // Without https a browser has no clipboard.
  async function copy(text, copied) {
    try {
      if (!navigator.clipboard) throw new Error("it has none for a page without https");
      await navigator.clipboard.writeText(text);
      say_copied(copied);
    } catch (error) {
      say_copied(`The browser's clipboard was not available (${error.message}). To copy by hand: ${text}`);
    }
  }

  // Some programs cut what is longer, so the longest values are left out until it is short enough. The address in the
  // browser has all of them, but may be a moment behind what is shown.
  const kMostLetters = 2000;
  const address_of = (words) => new URL(`#${words.join("&")}`, location.href).href;
  function link() {
    const words = ask("link").split("&"), whole = address_of(words).length, left_out = [];
    while (address_of(words).length > kMostLetters && words.length > 1) {
      const longest = words.reduce((most, word, at) => (at > 0 && word.length > words[most].length ? at : most), 1);
      left_out.push(words.splice(longest, 1)[0].split("=")[0]);
    }
    return { address: address_of(words), remark: left_out.length === 0 ? "" :
      ` without ${left_out.join(" and ")}, because it would have ${whole} characters and some programs cut what has more than ${kMostLetters}` };
  }

  function copy_link() {
    const { address, remark } = link();
    const own = /=\/your%20files\//.test(address);
    copy(address, `copied the link${remark}${own ? "; it names a file of yours, which others do not have" : ""}`);
  }

  function copy_embed() {
    const title = of("title").textContent.replace(/[&"<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
    const { address, remark } = link();
    copy(`<iframe src="${address.replaceAll("&", "&amp;")}&amp;embed=1" title="${title}" width="700" height="500" loading="lazy"></iframe>`,
      `copied the code of a frame for another page${remark}`);
  }

  async function share() {
    const { address, remark } = link();
    try {
      await navigator.share({ title: document.title, text: of("title").textContent, url: address });
      if (remark) say_copied(`shared the link${remark}`);
    } catch (error) {
      if (error.name !== "AbortError") say_copied(`The browser shared nothing: ${error.message}`);  // else the reader did not want to
    }
  }

  // What the window's menu has asked for, by its name there.
  const perform = (name) => kCommands[name]?.();

  function open_drawer(open) {
    // What has the focus keeps the words in front (page.css).
    const is_drawer = getComputedStyle(of("drawer")).display !== "none";
    if (!open && is_drawer && of("words").contains(document.activeElement)) of("canvas").focus();
    document.body.classList.toggle("open", open);
    of("drawer").setAttribute("aria-expanded", open);
    of("drawer").textContent = open ? "Figure" : "Words";
    of("drawer").setAttribute("aria-label", open ? "Figure alone" : "Words and controls");
  }

  function act(name) {
    call("page_act", name);
    wake();
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

  // A slider and a field for its number. A logarithmic slider moves by its place, as the window's own does, and
  // both by the same steps when a key is pressed.
  function fields_of_number(control, id) {
    const slider = element("input", { id, type: "range" });
    const number = element("input", { id: `${id}-number`, className: "number", type: "text", inputMode: "decimal" });
    number.setAttribute("aria-label", `${control.label}, typed`);
    slider.addEventListener("input", () => "place" in control ?
      act(`slide ${control.name} ${slider.value / kPlaces}`) : set(control.name, slider.value));
    slider.addEventListener("keydown", (event) => {
      if (!(event.key in kSteps) || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      act(`step ${control.name} ${kSteps[event.key]}`);
    });
    number.addEventListener("change", () => set(control.name, number.value));
    return [slider, number];
  }

  function made(control) {
    const id = `control-${control.name}`;
    const label = element("label", { htmlFor: id },
      control.label + (control.unit ? ` (${control.unit})` : ""));
    const help = element("p", { id: `${id}-help`, className: "help" }, control.help);
    let fields;
    if ("min" in control) {
      fields = fields_of_number(control, id);
    } else {
      const field = control.choices ?
        element("select", { id }, ...control.choices.map((each) => element("option", { value: each.id }, each.name))) :
        element("input", { id, type: "text" });
      field.addEventListener("change", () => set(control.name, field.value));
      fields = [field];
    }
    fields[0].setAttribute("aria-describedby", help.id);
    return element("div", { className: "control" }, label,
      element("div", { className: "pair" }, ...fields), help);
  }

  // A field that is being typed in keeps its text.
  function show_control(control) {
    const field = of(`control-${control.name}`), number = of(`control-${control.name}-number`);
    if (field.type === "range") {
      const by_place = "place" in control;
      Object.assign(field, by_place ? { min: 0, max: kPlaces, step: 1 } :
        { min: control.min, max: control.max, step: control.step || "any" });
      field.setAttribute("aria-valuetext", control.value);
      field.value = by_place ? kPlaces * control.place : control.value;
    } else if (field !== document.activeElement || field.tagName === "SELECT") {
      field.value = control.value;
    }
    if (number && number !== document.activeElement) number.value = control.value;
  }

  // What the figure is made of, as the window's box names it. A model of a file is in the list once it was opened; what is
  // no entry at all, such as the encoder of Attention or a model that was changed, stands before the others while it is shown.
  const other_model = document.createElement("option");
  function show_model({ model, model_name, model_file }) {
    const list = of("model"), of_model = [...list.options].filter((each) => each !== other_model && each.value === model);
    if (of_model.length === 0) of_model.push(list.appendChild(element("option", { value: model }, model_file)));
    const listed = of_model.find((each) => each.textContent === model_name);
    if (listed) {
      other_model.remove();
    } else {
      Object.assign(other_model, { value: model, textContent: model_name });
      if (list.firstChild !== other_model) list.prepend(other_model);
    }
    (listed ?? other_model).selected = true;
  }

  function set_text(id, text) {
    if (of(id).textContent !== text) of(id).textContent = text;
  }

  // A button that has the focus stays until it has lost it.
  function offer(id, offered) {
    enable(id, offered);
    of(id).hidden = !offered && document.activeElement !== of(id);
  }

  // Only what has changed is made anew, so that the focus stays where it is.
  let choices = "", shown_step = "";
  function show_lesson(lesson) {
    if (!lesson && of("lesson").contains(document.activeElement)) of("lessons").focus();
    of("lesson").hidden = !lesson;
    document.body.classList.toggle("in-lesson", Boolean(lesson));
    const step = lesson ? `${lesson.id} ${lesson.step}` : "";
    if (step !== shown_step) of("words").scrollTop = 0;  // a new step is read from its beginning
    shown_step = step;
    if (!lesson) return;
    set_text("lesson-title", `${lesson.title}: step ${lesson.step} of ${lesson.steps}`);
    set_text("lesson-heading", lesson.heading);
    set_text("lesson-text", lesson.text);
    set_text("lesson-formulas", lesson.formulas);
    set_text("lesson-task", lesson.task);
    set_text("lesson-answered", lesson.answered);
    set_text("lesson-shown-hint", lesson.hint);
    set_text("lesson-done", lesson.done && lesson.task ? "Done." : "");
    set_text("lesson-next", lesson.last ? "Finish" : "Next");
    enable("lesson-back", lesson.step > 1);
    offer("lesson-hint", lesson.task && !lesson.done && !lesson.hint);
    offer("lesson-solution", lesson.solution);
    if (lesson.solution) set_text("lesson-solution", lesson.solution);
    offer("lesson-after", lesson.after);
    of("lesson-after").setAttribute("aria-label", `Next lesson: ${lesson.after}`);
    if (choices === lesson.choices.join("\n")) return;
    choices = lesson.choices.join("\n");
    of("lesson-choices").replaceChildren(...lesson.choices.map((choice, at) => {
      const button = element("button", { type: "button" }, choice);
      button.addEventListener("click", () => act(`answer ${at}`));
      return button;
    }));
  }

  // A figure that has stayed for a moment says the values at the place to which keys or a lesson point, what was changed and
  // its title if that is another; a new step of a lesson says itself first.
  const kHeardMs = 700;
  let heard = undefined, hearing = 0;
  const place_of = ({ name, lesson }) => lesson ? `${lesson.title}, step ${lesson.step}: ${lesson.heading}` : name;
  // A control of the page that has the focus says its value itself.
  const changed_controls = (before, now) => now.controls.filter(({ name, value }) =>
    before.controls.some((old) => old.name === name && old.value !== value) &&
    !document.activeElement.id.startsWith(`control-${name}`));
  function what_changed(before, now) {
    if (place_of(before) !== place_of(now)) return `${place_of(now)}. ${now.title}`;
    const numbers = changed_controls(before, now).map(({ label, value, value_name, unit }) =>
      `${label} ${value_name ?? value} ${unit}`.trim());
    const values = before.values === now.values || !now.values ? [] : [now.values];
    return [...values, ...numbers, ...(before.title === now.title ? [] : [now.title])].join(". ");
  }
  function hear(words) {
    heard ??= words;
    clearTimeout(hearing);
    hearing = setTimeout(() => {
      const said = what_changed(heard, words);
      heard = words;
      if (said) set_text("heard", said);
    }, kHeardMs);
  }

  let last = "";
  function show(json) {
    if (json === last) return;
    last = json;
    const words = JSON.parse(json);
    hear(words);
    document.title = `${words.lesson ? `${words.lesson.title}, step ${words.lesson.step}` : words.name} · ropescope`;
    for (const id of ["title", "question", "error", "notice", "work", "run", "report"]) set_text(id, words[id]);
    of("work-go").hidden = !words.work;
    set_text("work-go", words.stopped ? "Go on" : "Stop");
    of("canvas").setAttribute("aria-label",
      `${words.name}: ${words.title}. F6 leads into its own controls, Tab to the same in words.`);
    of("view").value = words.view;
    show_model(words);
    of("lessons").value = words.lesson?.id ?? "";
    enable("undo", words.undo);
    const now = words.view + words.controls.map((each) => each.name).join();
    if (now !== shape) {
      shape = now;
      of("controls").replaceChildren(...words.controls.map(made));
      // In another page one control stands below the figure, if it can a slider.
      const alone = words.controls.find((each) => "min" in each) ?? words.controls[0];
      if (alone) of(`control-${alone.name}`).closest(".control").classList.add("alone");
    }
    words.controls.forEach(show_control);
    // What the step or the figure needs stands before the rest on a small screen.
    for (const { name } of words.controls) {
      of(`control-${name}`).closest(".control").classList.toggle("first", words.first?.includes(name) ?? false);
    }
    show_lesson(words.lesson);
  }

  return { start, show, open_drawer, perform };
})();
