"use strict";
// A page of the site comes without a connection too, once it was read: by the service worker of the app beside it.
(async () => {
  const site = new URL(/\/(lessons|views)\/[^/]*$/.test(location.pathname) ? "../" : "./", location.href);
  try {
    const workers = navigator.serviceWorker;
    // The app has registered it with its version, which is not known here.
    const found = await workers.getRegistration(site);  // of a site around this one, perhaps
    if (found?.scope !== site.href) await workers.register(new URL("service.js", site));
    const { active, scope } = await workers.ready;
    if (scope !== site.href) return;
    const loaded = performance.getEntriesByType("resource").map(({ name }) => name)
      .filter((name) => name.startsWith(location.origin));
    active.postMessage({ keep: [location.href.split("#")[0], ...loaded] });
  } catch { /* a browser that keeps nothing, a page without https or of a site without the app */ }
})();
