// Work beside the page: a worker for pictures and one for checks, each made when it is first needed.
"use strict";

const Beside = (() => {
  // Several changes in a row ask for one picture: work begins when the scene has stayed for so long.
  const kPauseMs = 120, kResult = "/beside/result";
  let wasm, call, wake, timer = 0;
  const workers = {};  // by kind: {worker, sent (how many of the files it has), ticket (of its job; 0: none)}
  const files = [];    // that a reader has opened: {path, bytes}

  function start(compiled, calling, waking) {
    wasm = compiled;
    call = calling;
    wake = waking;
  }

  function end(kind) {
    workers[kind]?.worker.terminate();
    delete workers[kind];
  }

  // An idle worker stays, with what it has computed.
  function stop(kind) {
    if (kind === "picture") clearTimeout(timer);
    if (workers[kind]?.ticket) end(kind);
  }

  function fail(kind, ticket, why) {
    end(kind);
    // Who loads the page again without a connection loses it.
    call("page_work_failed", kind, ticket, navigator.onLine ? `The worker of this page failed: ${why}. Load the page again.` :
      "There is no connection, and what computes this figure has not been loaded yet. Change something when there is one.");
    wake();
  }

  function hear(kind, { ticket, bytes, done, refused, failed, over }) {
    if (failed !== undefined) return fail(kind, ticket, failed);
    if (over) workers[kind].ticket = 0;
    if (over && kind === "checks") end(kind);
    if (bytes) {
      Files.put(kResult, bytes);
      call("page_work_result", kind, ticket, kResult);
      Files.remove(kResult);
    } else if (refused !== undefined) {
      call("page_work_refused", ticket, refused);
    } else {
      call("page_work_progress", ticket, done);
    }
    wake();
  }

  const version = () => {
    const mine = document.documentElement.dataset.version;
    return mine ? `?v=${mine}` : "";
  };

  function made(kind) {
    const mine = { worker: new Worker(`worker.js${version()}`), sent: 0, ticket: 0 };
    mine.worker.onmessage = ({ data }) => hear(kind, data);
    mine.worker.onerror = ({ message }) => fail(kind, mine.ticket, message ?? "it could not be loaded");
    mine.worker.postMessage({ wasm });
    return mine;
  }

  function begin(kind, job) {
    try {
      const mine = (workers[kind] ??= made(kind));
      mine.ticket = job.ticket;
      mine.worker.postMessage({ kind, ...job, files: files.slice(mine.sent) });
      mine.sent = files.length;
    } catch (error) {
      fail(kind, job.ticket, error.message);
    }
  }

  // What the program asks for after a frame (app/web/beside.h).
  function follow(requests) {
    if (requests === "{}") return;
    const { picture, checks } = JSON.parse(requests);
    if (picture !== undefined) stop("picture");
    if (picture) timer = setTimeout(() => begin("picture", picture), kPauseMs);
    if (checks) {
      stop("checks");
      begin("checks", checks);
    }
  }

  // A file that a reader has opened: workers get it with their next job.
  const share = (path, bytes) => { files.push({ path, bytes }); };

  return { start, follow, share };
})();
