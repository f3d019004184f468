// Hands out dist/ as any host of static files would, in a folder of its own, so that an address that is not relative is noticed.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { dirname, extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const dist = join(dirname(fileURLToPath(import.meta.url)), "../dist");
// What a host has beside the page, as the site has the book: the page has no part in it, nor what it keeps for days without a network.
const beside = { "/book/": '<!doctype html><link rel="icon" href="data:,"><h1>The book</h1>' };
const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".svg": "image/svg+xml", ".webmanifest": "application/manifest+json" };

createServer(async (request, response) => {
  const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
  const inside = normalize(path.replace(/^\/game-night\//, "/"));
  if (!path.startsWith("/game-night/")) return response.writeHead(404).end();
  if (beside[inside]) return response.writeHead(200, { "content-type": "text/html" }).end(beside[inside]);
  try {
    const name = inside === "/" ? "/index.html" : inside;
    const content = await readFile(join(dist, name));
    response.writeHead(200, { "content-type": types[extname(name)] ?? "text/plain" }).end(content);
  } catch {
    response.writeHead(404).end();
  }
}).listen(Number(process.env.PORT ?? 4173), "127.0.0.1");
