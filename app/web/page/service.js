// Keeps what was loaded, so that the page comes without a connection too. Files with their version in the address never
// change; all others, as the pages of lessons, come from the server while there is one, and have a store of their own, which
// outlives a version. The name of the other has this script's own version.
"use strict";

const kPages = "ropescope pages";
const kStore = `ropescope ${new URL(location.href).searchParams.get("v") ?? ""}`;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) {
    if (name.startsWith("ropescope ") && name !== kStore && name !== kPages) await caches.delete(name);
  }
  await self.clients.claim();
})()));

const store_of = (address) => caches.open(new URL(address, location.href).searchParams.has("v") ? kStore : kPages);

async function fetched(request) {
  const response = await fetch(request);
  if (response.ok) (await store_of(request.url)).put(request, response.clone()).catch(() => {});
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
self.addEventListener("message", (event) => event.waitUntil(Promise.allSettled(event.data.keep.map(async (address) =>
  (await store_of(address)).add(address)))));
