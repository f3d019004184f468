// Keeps the files of the page, so that it works without a network after it was opened once.
export {};
declare const self: ServiceWorkerGlobalScope;
declare const FILES: string[];
declare const VERSION: string;

const NAME = `houserule-${VERSION}`;

self.addEventListener("install", (event) => {
  event.waitUntil(
    (async () => {
      const cache = await caches.open(NAME);
      await cache.addAll(FILES.map((file) => new Request(file, { cache: "reload" })));
      await self.skipWaiting();
    })(),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      const names = await caches.keys();
      await Promise.all(names.filter((name) => name.startsWith("houserule-") && name !== NAME).map((name) => caches.delete(name)));
      await self.clients.claim();
    })(),
  );
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== self.location.origin || url.pathname.includes("/api/")) return;
  event.respondWith(
    (async () => {
      const cache = await caches.open(NAME);
      // A host may know the page by its folder, by its name, or by both. What else it has below that folder, such as a book, is not the page.
      const inside = url.pathname.slice(new URL(self.registration.scope).pathname.length);
      const isPage = event.request.mode === "navigate" && (inside === "" || inside === "index.html");
      return (await cache.match(isPage ? "./" : event.request, { ignoreSearch: true })) ?? fetch(event.request);
    })(),
  );
});
