// The page over a folder, as `houserule serve` hands it out: files come from there, go there, and are followed.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { control, expect, make, open, test, textOf } from "./page";

const web = join(dirname(fileURLToPath(import.meta.url)), "..");
const houserule = process.env.HOUSERULE ?? join(web, "../target/debug/houserule");

test("files of a folder are shown, written where they lie, and followed", async ({ page, wrong }) => {
  expect(existsSync(houserule), `${houserule} is not built: HOUSERULE says where the program is`).toBe(true);
  const folder = mkdtempSync(join(tmpdir(), "houserule-"));
  const text = (path: string): string => (existsSync(join(folder, path)) ? readFileSync(join(folder, path), "utf8") : "");
  writeFileSync(join(folder, "notes.md"), "as it lay there");
  const program = spawn(houserule, ["serve", folder, "--page", join(web, "dist")], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const [line] = (await once(createInterface(program.stdout), "line")) as [string];
    await open(page, line.slice(line.indexOf("http")));
    await page.getByRole("button", { name: /notes\.md/ }).click();
    await expect(textOf(page)).toHaveText("as it lay there");
    await textOf(page).click();
    await page.keyboard.press("ControlOrMeta+End");
    await page.keyboard.insertText(", and more");
    await expect.poll(() => text("notes.md")).toBe("as it lay there, and more");
    await make(page, "empty file", "deep/er.md");
    await expect.poll(() => existsSync(join(folder, "deep/er.md"))).toBe(true);
    writeFileSync(join(folder, "notes.md"), "changed by another editor");
    await page.getByRole("button", { name: /notes\.md/ }).click();
    await expect(textOf(page)).toHaveText("changed by another editor");
    program.kill();
    await expect(page.getByText("does not answer any more")).toBeVisible();
    await page.goto("about:blank");
    // Of what is not there any more the browser itself complains, too.
    wrong.splice(0, wrong.length, ...wrong.filter((line) => !line.includes("net::ERR_")));
  } finally {
    program.kill();
    rmSync(folder, { recursive: true });
  }
});

test("games of a folder come to the same in the page and by the program", async ({ page }) => {
  const games = join(web, "../tests/games");
  const program = spawn(houserule, ["serve", games, "--page", join(web, "dist")], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const [line] = (await once(createInterface(program.stdout), "line")) as [string];
    await open(page, line.slice(line.indexOf("http")));
    await page.getByRole("tab", { name: "Command" }).click();
    // What searches boards and what pays prices is asked of the host, which is another one in browsers.
    for (const game of ["weavers", "comb", "skerry"]) {
      const typed = ["playtest", game, "--agents", "random", "-n", "30"];
      const points = (text: string): string[] => text.split("\n").filter((row) => /^\s+p\d random /.test(row)).map((row) => row.trim());
      const wanted = points(execFileSync(houserule, ["--root", games, ...typed], { encoding: "utf8" }));
      await control(page, "Command").fill(typed.join(" "));
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await expect(page.locator(".ran").first().getByRole("heading")).toContainText(game);
      await expect(page.locator(".ran").first().locator(".output")).toContainText("30 complete games");
      expect(wanted.length).toBeGreaterThan(1);
      expect(points((await page.locator(".ran").first().locator(".output").textContent()) ?? "")).toEqual(wanted);
    }
  } finally {
    program.kill();
  }
});
