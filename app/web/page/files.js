// Files that go in and out: opened and dropped ones, exports as downloads, and the clipboard.
"use strict";

const Files = (() => {
  // The window shows these names, so they say what they are.
  const kIn = "/your files", kOut = "/downloads";
  let fs, ask, wake, call;

  function start(module, asking, calling, waking) {
    fs = module.FS;
    ask = asking;
    call = calling;
    wake = waking;
    for (const folder of ["/home", kOut]) fs.mkdirTree(folder);
    const lessons = kept();
    if (lessons) fs.writeFile(kLessons, lessons);
    fs.chdir(kOut);  // where an export without a folder is written
    document.addEventListener("dragover", (event) => event.preventDefault());
    document.addEventListener("drop", (event) => {
      event.preventDefault();
      if (event.dataTransfer.files.length > 0) return open([...event.dataTransfer.files]);
      call("page_act", "refused What was dropped is no file, but a text or a link. Drop a file here, or choose one in the list of models.");
      wake();
    });
    const chooser = document.getElementById("file");
    document.getElementById("open").addEventListener("click", choose);
    chooser.addEventListener("change", () => { open([...chooser.files]); chooser.value = ""; });
  }

  // The progress of lessons stays in this browser, if it lets us.
  const kLessons = "/home/lessons.json";
  const kept = () => {
    try { return localStorage.getItem("ropescope lessons"); } catch { return null; }
  };
  // Another tab, or the page of a lesson, may have gone further in its own lesson: the larger number of each is kept.
  function merged(a, b) {
    const steps = (text) => { try { return JSON.parse(text)?.steps_done ?? {}; } catch { return {}; } };
    const [mine, theirs] = [steps(a), steps(b)], all = {};
    for (const id of Object.keys({ ...mine, ...theirs }).sort()) all[id] = Math.max(mine[id] ?? 0, theirs[id] ?? 0);
    return JSON.stringify({ ropescope_lessons: 1, steps_done: all }, null, 2) + "\n";
  }
  let written = "";
  function keep() {
    if (!fs.analyzePath(kLessons).exists) return;
    const text = fs.readFile(kLessons, { encoding: "utf8" });
    if (text === written) return;
    written = text;
    try { localStorage.setItem("ropescope lessons", merged(text, kept())); } catch { /* a private window */ }
  }

  // Files that come together stay together: weights find the config.json beside them.
  async function open(files) {
    if (files.length === 0) return;
    const given = new Map();
    try {
      for (const file of files) {
        const name = file.name.replaceAll("/", "_");
        if (given.has(name)) {
          throw new Error(`two of these files are called ${name}, and a page is not told from which folders they came. Drop the ` +
            "files of one folder at a time");
        }
        given.set(name, await read(file));
      }
    } catch (error) {
      call("page_act", `refused ${error.message}`);
      return wake();
    }
    const folder = new_folder(first_of([...given.keys()].sort()));
    given.forEach((bytes, name) => put(`${folder}/${name}`, bytes));
    // q.npy, q_rot.npy and so on are a dump like a .npz of them.
    const several = [...given.keys()].filter((name) => /[.]npy$/i.test(name)).length > 1;
    if ((several && !call("page_join", folder)) || !opened_in(folder)) {
      forget(folder);
      return wake();
    }
    for (const name of names_in(folder)) {
      Beside.share(`${folder}/${name}`, given.get(name) ?? fs.readFile(`${folder}/${name}`));
    }
    wake();
  }

  const names_in = (folder) => fs.readdir(folder).filter((name) => name !== "." && name !== "..").sort();

  // A config.json that comes with a dump says what the dump should be.
  function opened_in(folder) {
    const names = names_in(folder), config = config_of(names), first = first_of(names);
    const by_config = config && config !== first && call("page_file", `${folder}/${config}`);
    return call("page_file", `${folder}/${first}`) || by_config;
  }

  // What was refused leaves its name to the next file.
  function forget(folder) {
    for (const name of names_in(folder)) fs.unlink(`${folder}/${name}`);
    fs.rmdir(folder);
  }

  const config_of = (names) => names.find((name) => /^config[.]json$/i.test(name));
  // What is opened of files that came together.
  const first_of = (names) => names.find((name) => /[.](safetensors|np[yz])$/i.test(name)) ?? config_of(names) ?? names[0];

  // A browser does not tell in which folder a file lay, and a model is called by its folder: it gets the name of the file.
  function new_folder(name) {
    for (let count = 1; ; ++count) {
      const folder = `${kIn}/${name}${count > 1 ? ` (${count})` : ""}`;
      if (!fs.analyzePath(folder).exists) return folder;
    }
  }

  // The names of files in an address that this page has not got: they were dropped before it was loaded again, or by
  // somebody else.
  function gone_of(link) {
    const decoded = (path) => { try { return decodeURIComponent(path); } catch { return path; } };
    const own = [...link.matchAll(/=(\/your%20files\/[^&]*)/g)].map(([, path]) => decoded(path));
    return [...new Set(own.filter((path) => !fs.analyzePath(path).exists).map((path) => path.split("/").at(-1)))];
  }

  // Of a .gguf, which may be larger than the memory of a page, the beginning, where its header stands.
  const kGgufBytes = 2 ** 26;
  const kMostBytes = 2 ** 30;
  const kPointer = "version https://git-lfs.github.com/spec/";
  async function read(file) {
    if (file.size > kMostBytes && !/[.]gguf$/i.test(file.name)) {
      throw new Error(`${file.name} has ${(file.size / 1e9).toFixed(1)} GB, more than the memory of a page. The same program ` +
        "for the desktop reads it; here its config.json is enough for everything but a diagnosis");
    }
    if ((await file.slice(0, kPointer.length).text().catch(() => { throw not_readable(file); })) === kPointer) {
      throw new Error(`${file.name} is a pointer of Git LFS and not the file itself; run git lfs pull in its folder`);
    }
    const part = /[.]gguf$/i.test(file.name) ? file.slice(0, kGgufBytes) : file;
    return new Uint8Array(await part.arrayBuffer());
  }

  // What a browser says of a folder is that it was not found.
  const not_readable = (file) => new Error(`${file.name} cannot be read: it is a folder, or it is gone by now. Choose the ` +
    "files in it, all together");

  function save(blob, name) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  // The program makes a PNG as an SVG with outlined letters of the size wanted; the browser draws its pixels.
  async function pixels(bytes) {
    const svg = new Blob([bytes], { type: "image/svg+xml" });
    const picture = new Image();
    picture.src = URL.createObjectURL(svg);
    await picture.decode();
    const canvas = document.createElement("canvas");
    canvas.width = picture.naturalWidth;
    canvas.height = picture.naturalHeight;
    canvas.getContext("2d").drawImage(picture, 0, 0);
    URL.revokeObjectURL(picture.src);
    return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  }

  // A file that the program looks for under this path. The bytes are not copied: nobody changes them.
  function put(path, bytes) {
    fs.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    fs.writeFile(path, bytes, { canOwn: true });
  }

  // Whatever the program wrote since the last frame goes to the reader.
  async function give() {
    for (const name of fs.readdir(kOut)) {
      if (name === "." || name === ".." || name.startsWith(".")) continue;
      const path = `${kOut}/${name}`;
      const bytes = fs.readFile(path);
      fs.unlink(path);
      save(name.toLowerCase().endsWith(".png") ? await pixels(bytes) : new Blob([bytes]), name);
    }
    keep();
    const text = ask("clipboard");
    if (text) await to_clipboard((clipboard) => clipboard.writeText(text));
    const picture = ask("picture");
    if (picture) {
      const png = pixels(new TextEncoder().encode(picture));
      await to_clipboard((clipboard) => clipboard.write([new ClipboardItem({ "image/png": png })]));
    }
  }

  // The window has said "copied" already; this takes it back.
  async function to_clipboard(write) {
    try {
      if (!navigator.clipboard) throw new Error("a browser has none for a page without https");
      await write(navigator.clipboard);
    } catch (error) {
      call("page_act", `refused Nothing was copied, because the clipboard was not available: ${error.message}.`);
      wake();
    }
  }

  const choose = () => document.getElementById("file").click();

  return { start, give, choose, put, gone_of, remove: (path) => fs.unlink(path) };
})();
