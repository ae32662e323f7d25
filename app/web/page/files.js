// Files that go in and out: opened and dropped ones, exports as downloads, and the clipboard.
"use strict";

const Files = (() => {
  // The window shows these names, so they say what they are.
  const kIn = "/your files", kOut = "/downloads";
  let fs, ask, wake, call, opened = 0;

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
      open([...event.dataTransfer.files]);
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
  function keep() {
    if (!fs.analyzePath(kLessons).exists) return;
    const text = fs.readFile(kLessons, { encoding: "utf8" });
    if (text === kept()) return;
    try { localStorage.setItem("ropescope lessons", text); } catch { /* a private window */ }
  }

  // Files that come together stay together: weights find the config.json beside them.
  async function open(files) {
    if (files.length === 0) return;
    const folder = `${kIn} ${++opened}`;
    let named = [];
    try {
      for (const file of files) named.push(await read(file));
      named = as_one_dump(named);
    } catch (error) {
      call("page_act", `refused ${error.message}`);
      return wake();
    }
    for (const { name, bytes } of named) {
      put(`${folder}/${name}`, bytes);
      Beside.share(`${folder}/${name}`, bytes);
    }
    const names = named.map(({ name }) => name);
    const first = names.find((name) => /[.](safetensors|npy)$/.test(name)) ?? names[0];
    call("page_file", `${folder}/${first}`);
    wake();
  }

  // A .npz comes as the .safetensors that it becomes, and of a .gguf, which may be larger than the memory of a page,
  // the beginning, where its header stands.
  const kGgufBytes = 2 ** 26;
  async function read(file) {
    const name = file.name.replaceAll("/", "_"), part = /[.]gguf$/i.test(name) ? file.slice(0, kGgufBytes) : file;
    const bytes = new Uint8Array(await part.arrayBuffer());
    if (!/[.]npz$/i.test(name)) return { name, bytes };
    try {
      return { name: name.replace(/[.]npz$/i, ".safetensors"), bytes: await Npz.safetensors(bytes) };
    } catch (error) {
      throw new Error(`${name}: ${error.message}`);
    }
  }

  // q.npy, q_rot.npy and so on, opened together, are a dump like a .npz of them.
  function as_one_dump(named) {
    const is_array = ({ name }) => /[.]npy$/i.test(name), arrays = named.filter(is_array);
    if (arrays.length < 2) return named;
    return [...named.filter((each) => !is_array(each)), { name: "arrays.safetensors", bytes: Npz.joined(arrays) }];
  }

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
    if (text) navigator.clipboard?.writeText(text).catch(() => {});
    const picture = ask("picture");
    if (picture) {
      const png = pixels(new TextEncoder().encode(picture));
      navigator.clipboard?.write([new ClipboardItem({ "image/png": png })]).catch(() => {});
    }
  }

  const choose = () => document.getElementById("file").click();

  return { start, give, choose, put, remove: (path) => fs.unlink(path) };
})();
