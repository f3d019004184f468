// Nothing is lost when the page is closed: games that are not over, and what was typed last.
import { answerFirst, beginGame, expect, make, open, playToTheEnd, select, test, textOf } from "./page";

test("a game is there after a reload and after leaving it, and gone when it is given up or over", async ({ page }) => {
  await open(page);
  await make(page, "game", "tidepool");
  await page.getByRole("button", { name: "Play", exact: true }).first().click();
  await expect(page.getByRole("radio", { name: /Tidepool/ })).toBeChecked();
  await beginGame(page, 7);
  await answerFirst(page);
  const count = page.locator(".slider .number");
  await expect(page.locator(".ask .option:not(.no):not(:disabled)").first()).toBeVisible();
  const stood = await count.textContent();
  await page.reload();
  const kept = page.getByRole("region", { name: "Games that are not over" });
  await expect(kept).toContainText("Tidepool");
  await expect(kept).toContainText("a person, machine, greedy");
  await expect(kept).toContainText(`${stood?.split("/")[1]?.trim()} answers`);
  await kept.getByRole("button", { name: "Go on" }).click();
  await expect(count).toHaveText(stood ?? "");
  await page.getByRole("button", { name: "Leave" }).click();
  await page.getByRole("button", { name: "Leave it" }).click();
  await expect(kept.getByRole("listitem")).toHaveCount(1);

  // What is over is not kept.
  await kept.getByRole("button", { name: "Go on" }).click();
  await page.getByRole("combobox", { name: "Machines" }).selectOption("at once");
  await playToTheEnd(page);
  await page.getByRole("button", { name: "Leave" }).click();
  await expect(page.getByRole("button", { name: "Begin", exact: true })).toBeVisible();
  await expect(kept).toHaveCount(0);

  await expect(page.getByRole("radio", { name: /Tidepool/ })).toBeChecked();
  await beginGame(page, 7);
  await answerFirst(page);
  await expect(page.locator(".ask .option:not(.no):not(:disabled)").first()).toBeVisible();
  await page.reload();
  await kept.getByRole("button", { name: "Give up" }).click();
  await page.getByRole("button", { name: "Give it up" }).click();
  await expect(kept).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole("button", { name: "Begin", exact: true })).toBeVisible();
  await expect(kept).toHaveCount(0);
});

test("a kept game of rules that were changed since says so, and is not lost", async ({ page }) => {
  await open(page);
  await make(page, "game", "tidepool");
  await page.getByRole("button", { name: "Play", exact: true }).first().click();
  await expect(page.getByRole("radio", { name: /Tidepool/ })).toBeChecked();
  await beginGame(page, 7);
  await answerFirst(page);
  await expect(page.locator(".ask .option:not(.no):not(:disabled)").first()).toBeVisible();
  await page.getByRole("link", { name: "Workbench" }).click();
  await page.getByRole("button", { name: /tidepool\.rules/ }).click();
  await select(page, "3 * (pearls / 2)");
  await page.keyboard.insertText("5 * (pearls / 2)");
  await page.waitForTimeout(500);
  await page.reload();
  await page.getByRole("link", { name: "Table" }).click();
  const kept = page.getByRole("region", { name: "Games that are not over" });
  await kept.getByRole("button", { name: "Go on" }).click();
  const asked = page.getByRole("dialog", { name: /^The rules or cards have been changed/ });
  await asked.getByRole("button", { name: "Cancel" }).click();
  await expect(kept.getByRole("listitem")).toHaveCount(1);
  await kept.getByRole("button", { name: "Go on" }).click();
  await asked.getByRole("button", { name: "Go on" }).click();
  await answerFirst(page);
  await expect(page.locator(".ask .option:not(.no):not(:disabled)").first()).toBeVisible();
  await page.reload();
  await expect(kept.getByRole("listitem")).toHaveCount(2);

  // Where it cannot be gone on with at all, it says why.
  await page.getByRole("link", { name: "Workbench" }).click();
  await page.getByRole("button", { name: /tidepool\.rules/ }).click();
  await select(page, "game tidepool");
  await page.keyboard.insertText("gime tidepool");
  await page.waitForTimeout(500);
  await page.getByRole("link", { name: "Table" }).click();
  await kept.getByRole("button", { name: "Go on" }).first().click();
  await expect(kept).toContainText("it stays kept");
  await expect(kept.getByRole("listitem")).toHaveCount(2);
});

test("what was typed last is there after a reload at once, with nothing waited for", async ({ page }) => {
  await open(page);
  await make(page, "empty file", "notes.md");
  await textOf(page).click();
  await page.keyboard.type("first");
  await page.waitForTimeout(500);
  await page.keyboard.type(", and last");
  await page.reload();
  await page.getByRole("button", { name: /notes\.md/ }).click();
  await expect(textOf(page)).toHaveText("first, and last");
  // It is kept as ever then, and nothing is left of what was noted.
  await expect.poll(() => page.evaluate(() => Object.keys(localStorage).filter((name) => name.startsWith("houserule-unkept")).length)).toBe(0);
  await page.reload();
  await page.getByRole("button", { name: /notes\.md/ }).click();
  await expect(textOf(page)).toHaveText("first, and last");
});

test("what is changed in the files of a link is there after a reload, with the link in the address", async ({ page, browser }) => {
  await open(page);
  await make(page, "empty file", "notes.md");
  await textOf(page).click();
  await page.keyboard.type("brought");
  await page.waitForTimeout(500);
  await page.getByRole("button", { name: "More…" }).click();
  await page.getByRole("menuitem", { name: "Copy a link to my files" }).click();
  await expect(page.getByRole("status").filter({ hasText: "the link" })).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());

  const other = await browser.newContext();
  const theirs = await other.newPage();
  const banner = theirs.getByRole("region", { name: "What the link has brought" });
  // As some programs write it.
  await open(theirs, link.replace("#link=", "#link%3D"));
  await expect(textOf(theirs)).toHaveText("brought");
  await textOf(theirs).click();
  await theirs.keyboard.press("ControlOrMeta+End");
  await theirs.keyboard.type(", changed");
  await theirs.reload();
  await expect(banner).toBeVisible();
  await expect(textOf(theirs)).toHaveText("brought, changed");
  await theirs.getByRole("link", { name: "Table" }).click();
  await theirs.reload();
  await expect(theirs.getByRole("heading", { name: "A game begins" })).toBeVisible();
  await expect(banner).toBeVisible();
  await banner.getByRole("button", { name: "Back to my files" }).click();
  await expect(banner).toHaveCount(0);
  await expect(theirs).not.toHaveURL(/link/);
  await theirs.goBack();
  await expect(banner).toBeVisible();
  await banner.getByRole("button", { name: "As the link brought it" }).click();
  await theirs.getByRole("button", { name: "Give it up" }).click();
  await theirs.getByRole("link", { name: "Workbench" }).click();
  await theirs.getByRole("button", { name: /notes\.md/ }).first().click();
  await expect(textOf(theirs)).toHaveText("brought");
  await other.close();
});

for (const hash of ["#link", "#link%3", "#link:7Vq9bhs5"]) {
  test(`a link of which only ${hash} is left says that it was cut`, async ({ page }) => {
    await page.goto(hash);
    await expect(page.getByRole("status")).toContainText("the link is not whole");
  });
}
