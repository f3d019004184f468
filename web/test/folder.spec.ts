// The page over a folder, as `houserule serve` hands it out: files come from there, go there, and are followed.
import { createServer, type Server, type ServerResponse } from "node:http";
import { readFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, make, open, test, textOf } from "./page";

const dist = join(dirname(fileURLToPath(import.meta.url)), "../dist");
const types: Record<string, string> = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".svg": "image/svg+xml", ".webmanifest": "application/manifest+json" };

test("files of a folder are shown, written where they lie, and followed", async ({ page }) => {
  const folder = new Map([["notes.md", "as it lay there"]]);
  const refused: string[] = [];
  let events: ServerResponse | undefined;
  const server: Server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "/");
    const file = path.replace(/^\/api\/file\//, "");
    if (path === "/api/folder") return response.end(JSON.stringify({ files: Object.fromEntries(folder) }));
    if (path === "/api/events") {
      events = response.writeHead(200, { "content-type": "text/event-stream" });
      return events.write(": \n\n");
    }
    if (path.startsWith("/api/file/")) {
      if (request.headers["x-houserule"] !== "secret") refused.push(path);
      let text = "";
      request.on("data", (part) => (text += part));
      return request.on("end", () => {
        if (request.method === "DELETE") folder.delete(file);
        else folder.set(file, text);
        response.end();
      });
    }
    const name = path === "/" ? "/index.html" : path;
    const content = readFileSync(join(dist, name));
    const page = name === "/index.html" ? content.toString().replace('name="houserule-token" content=""', 'name="houserule-token" content="secret"') : content;
    response.writeHead(200, { "content-type": types[extname(name)] ?? "text/plain" }).end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  try {
    await open(page, `http://127.0.0.1:${port}/`);
    await page.getByRole("button", { name: /notes\.md/ }).click();
    await expect(textOf(page)).toHaveText("as it lay there");
    await textOf(page).click();
    await page.keyboard.press("ControlOrMeta+End");
    await page.keyboard.insertText(", and more");
    await expect.poll(() => folder.get("notes.md")).toBe("as it lay there, and more");
    await make(page, "empty file", "deep/er.md");
    await expect.poll(() => folder.has("deep/er.md")).toBe(true);
    folder.set("notes.md", "changed by another editor");
    events?.write(`data: ${JSON.stringify({ path: "notes.md", text: "changed by another editor" })}\n\n`);
    await page.getByRole("button", { name: /notes\.md/ }).click();
    await expect(textOf(page)).toHaveText("changed by another editor");
    expect(refused).toEqual([]);
  } finally {
    events?.end();
    server.closeAllConnections();
    server.close();
  }
});
