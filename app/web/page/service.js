// Keeps what was loaded, so that the page comes without a connection too. Files with their version in the address never
// change; all others come from the server while there is one. The name of the store has this script's own version.
"use strict";

const kStore = `ropescope ${new URL(location.href).searchParams.get("v") ?? ""}`;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) {
    if (name.startsWith("ropescope ") && name !== kStore) await caches.delete(name);
  }
  await self.clients.claim();
})()));

async function fetched(request) {
  const response = await fetch(request);
  if (response.ok) (await caches.open(kStore)).put(request, response.clone()).catch(() => {});
  return response;
}

self.addEventListener("fetch", (event) => {
  const { request } = event, address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== location.origin) return;
  event.respondWith((async () => {
    const kept = () => caches.match(request, { ignoreVary: true });
    if (address.searchParams.has("v")) return (await kept()) ?? fetched(request);
    try {
      return await fetched(request);
    } catch (error) {
      const found = await kept();
      if (found) return found;
      throw error;
    }
  })());
});

// What the page had loaded before this script was there.
self.addEventListener("message", ({ data }) => {
  caches.open(kStore).then((store) => Promise.allSettled(data.keep.map((address) => store.add(address))));
});
