import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";

const port = Number(process.env.PORT ?? 4173);
const chromium = process.env.CHROMIUM ?? (existsSync("/usr/bin/chromium") ? "/usr/bin/chromium" : undefined);

export default defineConfig({
  testDir: ".",
  outputDir: "../test-results",
  reporter: [["list"]],
  // Each test has a page of its own, and waits most of its time.
  fullyParallel: true,
  workers: 2,
  // How long something takes is no mark: on a machine that does much else at the same time all is slow. These end what would go on for ever.
  timeout: 1_800_000,
  expect: { timeout: 300_000 },
  use: {
    baseURL: `http://127.0.0.1:${port}/game-night/`,
    viewport: { width: 1280, height: 900 },
    launchOptions: { executablePath: chromium },
    trace: "retain-on-failure",
    permissions: ["clipboard-read", "clipboard-write"],
  },
  webServer: { command: "node server.mjs", url: `http://127.0.0.1:${port}/game-night/index.html`, env: { PORT: String(port) }, reuseExistingServer: false },
});
