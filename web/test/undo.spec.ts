// What was answered at the table is taken back, also when machine players have answered since.
import type { Page } from "@playwright/test";
import { answerFirst, beginGame, expect, open, test } from "./page";

/** How many answers the game has, when nobody but a person is to answer. */
async function answersAtRest(page: Page): Promise<number> {
  await expect(page.locator(".ask .option:not(.no):not(:disabled)").first()).toBeVisible();
  return Number((await page.locator(".slider .number").textContent())?.split("/")[1]);
}

test("undo takes back one's answer and what a machine player has answered since", async ({ page }) => {
  await open(page, "#/table?game=nations");
  await beginGame(page, 3);
  let before = await answersAtRest(page);
  // A card shows what it produces, and what only other numbers of players use is not there.
  await expect(page.locator(".card", { hasText: "Farm" }).first()).toContainText("production");
  await expect(page.getByRole("heading", { name: "shadow die" })).toHaveCount(0);
  for (let answers = 0; answers < 12; answers++) {
    await answerFirst(page);
    const after = await answersAtRest(page);
    if (after > before + 1) break;
    before = after;
  }
  const offered = await page.locator(".ask .option").allTextContents();
  await page.getByRole("button", { name: "Undo" }).click();
  // What chance has shown since is told, and a person who plays alone may go back all the same.
  const again = page.getByRole("button", { name: "Take it back" });
  await expect(again.or(page.locator(".slider .number", { hasText: `${before} / ${before}` }))).toBeVisible();
  if (await again.isVisible()) await again.click();
  await expect(page.locator(".slider .number")).toHaveText(`${before} / ${before}`);
  await expect(page.locator(".note.wrong")).toHaveCount(0);
  expect(await page.locator(".ask .option").allTextContents()).not.toEqual(offered);
  await answerFirst(page);
});

test("what has shown something is taken back only when one says so, and the game goes on if not", async ({ page }) => {
  await open(page, "#/table?game=nations-dice");
  await beginGame(page, 5);
  let before = await answersAtRest(page);
  const refused = page.getByRole("dialog", { name: /^Take it back all the same\?/ });
  for (let answers = 0; answers < 20; answers++) {
    await answerFirst(page);
    const now = await answersAtRest(page);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(refused.or(page.locator(".slider .number", { hasText: `${before} / ${before}` }))).toBeVisible();
    if (await refused.isVisible()) {
      await refused.getByRole("button", { name: "Cancel" }).click();
      await expect(page.locator(".slider .number")).toHaveText(`${now} / ${now}`);
      await page.getByRole("button", { name: "Undo" }).click();
      await refused.getByRole("button", { name: "Take it back" }).click();
      await expect(page.locator(".slider .number")).toHaveText(`${before} / ${before}`);
      return;
    }
    await answerFirst(page);
    before = await answersAtRest(page);
  }
  throw new Error("nothing was shown in 20 answers");
});

test("who looks back sees the log up to there, and what was chosen", async ({ page }) => {
  await open(page, "#/table?game=nations");
  await beginGame(page, 3);
  const begun = await answersAtRest(page);
  const given = (await page.locator(".ask .option:not(.no):not(:disabled) > span").first().textContent()) ?? "";
  for (let answers = 0; answers < 3; answers++) {
    await answersAtRest(page);
    await answerFirst(page);
  }
  const whole = await answersAtRest(page);
  const log = page.getByText(/^All that has happened/);
  const lines = Number(/\d+/.exec((await log.textContent()) ?? "")?.[0]);
  await page.getByRole("slider").fill(String(begun));
  await expect(page.getByText(`This is how it stood after ${begun} of ${whole}`)).toBeVisible();
  await expect(page.locator(".option.chosen")).toContainText(given);
  await expect(page.locator(".option.chosen")).toContainText("chosen");
  await expect.poll(async () => Number(/\d+/.exec((await log.textContent()) ?? "")?.[0])).toBeLessThan(lines);
  const shown = await page.locator(".trace li").allTextContents();
  await page.getByText(/^All that has happened/).click();
  const first = (await page.locator(".lines li").allTextContents()).reverse();
  expect(shown).toEqual(first.slice(-8));
});

for (const [name, width, height] of [["wide", 1280, 800], ["phone", 390, 844]] as const) {
  test(`what one is asked about is in view and says what it is, ${name}`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await open(page, "#/table?game=near");
    await beginGame(page, 3);
    await answersAtRest(page);
    await expect(page.locator(".board [data-space].can").first()).toBeInViewport({ ratio: 1 });
    await expect(page.locator(".ask .option").first()).toContainText(/world \w+\s*ground: \w+/);
    await page.getByRole("button", { name: "Hint" }).click();
    await expect(page.getByRole("note")).toContainText("greedy thinks");
    await expect(page.locator(".board [data-space].hinted")).toBeInViewport({ ratio: 1 });
  });
}
