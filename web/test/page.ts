// The page as a person meets it, for tests: whatever breaks its policy or fails in it fails the test.
import AxeBuilder from "@axe-core/playwright";
import { test as base, expect, type Locator, type Page } from "@playwright/test";

/** Watches a page: what is written to its console as an error, and what its policy has forbidden. */
export function watched(page: Page): string[] {
  const wrong: string[] = [];
  page.on("pageerror", (error) => wrong.push(error.stack ?? error.message));
  page.on("console", (message) => {
    if (message.type() === "error") wrong.push(message.text());
  });
  return wrong;
}

/** `wrong` is what is wrong in `page` so far; what is still there at the end fails the test. */
export const test = base.extend<{ wrong: string[] }>({
  wrong: [
    async ({ page }, use) => {
      const wrong = watched(page);
      await use(wrong);
      expect(wrong, "errors in the page, and what its policy forbids").toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

/** Opens the page and waits until it can be used. */
export async function open(page: Page, address = ""): Promise<void> {
  await page.goto(address);
  await expect(page.locator("#main")).toBeVisible();
  await expect(page.getByRole("progressbar", { name: "The program is loaded" })).toHaveCount(0);
}

/** Makes something by the window "Something new". */
export async function make(page: Page, sort: string, name: string, fields: Record<string, string> = {}): Promise<void> {
  await page.getByRole("button", { name: "New…" }).click();
  const window = page.getByRole("dialog", { name: "Something new" });
  await window.getByRole("radio", { name: sort, exact: true }).check();
  await window.getByLabel(sort === "empty file" ? "Path" : "Name", { exact: true }).fill(name);
  for (const [field, value] of Object.entries(fields)) {
    const input = control(window, field);
    if ((await input.evaluate((element) => element.tagName)) === "SELECT") await input.selectOption(value);
    else await input.fill(value);
  }
  await window.getByRole("button", { name: "Make it" }).click();
  await expect(window).toBeHidden();
}

/** A field by its name. */
export function control(scope: Page | Locator, name: string): Locator {
  return (["combobox", "textbox", "spinbutton", "searchbox"] as const).map((role) => scope.getByRole(role, { name, exact: true })).reduce((one, other) => one.or(other));
}

/** The text of the open file. */
export function textOf(page: Page): Locator {
  return page.locator(".cm-content");
}

/** Writes over the text of the open file, as one who pastes does. */
export async function writeText(page: Page, text: string): Promise<void> {
  await textOf(page).click();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(text);
}

/** Puts the cursor behind the first place of some words in the open file, by searching it. */
export async function select(page: Page, words: string): Promise<void> {
  await textOf(page).click();
  await page.keyboard.press("ControlOrMeta+Home");
  await page.keyboard.press("ControlOrMeta+f");
  await page.keyboard.type(words);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
}

/** What the accessibility checker finds. */
export async function faultsOf(page: Page): Promise<string[]> {
  const found = await new AxeBuilder({ page }).analyze();
  return found.violations.map((one) => `${one.id}: ${one.help}: ${one.nodes.map((node) => `${node.target.join(" ")} ${node.failureSummary?.split("\n")[1]?.trim()}`).slice(0, 4).join("; ")}`);
}

/** Begins the game of the form with this seed; machine players answer at once. */
export async function beginGame(page: Page, seed: number): Promise<void> {
  await control(page, "The same seed deals the same cards").fill(String(seed));
  await page.getByRole("button", { name: "Begin", exact: true }).click();
  await control(page, "Machines").selectOption("at once");
}

/** Gives the first answer that can be given, and waits until it is given. */
export async function answerFirst(page: Page): Promise<void> {
  // It is read at once: a locator would wait for a number that is covered in the meantime, and with it the whole poll.
  const now = () => page.evaluate(() => document.querySelector(".slider .number")?.textContent ?? null);
  const before = await now();
  await page.locator(".ask .option:not(.no):not(:disabled)").first().click();
  await expect.poll(async () => (await now()) !== before).toBe(true);
}

/** Answers the open questions of all people, always with the first answer that can be given, until the game is over. */
export async function playToTheEnd(page: Page, most = 400): Promise<void> {
  const over = page.getByRole("region", { name: "How it ended" });
  const answer = page.locator(".ask .option:not(.no):not(:disabled)").first();
  for (let answers = 0; answers < most; answers++) {
    await expect(answer.or(over).first()).toBeVisible();
    if (await over.isVisible()) return;
    await answerFirst(page);
  }
  throw new Error(`the game is not over after ${most} answers`);
}
