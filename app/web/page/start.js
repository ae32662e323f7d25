// The sentence in place of the figure while the page starts, and when something has gone wrong. It comes before every
// other script, so that it can say which one is missing.
"use strict";

const Start = (() => {
  const of = (id) => document.getElementById(id);
  let started = false;

  // `remedy`: {name, act} of a button.
  function say(text, remedy = undefined) {
    of("start").hidden = false;
    of("start-bar").hidden = true;
    of("start-text").textContent = text;
    const button = of("start-button");
    button.hidden = !remedy;
    if (!remedy) return;
    button.textContent = remedy.name;
    button.onclick = remedy.act;
  }
  const again = { name: "Load the page again", act: () => location.reload() };

  function progress(share) { of("start-bar").value = share; }
  function over() {
    started = true;
    of("start").hidden = true;
  }

  const kServe = "ropescope has to come from a web server, because a browser lets a page that was opened as a file load " +
    "no programs: run ./web.sh serve, or python3 -m http.server in this folder, and open the address that it prints.";

  // Why the page could not start, as far as the browser tells, and what helps. What a missing part makes fail later, such
  // as a name that is not defined, is not the cause.
  let lost = "";
  function why(error) {
    const said = String(error?.message ?? error);
    if (lost) return lost;
    if (location.protocol === "file:") return kServe;
    if (/Content Security Policy|unsafe-eval/i.test(said) || blocked) {
      return `The security policy of this site does not allow ropescope's program${blocked ? ` (${blocked})` : ""}. The ` +
        "server has to send script-src 'self' 'wasm-unsafe-eval' and worker-src 'self', and img-src blob: for PNG files.";
    }
    if (self.origin === "null") {
      return "This frame is in a sandbox without an origin, where a browser loads no program. The page around it has to " +
        "give the frame sandbox=\"allow-scripts allow-same-origin\".";
    }
    if (!navigator.onLine) return "There is no connection, and this browser has not kept ropescope. It needs a connection once.";
    if (error?.status) return `${said}. Every file of build/web has to lie on the server in one folder.`;
    if (error instanceof WebAssembly.CompileError) {
      return `ropescope.wasm came cut or of another version: ${said}. Load the page again; if that does not help, copy ` +
        "build/web to the server once more.";
    }
    return `ropescope could not be loaded: ${said}. Load the page again when the connection is better.`;
  }

  let blocked = "";
  document.addEventListener("securitypolicyviolation", (event) => {
    if (started) return;
    blocked = event.effectiveDirective;
    say(why(""), undefined);
  });
  addEventListener("error", (event) => {
    if (started) return;
    const script = event.target?.src ?? event.filename;
    if (event.target?.tagName === "SCRIPT") {
      lost = location.protocol === "file:" ? kServe :
        `A part of this page did not come: ${script}. Every file of build/web has to lie on the server in one folder.`;
    } else if (event.error instanceof SyntaxError) {
      lost = `A part of this page came cut: ${script} (${event.message}). Load the page again.`;
    }
    if (lost) say(lost, again);
  }, true);

  return { say, why, again, progress, over };
})();
