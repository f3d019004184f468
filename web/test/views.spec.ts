// All views, as they look and as they are told: light, dark, on a phone, without a network.
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { answerFirst, control, expect, faultsOf, make, open, playToTheEnd, select, test, textOf } from "./page";

const here = dirname(fileURLToPath(import.meta.url));
const pictures = join(here, "../pictures");
mkdirSync(pictures, { recursive: true });

const LOOKS = [
  { name: "light", viewport: { width: 1280, height: 900 }, colorScheme: "light" as const },
  { name: "dark", viewport: { width: 1280, height: 900 }, colorScheme: "dark" as const },
  { name: "phone", viewport: { width: 390, height: 844 }, colorScheme: "light" as const },
  { name: "phone-dark", viewport: { width: 390, height: 844 }, colorScheme: "dark" as const },
];

for (const look of LOOKS) {
  test.describe(look.name, () => {
    test.use({ viewport: look.viewport, colorScheme: look.colorScheme, hasTouch: look.name.startsWith("phone") });

    test(`nothing hinders anybody, ${look.name}`, async ({ page }) => {
      const isPhone = look.name.startsWith("phone");
      const found: string[] = [];
      const see = async (view: string): Promise<void> => {
        // What moves comes to rest first.
        await page.waitForTimeout(300);
        await page.screenshot({ path: join(pictures, `${view}-${look.name}.png`) });
        for (const fault of await faultsOf(page)) found.push(`${view}: ${fault}`);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (wide > 0) found.push(`${view}: the page is ${wide} pixels wider than the window`);
      };
      const part = async (name: RegExp): Promise<void> => {
        if (isPhone) await page.getByRole("navigation", { name: "Parts of the workbench" }).getByRole("button", { name }).click();
      };
      await open(page);
      await see("workbench");
      await make(page, "pack", "evening", { "For the game": "nations" });
      await select(page, "= 1");
      await page.keyboard.insertText("= wrong");
      await part(/Results/);
      await expect(page.locator(".problems li").first()).toBeVisible();
      await see("problems");
      await part(/Editor/);
      await see("editor");
      await part(/Results/);
      await page.getByRole("tab", { name: "Compare" }).click();
      await control(page, "Game").selectOption("nations-dice");
      await control(page, "Change").fill("change stones to 5");
      await see("compare");
      await page.getByRole("tab", { name: "Command" }).click();
      await control(page, "Command").fill("list");
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await expect(page.locator(".ran .output")).toContainText("Nations");
      await see("command");
      await part(/Files/);
      await page.getByRole("button", { name: "New…" }).click();
      await see("new");
      await page.keyboard.press("Escape");
      await page.getByRole("link", { name: "Table" }).click();
      await see("setup");
      for (const game of ["nations", "near", "nations-dice"]) {
        await page.locator(`.games input`).nth(await indexOf(page, game)).check();
        await control(page, "The same seed deals the same cards").fill("3");
        await page.getByRole("button", { name: "Begin", exact: true }).click();
        await control(page, "Machines").selectOption("at once");
        // Some answers on, there is more to see than at the beginning.
        for (let answers = 0; answers < 8; answers++) {
          await expect(page.locator(".ask .option:not(.no):not(:disabled)").first()).toBeVisible();
          await answerFirst(page);
        }
        await expect(page.locator(".ask .option:not(:disabled)").first()).toBeVisible();
        await see(`table-${game}`);
        const drawn = page.locator(".board, .grid").first();
        if (await drawn.count()) {
          await drawn.scrollIntoViewIfNeeded();
          await page.screenshot({ path: join(pictures, `drawn-${game}-${look.name}.png`) });
        }
        if (game !== "nations-dice") {
          await page.getByRole("button", { name: "Leave" }).click();
          await page.getByRole("button", { name: "Leave it" }).click();
        }
      }
      await playToTheEnd(page);
      await see("ended");
      expect(found).toEqual([]);
    });
  });
}

async function indexOf(page: Page, game: string): Promise<number> {
  const titles: Record<string, string> = { nations: "Nations", near: "Near", "nations-dice": "Nations: the Dice Game" };
  const all = await page.locator(".games strong").allTextContents();
  return all.indexOf(titles[game] ?? game);
}

test("two people at one screen do not see what the other hides", async ({ page }) => {
  await open(page, "#/table?game=near");
  await control(page, "Players").selectOption("2");
  await control(page, "Player 2").selectOption("human");
  await page.getByRole("button", { name: "Begin", exact: true }).click();
  const come = page.getByRole("button", { name: /^I am p/ });
  await expect(come).toBeVisible();
  const first = await come.textContent();
  await expect(page.locator(".card")).toHaveCount(0);
  await come.click();
  await expect(page.locator(".ask .option").first()).toBeVisible();
  await expect(page.getByRole("combobox", { name: "Seen by" })).toHaveCount(0);
  for (let answers = 0; answers < 60 && !(await come.isVisible()); answers++) {
    // The table can be covered at any moment, and there is then nothing to answer.
    await Promise.race([answerFirst(page), come.waitFor()]);
    await expect(page.locator(".ask .option:not(:disabled)").first().or(come)).toBeVisible();
  }
  await expect(come).not.toHaveText(first ?? "");
  await expect(page.locator(".card")).toHaveCount(0);
});

test("a game is played by the keyboard alone, and what happens is told", async ({ page }) => {
  await open(page, "#/table?game=nations-dice");
  const begin = page.getByRole("button", { name: "Begin", exact: true });
  await begin.focus();
  await page.keyboard.press("Enter");
  const option = page.locator(".ask .option:not(.no)").first();
  await expect(option).toBeVisible();
  for (let presses = 0; presses < 60 && !(await option.evaluate((element) => element === document.activeElement)); presses++) await page.keyboard.press("Tab");
  await expect(option).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("log", { name: "What has happened" })).not.toBeEmpty();
  await expect(page.locator(".slider")).toContainText(/[1-9]\d* \/ \d/);
});

test("names with markup and very long words do nothing bad", async ({ page }) => {
  page.on("dialog", () => {
    throw new Error("a name has run as a program");
  });
  await open(page);
  await make(page, "game", "odd_names");
  await select(page, `"Odd Names"`);
  const long = "Antidisestablishmentarianism".repeat(6);
  await page.keyboard.insertText(`"<img src=x onerror=alert(1)> ${long}"`);
  await page.getByRole("button", { name: /cards\.toml/ }).first().click();
  await select(page, `id     = "whelk"`);
  // Where text is put in over coloured words at once, the browser's own editing writes styles, which the policy blocks: they go first, by the editor.
  await page.keyboard.press("Delete");
  for (const line of [`id     = "whelk"`, `name = "<svg onload=alert(2)><b>${long}</b>"`, `text = "<script>alert(3)</script>"`]) {
    await page.keyboard.insertText(line);
    await page.keyboard.press("Enter");
  }
  await page.waitForTimeout(1500);
  await page.getByRole("button", { name: "Play", exact: true }).first().click();
  await page.getByRole("button", { name: "Begin", exact: true }).click();
  await expect(page.locator(".card").first()).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("<img src=x onerror=alert(1)>");
  expect(await page.locator("img, b > b, .card svg, .card script").count()).toBe(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  expect(await page.locator(".card").evaluateAll((cards) => cards.filter((card) => card.scrollWidth > card.clientWidth + 1).length)).toBe(0);
});

test("a link that was cut says so, and one that brings files leaves one's own as they are", async ({ page, browser }) => {
  await page.goto("#link=7Vq9bhs5");
  await expect(page.getByRole("status")).toContainText("the link is not whole");
  await page.goto("about:blank");
  await open(page);
  await make(page, "empty file", "notes.md");
  await textOf(page).click();
  await page.keyboard.insertText("mine");
  await page.waitForTimeout(600);
  await page.getByRole("button", { name: "More…" }).click();
  await page.getByRole("menuitem", { name: "Copy a link to my files" }).click();
  await expect(page.getByRole("status").filter({ hasText: "the link" })).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());

  const other = await browser.newContext();
  const theirs = await other.newPage();
  await open(theirs);
  await make(theirs, "empty file", "notes.md");
  await textOf(theirs).click();
  await theirs.keyboard.insertText("theirs");
  await theirs.waitForTimeout(600);
  await theirs.goto("about:blank");
  await open(theirs, link);
  await expect(theirs.getByRole("region", { name: "What the link has brought" })).toContainText("brings 1 file");
  await expect(textOf(theirs)).toHaveText("mine");
  await theirs.getByRole("button", { name: "Back to my files" }).click();
  await theirs.getByRole("button", { name: /notes\.md/ }).click();
  await expect(textOf(theirs)).toHaveText("theirs");
  await other.close();
});

test("the page works without a network after it was opened once", async ({ page, context }) => {
  await open(page);
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    if (!navigator.serviceWorker.controller) await new Promise((resolve) => navigator.serviceWorker.addEventListener("controllerchange", resolve));
  });
  // What lies beside the page on its host comes from there.
  await page.goto("book/");
  await expect(page.getByRole("heading", { name: "The book" })).toBeVisible();
  await open(page);
  await context.setOffline(true);
  await page.reload();
  await open(page, "#/table?game=nations-dice");
  await page.getByRole("button", { name: "Begin", exact: true }).click();
  await expect(page.locator(".ask .option").first()).toBeVisible();
});

for (const look of LOOKS.filter((look) => look.colorScheme === "light")) {
  test.describe(look.name, () => {
    test.use({ viewport: look.viewport });

    test(`answers stay where they are while one points, ${look.name}`, async ({ page }) => {
      await open(page, "#/table?game=near");
      await page.getByRole("button", { name: "Begin", exact: true }).click();
      await expect(page.locator(".ask .option").first()).toBeVisible();
      await page.evaluate(() => {
        const seen = window as unknown as { shifts: number };
        seen.shifts = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as unknown as { value: number; hadRecentInput: boolean }[]) if (!entry.hadRecentInput) seen.shifts += entry.value;
        }).observe({ type: "layout-shift", buffered: false });
      });
      await page.locator(".card").nth(2).hover();
      await page.locator(".ask .option").first().hover();
      await page.waitForTimeout(800);
      const place = await page.locator(".ask .option").first().boundingBox();
      await page.locator(".card").nth(2).hover();
      await page.waitForTimeout(300);
      expect(await page.locator(".ask .option").first().boundingBox()).toEqual(place);
      expect(await page.evaluate(() => (window as unknown as { shifts: number }).shifts)).toBeLessThan(0.02);
    });
  });
}

test("how large the page is, and how fast it plays", async ({ page }) => {
  const dist = join(here, "../dist");
  let [whole, packed] = [0, 0];
  for (const name of readdirSync(dist)) {
    const path = join(dist, name);
    whole += statSync(path).size;
    packed += gzipSync(readFileSync(path)).length;
  }
  const began = Date.now();
  await open(page);
  console.log(`the page: ${(whole / 1e6).toFixed(1)} MB, packed ${(packed / 1e6).toFixed(1)} MB; usable ${Date.now() - began} ms after it was asked for`);
  for (const [game, games] of [["nations", 40], ["nations-dice", 200], ["near", 20]] as const) {
    await page.getByRole("tab", { name: "Command" }).click();
    await control(page, "Command").fill(`playtest ${game} -n ${games}`);
    const start = Date.now();
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await expect(page.locator(".ran").first().getByRole("heading")).toContainText(game);
    const seconds = (Date.now() - start) / 1000;
    await expect(page.locator(".ran").first().locator(".output")).toContainText(`${games} complete games`);
    console.log(`${game}: ${games} games in ${seconds.toFixed(1)} s, ${(games / seconds).toFixed(1)} a second, with the start of the program`);
  }
});
