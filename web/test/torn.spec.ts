// Files that others change while one writes: no text is written over that was not seen, and none that was typed is lost.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import { expect, make, open, select, test, textOf } from "./page";

const web = join(dirname(fileURLToPath(import.meta.url)), "..");
const houserule = process.env.HOUSERULE ?? join(web, "../target/debug/houserule");

/** A gate for what the page writes: shut, it holds that back, however slowly something is typed. */
async function gateOf(page: Page): Promise<{ shut: () => void; open: () => void }> {
  let open = (): void => {};
  let opened = Promise.resolve();
  await page.route(/\/api\/file\//, async (route) => {
    await opened;
    await route.continue();
  });
  return { shut: () => (opened = new Promise((resolve) => (open = resolve))), open: () => open() };
}

/** Hands out a folder with these files while something is done with it. */
async function served(page: Page, wrong: string[], files: Record<string, string>, walk: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "houserule-"));
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
  let program: ChildProcess | undefined;
  try {
    const started = spawn(houserule, ["serve", folder, "--page", join(web, "dist")], { stdio: ["ignore", "pipe", "inherit"] });
    program = started;
    const [line] = (await once(createInterface(started.stdout), "line")) as [string];
    await open(page, line.slice(line.indexOf("http")));
    await walk(folder);
    await page.goto("about:blank");
    // The browser itself complains of what is refused.
    wrong.splice(0, wrong.length, ...wrong.filter((line) => !line.includes("409") && !line.includes("net::ERR_")));
  } finally {
    program?.kill();
    rmSync(folder, { recursive: true });
  }
}

test("a file that is changed elsewhere while one types keeps both texts until one chooses", async ({ page, wrong }) => {
  await served(page, wrong, { "notes.md": "one\ntwo\n" }, async (folder) => {
    const text = (): string => readFileSync(join(folder, "notes.md"), "utf8");
    const torn = page.getByRole("region", { name: "Two texts of this file" });
    await page.getByRole("button", { name: /notes\.md/ }).click();
    await textOf(page).click();
    await page.keyboard.press("ControlOrMeta+End");
    const gate = await gateOf(page);
    gate.shut();
    await page.keyboard.type("abcdefghijklmnop", { delay: 30 });
    appendFileSync(join(folder, "notes.md"), "theirs\n");
    await page.keyboard.type("qrstuvwxyz", { delay: 60 });
    gate.open();
    await expect(torn).toBeVisible();
    await page.keyboard.type("!");
    await expect(textOf(page)).toContainText("abcdefghijklmnopqrstuvwxyz!");
    await page.waitForTimeout(500);
    expect(text()).toBe("one\ntwo\ntheirs\n");

    // Nothing is lost by going away, and what differs can be seen.
    await page.reload();
    await page.getByRole("button", { name: /notes\.md/ }).click();
    await expect(textOf(page)).toContainText("abcdefghijklmnopqrstuvwxyz!");
    await torn.getByRole("button", { name: "See what differs" }).click();
    const lines = page.getByRole("group", { name: "Lines that differ" });
    await expect(lines.locator(".gone").first()).toContainText("theirs");
    await expect(lines.locator(".new")).toContainText("abcdefghijklmnopqrstuvwxyz!");
    await page.keyboard.press("Escape");
    await torn.getByRole("button", { name: "Keep mine" }).click();
    await expect.poll(text).toBe("one\ntwo\nabcdefghijklmnopqrstuvwxyz!");
    await expect(torn).toHaveCount(0);

    // The other text, when that is wanted; and after it one goes on as ever.
    await page.keyboard.press("Escape");
    await textOf(page).click();
    await page.keyboard.press("ControlOrMeta+End");
    gate.shut();
    await page.keyboard.type("mine");
    writeFileSync(join(folder, "notes.md"), "wholly other\n");
    gate.open();
    await expect(torn).toBeVisible();
    await torn.getByRole("button", { name: "Take the other" }).click();
    await expect(textOf(page)).toHaveText("wholly other");
    expect(text()).toBe("wholly other\n");
    await textOf(page).click();
    await page.keyboard.press("ControlOrMeta+End");
    await page.keyboard.type("more");
    await expect.poll(text).toBe("wholly other\nmore");
  });
});

test("a writing carries the version that was seen, and what is refused is not lost", async ({ page, wrong }) => {
  // A folder that changes without telling, as between two of the server's looks.
  let [text, version, refused] = ["first", 1, 0];
  const asked: (string | undefined)[] = [];
  let events: ServerResponse | undefined;
  const dist = join(web, "dist");
  const types: Record<string, string> = { html: "text/html", js: "text/javascript", css: "text/css", wasm: "application/wasm", svg: "image/svg+xml" };
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? "", "http://localhost").pathname;
    if (path === "/api/changes") return void (events = response.writeHead(200, { "content-type": "text/event-stream" })).write(":\n\n");
    if (path === "/api/folder") return void response.end(JSON.stringify({ files: { "notes.md": text }, versions: { "notes.md": String(version) }, left: { "old.md": "it is not text in UTF-8" } }));
    if (path === "/api/file/notes.md") {
      const given = request.headers["x-houserule-version"] as string | undefined;
      asked.push(given);
      let body = "";
      for await (const part of request) body += part;
      if (given !== String(version)) return void (refused++, response.writeHead(409).end("changed"));
      [text, version] = [body, version + 1];
      return void response.writeHead(204, { "x-houserule-version": String(version) }).end();
    }
    const name = path === "/" ? "index.html" : path.slice(1);
    try {
      const content = readFileSync(join(dist, name));
      response.writeHead(200, { "content-type": types[name.split(".").pop() ?? ""] ?? "text/plain" });
      response.end(name === "index.html" ? content.toString().replace('name="houserule-token" content=""', 'name="houserule-token" content="t"') : content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  try {
    await open(page, `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`);
    // What is not shown is named.
    await expect(page.getByRole("navigation", { name: "Files" })).toContainText("old.md it is not text in UTF-8");
    await page.getByRole("button", { name: /notes\.md/ }).click();
    await textOf(page).click();
    await page.keyboard.press("ControlOrMeta+End");
    await page.keyboard.insertText(" a");
    await expect.poll(() => text).toBe("first a");
    await page.keyboard.insertText(" b");
    await expect.poll(() => text).toBe("first a b");
    expect(asked).toEqual(["1", "2"]);
    [text, version] = ["theirs", version + 1];
    await page.keyboard.insertText(" c");
    await expect(page.getByRole("region", { name: "Two texts of this file" })).toBeVisible();
    expect([text, refused]).toEqual(["theirs", 1]);
    await expect(textOf(page)).toHaveText("first a b c");
    await page.getByRole("button", { name: "Keep mine" }).click();
    await expect.poll(() => text).toBe("first a b c");
    await page.goto("about:blank");
    wrong.splice(0, wrong.length, ...wrong.filter((line) => !line.includes("409") && !line.includes("net::ERR_")));
  } finally {
    events?.end();
    server.closeAllConnections();
    server.close();
  }
});

test("two windows of one browser write over nothing of each other", async ({ page, context }) => {
  await open(page);
  await make(page, "empty file", "notes.md");
  const other = await context.newPage();
  await open(other);
  await other.getByRole("button", { name: /notes\.md/ }).click();
  await expect(textOf(other)).toBeVisible();
  await textOf(page).click();
  await page.keyboard.type("first");
  await expect(textOf(other)).toHaveText("first");
  // Both at once: the one that is later keeps its text beside the other one.
  await textOf(other).click();
  await other.keyboard.press("ControlOrMeta+End");
  await page.bringToFront();
  await Promise.all([page.keyboard.insertText(" here"), other.keyboard.insertText(" there")]);
  const torn = [page, other].map((one) => one.getByRole("region", { name: "Two texts of this file" }));
  await expect.poll(async () => (await torn[0]?.count()) || (await torn[1]?.count())).toBe(1);
  const late = (await torn[0]?.count()) ? page : other;
  await expect(textOf(late)).toHaveText(late === page ? "first here" : "first there");
  await late.getByRole("button", { name: "Keep mine" }).click();
  await expect(textOf(late === page ? other : page)).toHaveText(late === page ? "first here" : "first there");
});

test("line ends stay as they are where one types", async ({ page, wrong }) => {
  const files = { "windows.md": "one\r\ntwo\r\nthree\r\n", "mixed.md": "one\r\ntwo\nthree\r\nfour\n" };
  await served(page, wrong, files, async (folder) => {
    const text = (path: string): string => readFileSync(join(folder, path), "utf8");
    for (const path of Object.keys(files)) {
      await page.getByRole("button", { name: path }).click();
      await expect(textOf(page)).toContainText("three");
      await select(page, "two");
      await page.keyboard.insertText("2");
      await page.keyboard.press("Enter");
      await page.keyboard.insertText("2.5");
    }
    await expect.poll(() => text("windows.md")).toBe("one\r\n2\r\n2.5\r\nthree\r\n");
    await expect.poll(() => text("mixed.md")).toBe("one\r\n2\n2.5\nthree\r\nfour\n");
  });
});

test("another name keeps line ends, also in files that are not open", async ({ page, wrong }) => {
  await open(page);
  await make(page, "game", "tidepool");
  const files = await page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const opening = indexedDB.open("houserule", 1);
      opening.onsuccess = () => resolve(opening.result);
    });
    const store = database.transaction("files").objectStore("files");
    const read = <T>(asked: IDBRequest<T>): Promise<T> => new Promise((resolve) => (asked.onsuccess = () => resolve(asked.result)));
    const [keys, texts] = [await read(store.getAllKeys()), await read(store.getAll())];
    return Object.fromEntries(keys.map((key, at) => [String(key), texts[at] as string]));
  });
  await page.goto("about:blank");
  const paths = Object.keys(files);
  const rules = paths.find((path) => path.endsWith("tidepool.rules")) ?? "";
  const others = paths.filter((path) => path !== rules);
  await served(page, wrong, {}, async (folder) => {
    const { mkdirSync } = await import("node:fs");
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text.replaceAll("\n", "\r\n"));
    }
    await page.getByRole("button", { name: /tidepool\.rules/ }).click();
    await select(page, "pearls");
    await page.keyboard.press("F2");
    const window = page.getByRole("dialog");
    await window.getByLabel("New name").fill("beads");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("status")).toContainText("renamed to beads in");
    await expect.poll(() => readFileSync(join(folder, rules), "utf8")).toContain("beads");
    const changed = [rules, ...others].map((path) => readFileSync(join(folder, path), "utf8")).filter((text) => text.includes("beads"));
    expect(changed.length).toBeGreaterThan(1);
    for (const text of changed) expect(text.replaceAll("\r\n", "")).not.toContain("\n");

    // What others write into a file that is not open is checked as well.
    const cards = others.find((path) => /(^|\/)cards\//.test(path)) ?? "";
    const sound = readFileSync(join(folder, cards), "utf8");
    const problem = page.locator(".problems li").filter({ hasText: "not_a_field" });
    writeFileSync(join(folder, cards), `${sound}not_a_field = 1\r\n`);
    await expect(problem).toBeVisible();
    writeFileSync(join(folder, cards), sound);
    await expect(problem).toHaveCount(0);
  });
});
