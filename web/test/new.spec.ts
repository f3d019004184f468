// The window "Something new": what is missing is said, what works is shown, and what is given up is not made.
import { expect, make, open, test, textOf } from "./page";

test("a card is made from nothing, also of a kind that two games have", async ({ page }) => {
  await open(page);
  await make(page, "card", "lamplighter", { "For the game": "nations", "Kind of card": "advisor" });
  await expect(textOf(page)).toContainText('id     = "lamplighter"');
  await expect(page.locator(".text .path")).toContainText("mypack/cards/");
  // Into the pack that is there now, of whose game nobody is asked.
  await make(page, "card", "second_one", { "Kind of card": "advisor" });
  await expect(textOf(page)).toContainText('id     = "second_one"');
  await make(page, "pack", "of_dice", { "For the game": "nations-dice", "Kind of card": "advisor" });
  await expect(page.locator(".text .path")).toContainText("of_dice/cards/");
});

test("what is missing is said, and Escape while something is made leaves all as it was", async ({ page }) => {
  await open(page);
  await make(page, "empty file", "notes.md");
  await page.getByRole("button", { name: "New…" }).click();
  const window = page.getByRole("dialog", { name: "Something new" });
  await window.getByRole("radio", { name: "card" }).check();
  const makeIt = window.getByRole("button", { name: "Make it" });
  const said = window.getByRole("alert");
  await makeIt.click();
  await expect(said).toHaveText("The name is missing");
  await window.getByLabel("Name", { exact: true }).fill("Lamp Lighter");
  await makeIt.click();
  await expect(said).toContainText("lamp_lighter");
  await window.getByLabel("Name", { exact: true }).fill("lamp_lighter");
  await makeIt.click();
  await expect(said).toHaveText("The kind of the card is missing");
  await window.getByRole("radio", { name: "pack" }).check();
  await makeIt.click();
  await expect(window.getByRole("button", { name: "Is made…" })).toBeDisabled();
  await expect(window.getByRole("progressbar", { name: "It is made" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(window).toBeHidden();
  await textOf(page).click();
  await page.keyboard.type("goes on", { delay: 200 });
  await page.waitForTimeout(4000);
  await expect(textOf(page)).toHaveText("goes on");
  await expect(page.getByRole("button", { name: /pack\.toml/ })).toHaveCount(0);
});

test("an empty file takes the place of none that is there", async ({ page }) => {
  await open(page);
  await make(page, "empty file", "notes.md");
  await page.getByRole("button", { name: "New…" }).click();
  const window = page.getByRole("dialog", { name: "Something new" });
  await window.getByRole("radio", { name: "empty file" }).check();
  await window.getByLabel("Path").fill("notes.md");
  await window.getByRole("button", { name: "Make it" }).click();
  await expect(window.getByRole("alert")).toContainText("is there already");
});
