// A designer writes a small game from nothing and plays it to its end.
import { control, expect, make, open, playToTheEnd, select, test, textOf } from "./page";

test("a designer writes a small game, changes it, and plays it to its end", async ({ page }) => {
  await open(page);
  await make(page, "game", "tidepool");
  await expect(textOf(page)).toContainText("game tidepool");

  // The start works: its tests pass without anything more.
  await page.getByRole("tab", { name: "Tests" }).click();
  await expect(page.locator(".tests .sign")).toHaveText("passed");

  // A rule becomes another, and a test says at once that it is not as it was.
  await select(page, "3 * (pearls / 2)");
  await page.keyboard.insertText("5 * (pearls / 2)");
  await expect(page.locator(".tests .sign")).toHaveText("failed");
  await expect(page.locator(".tests .output")).toContainText("pearls count in pairs");
  await page.getByRole("button", { name: /tidepool\.toml/ }).click();
  await select(page, "p1.score.pearls == 3");
  await page.keyboard.insertText("p1.score.pearls == 5");
  await expect(page.locator(".tests .sign")).toHaveText("passed");

  // It is played at once, with what is written now.
  await page.getByRole("button", { name: "Play", exact: true }).first().click();
  await expect(page.getByRole("radio", { name: /Tidepool/ })).toBeChecked();
  await control(page, "The same seed deals the same cards").fill("7");
  await page.getByRole("button", { name: "Begin", exact: true }).click();
  await control(page, "Machines").selectOption("at once");
  await playToTheEnd(page);
  const ended = page.getByRole("region", { name: "How it ended" });
  await expect(ended.getByRole("rowheader", { name: "pearls" })).toBeVisible();
  await expect(ended.getByRole("heading")).toContainText("won");

  // The game can be gone through, and its files are there when one comes back.
  await page.getByRole("button", { name: "One answer back" }).click();
  await expect(page.getByText(/This is how it stood after/)).toBeVisible();
  await page.reload();
  await open(page, "#/workbench");
  await expect(page.getByRole("button", { name: /tidepool\.rules/ })).toBeVisible();
});
