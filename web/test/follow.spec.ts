// What stands beside the editor is about the file that is open, and a phone shows first what can be begun.
import { control, expect, make, open, select, test, textOf } from "./page";

test("tests tell no fault of one thing under the name of another", async ({ page }) => {
  await open(page);
  await make(page, "pack", "evening", { "For the game": "nations-dice" });
  await page.getByRole("tab", { name: "Tests" }).click();
  await textOf(page).click();
  await page.keyboard.press("ControlOrMeta+Home");
  await page.keyboard.type("broken [");
  await expect(page.locator(".tests strong")).toHaveText("evening");
  await expect(page.locator(".tests .sign")).toHaveText("failed");
  // What stands under which name, at every moment from here on.
  await page.locator(".tests").evaluate((tests) => {
    const seen = window as unknown as { told: string[] };
    seen.told = [];
    const part = (name: string) => tests.querySelector(name)?.textContent ?? "";
    const note = () => seen.told.push([part("strong"), part(".sign"), part(".output")].join("|"));
    new MutationObserver(note).observe(tests, { childList: true, characterData: true, subtree: true });
  });
  await page.getByRole("searchbox", { name: "Search files" }).fill("nations-dice.rules");
  await page.getByRole("button", { name: "nations-dice.rules" }).click();
  await expect(page.locator(".tests strong")).toHaveText("nations-dice");
  await expect(page.locator(".tests .sign")).toHaveText("passed");
  const told = (await page.evaluate(() => (window as unknown as { told: string[] }).told)).filter((text) => text.startsWith("nations-dice|"));
  expect(told[0]).toBe("nations-dice||");
  expect(told.at(-1)).toContain("nations-dice|passed|");
  expect(told.filter((text) => text.startsWith("nations-dice|failed") || text.includes("broken"))).toEqual([]);
});

test("a comparison is about the open file and what was changed in it", async ({ page }) => {
  await open(page);
  await page.getByRole("tab", { name: "Compare" }).click();
  await page.getByRole("searchbox", { name: "Search files" }).fill("nations-dice.rules");
  await page.getByRole("button", { name: "nations-dice.rules" }).click();
  await expect(control(page, "Game")).toHaveValue("nations-dice");
  await expect(control(page, "What is changed")).toHaveValue("by a line of rules");
  await select(page, "constant stones");
  await page.keyboard.press("End");
  await page.keyboard.type(" ");
  await expect(control(page, "What is changed")).toHaveValue("by my files, against the built-in game");
  await page.getByRole("searchbox", { name: "Search files" }).fill("");
  await make(page, "pack", "evening", { "For the game": "nations" });
  await expect(control(page, "Game")).toHaveValue("nations");
  await expect(control(page, "What is changed")).toHaveValue("evening");
  // What one has chosen oneself stands.
  await control(page, "What is changed").selectOption("by a line of rules");
  await control(page, "Change").fill("change bonus by +1");
  await page.getByRole("button", { name: "nations-dice.rules" }).click();
  await expect(control(page, "Change")).toHaveValue("change bonus by +1");
  await expect(control(page, "Game")).toHaveValue("nations");
});

test.describe("phone", () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test("a phone opens on what can be begun", async ({ page }) => {
    await open(page);
    await expect(page.getByRole("button", { name: /^Play/ })).toBeInViewport();
    await expect(page.getByRole("button", { name: /^Compare a rule/ })).toBeInViewport();
    await page.getByRole("button", { name: /^Play/ }).click();
    await expect(page.getByRole("button", { name: "Begin", exact: true })).toBeVisible();
  });
});
