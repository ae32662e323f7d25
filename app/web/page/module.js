// Starts an instance of the program, in the page or in a worker, from the module that was compiled once.
"use strict";

// Emscripten waits for ever if the instance cannot be made, so the failure is passed on here.
const start_module = (compiled) => new Promise((resolve, reject) => {
  const instantiateWasm = (imports, done) => {
    WebAssembly.instantiate(compiled, imports).then(done, reject);
    return {};
  };
  Ropescope({ instantiateWasm, print: (line) => console.log(line), printErr: (line) => console.warn(line) })
    .then(resolve, reject);
});
