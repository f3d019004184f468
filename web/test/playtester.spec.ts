// A playtester compares a rule, and shows the comparison and a game of it to somebody else by links.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { control, expect, open, playToTheEnd, select, test, watched } from "./page";

// How many times as long the page may take, from the first byte on, as the program with one thread on the same machine at the same time: about a minute
// where the program takes four seconds and a half.
const TIMES_AS_LONG = 14;

const web = join(dirname(fileURLToPath(import.meta.url)), "..");
const houserule = process.env.HOUSERULE ?? join(web, "../target/debug/houserule");

async function timeOfProgram(): Promise<number> {
  const began = Date.now();
  await promisify(execFile)(houserule, ["compare", "nations", "-n", "20", "--threads", "1", "--with", "change bonus by +1"]);
  return Date.now() - began;
}

test("a rule is compared about as fast as by the program, and others see it by a link", async ({ page, browser }) => {
  const before = await timeOfProgram();
  const began = Date.now();
  await open(page);
  const usable = Date.now() - began;
  await page.getByRole("button", { name: /^Compare a rule/ }).click();
  await control(page, "Game").selectOption("nations");
  await control(page, "Change").fill("change bonus by +1");
  await control(page, "Pairs of games").fill("20");
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  const words = page.getByLabel("What differs, in words");
  // A machine that does much else at the same time is slow with both.
  await expect(words).toContainText("mean points of a player");
  const compared = Date.now() - began;
  const ratio = compared / Math.max(before, await timeOfProgram());
  console.log(`a rule of Nations is compared over 20 pairs in ${ratio.toFixed(1)} times what the program takes, ${(usable / compared).toFixed(2)} of it until the page can be used`);
  expect(ratio).toBeLessThan(TIMES_AS_LONG);

  // The page with its charts, which are drawn by scripts in a sandbox.
  const report = page.frameLocator('iframe[title="What differs, with charts"]');
  await expect(report.locator("svg").first()).toBeVisible();

  await page.getByRole("button", { name: "Copy a link" }).click();
  await expect(page.getByRole("status").filter({ hasText: "the link" })).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());

  // Somebody else, who has nothing yet: the link says what it would do, and does nothing by itself.
  const other = await browser.newContext();
  const theirs = await other.newPage();
  const wrong = watched(theirs);
  await open(theirs, link);
  await expect(control(theirs, "Change")).toHaveValue("change bonus by +1");
  await expect(theirs.getByLabel("What differs, in words")).toHaveCount(0);
  await theirs.getByRole("button", { name: "Compare", exact: true }).click();
  await expect(theirs.getByLabel("What differs, in words")).toContainText("mean points of a player");
  expect(await theirs.getByLabel("What differs, in words").textContent()).toBe(await words.textContent());
  expect(wrong).toEqual([]);
  await other.close();
});

test("a game is shown to others by a link, at the answer that one looks at", async ({ page, browser }) => {
  await open(page, "#/table?game=nations-dice");
  await control(page, "Players").selectOption("2");
  await control(page, "Player 1").selectOption("greedy");
  await control(page, "The same seed deals the same cards").fill("5");
  await page.getByRole("button", { name: "Begin", exact: true }).click();
  await control(page, "Machines").selectOption("at once");
  await playToTheEnd(page);
  const points = await page.getByRole("region", { name: "How it ended" }).textContent();
  await page.getByRole("slider").fill("9");
  await expect(page.getByText("This is how it stood after 9 of")).toBeVisible();
  await page.getByRole("button", { name: "Save and share…" }).click();
  await page.getByRole("menuitem", { name: "Copy a link to this position" }).click();
  await expect(page.getByRole("status").filter({ hasText: "the link" })).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());

  const other = await browser.newContext();
  const theirs = await other.newPage();
  await open(theirs, link);
  await expect(theirs.getByText("This is how it stood after 9 of")).toBeVisible();
  await theirs.getByRole("button", { name: "Back to the end" }).click();
  await expect(theirs.getByRole("region", { name: "How it ended" })).toBeVisible();
  expect(await theirs.getByRole("region", { name: "How it ended" }).textContent()).toBe(points);
  await other.close();
});

test("a built-in game that one has changed is compared with the one inside", async ({ page }) => {
  await open(page);
  await page.getByRole("button", { name: /^Compare a rule/ }).click();
  await control(page, "Game").selectOption("nations-dice");
  const mine = control(page, "What is changed").getByRole("option", { name: "by my files, against the built-in game" });
  await expect(mine).toHaveCount(0);
  await page.getByRole("searchbox", { name: "Search files" }).fill("rules/nations-dice.rules");
  await page.getByRole("button", { name: /nations-dice\.rules/ }).click();
  await select(page, "start_dice    = 5");
  await page.keyboard.insertText("start_dice    = 6");
  await expect(mine).toHaveCount(1);
  await control(page, "What is changed").selectOption("by my files, against the built-in game");
  await control(page, "Pairs of games").fill("20");
  await page.getByRole("button", { name: "Compare", exact: true }).click();
  await expect(page.getByLabel("What differs, in words")).toContainText("--since inside");
  await expect(page.getByLabel("What differs, in words")).toContainText("start_dice");
});

test("cards are printed from the page", async ({ page }) => {
  await open(page);
  await page.getByRole("tab", { name: "Command" }).click();
  await control(page, "Command").fill("print nations-dice --cards advisor --once --out advisors.pdf");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(page.locator(".ran").first().locator(".output")).toContainText("12 cards on 2 sheets");
  const [saved] = await Promise.all([page.waitForEvent("download"), page.locator(".ran").first().getByRole("button", { name: "Save" }).click()]);
  expect(saved.suggestedFilename()).toBe("advisors.pdf");
  const bytes = readFileSync(await saved.path());
  // A reader finds its table of contents where the end of the file says, so that no byte is lost.
  const place = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(bytes.subarray(-64).toString("latin1"))?.[1]);
  expect(bytes.subarray(0, 5).toString("latin1")).toBe("%PDF-");
  expect(bytes.subarray(place, place + 12).toString("latin1")).toMatch(/^(xref|\d+ 0 obj)/);
});
