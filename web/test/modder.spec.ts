// A modder makes a pack, adds a card to it, meets a fault, mends it by what is offered, and plays with the card.
import { expect, make, open, select, test, textOf } from "./page";

test("a modder adds a card, sees a fault, mends it by a click, and plays it", async ({ page }) => {
  await open(page);
  await make(page, "pack", "evening", { "For the game": "nations" });
  await make(page, "card", "lamplighter", { "Kind of card": "advisor" });
  await expect(textOf(page)).toContainText('id     = "lamplighter"');

  // A slip of a name: told with a way out while one types.
  await select(page, "stability = 1");
  await page.keyboard.insertText("stabilty = 1");
  const problem = page.locator(".problems li").filter({ hasText: "stabilty" });
  await expect(problem).toBeVisible();
  await expect(page.getByRole("button", { name: /lamplighter\.toml/ }).first()).toContainText("!");
  await problem.getByRole("button", { name: "write `stability`" }).click();
  await expect(problem).toHaveCount(0);
  await expect(textOf(page)).toContainText("stability = 1");

  await page.getByRole("tab", { name: "Tests" }).click();
  await expect(page.locator(".tests .sign")).toHaveText("passed");

  // The game is offered with the pack.
  await page.getByRole("button", { name: "Play", exact: true }).first().click();
  await expect(page.getByRole("checkbox", { name: "evening" })).toBeChecked();
  await page.getByRole("button", { name: "Begin", exact: true }).click();
  await expect(page.locator(".ask .option").first()).toBeVisible();
  await page.locator(".ask .option:not(.no)").first().hover();
  await expect(page.locator(".inspector .changes")).toBeVisible();
});
