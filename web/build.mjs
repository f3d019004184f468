// Makes the page: `npm run build` writes everything that a host has to hand out into dist/. What it needs besides the packages here is the
// program as WebAssembly in wasm/ (or in the folder that WASM names): `./build-wasm.sh` makes it.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const wasm = process.env.WASM ?? join(here, "wasm");
const out = join(here, "dist");

for (const name of ["houserule_web.js", "houserule_web_bg.wasm"]) {
  if (!existsSync(join(wasm, name))) {
    console.error(`${join(wasm, name)} is missing: run ./build-wasm.sh, which makes the program for the browser, or say with WASM=FOLDER where it lies`);
    process.exit(1);
  }
}

/** The words of the rules language, so that the editor can set them off: each keyword of the grammar is a line such as `ZONE = @{ "zone" … }`. */
function keywords() {
  const grammar = readFileSync(join(here, "../grammar/rules.pest"), "utf8");
  const words = new Set();
  for (const [line] of grammar.matchAll(/^[A-Z_]+ = @\{.*\}$/gm)) {
    for (const [, word] of line.matchAll(/"([a-z]+)"/g)) words.add(word);
  }
  if (words.size < 50) throw new Error("the keywords of grammar/rules.pest are not written as they were: look at keywords() in build.mjs");
  return [...words].sort();
}

/**
 * CodeMirror puts its styles into a `<style>` element of the document, which the page's policy forbids. Sheets made by script are allowed,
 * and style-mod can make them, but only does so in a shadow root.
 */
const adoptedStyles = {
  name: "adopted-styles",
  setup(build) {
    build.onLoad({ filter: /style-mod[\\/].*\.js$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      const condition = "!root.head && root.adoptedStyleSheets";
      if (!text.includes(condition)) throw new Error(`${path} is not what it was: look at adoptedStyles in build.mjs`);
      return { contents: text.replace(condition, "root.adoptedStyleSheets"), loader: "js" };
    });
  },
};

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
cpSync(join(here, "static"), out, { recursive: true });
cpSync(join(wasm, "houserule_web_bg.wasm"), join(out, "houserule_web_bg.wasm"));

// Which games are inside, so that the page knows it before the program has read their rules.
const { default: init, Program } = await import(pathToFileURL(join(wasm, "houserule_web.js")).href);
await init({ module_or_path: readFileSync(join(wasm, "houserule_web_bg.wasm")) });
writeFileSync(join(out, "games.json"), new Program(() => {}).games());

const common = { bundle: true, minify: true, target: ["es2022"], legalComments: "linked", logLevel: "warning", outdir: out };
await build({
  ...common,
  entryPoints: { main: join(here, "src/main.tsx"), style: join(here, "src/style/style.css") },
  format: "esm",
  jsx: "automatic",
  jsxImportSource: "preact",
  define: { KEYWORDS: JSON.stringify(keywords()) },
  plugins: [adoptedStyles],
});
await build({ ...common, entryPoints: { worker: join(here, "src/worker.ts") }, format: "esm", alias: { "houserule-wasm": join(wasm, "houserule_web.js") } });
await build({ ...common, entryPoints: { report: join(here, "src/report.ts") }, format: "iife" });

// The service worker keeps these files; its name for them changes when one of them does.
const files = readdirSync(out).filter((name) => !name.endsWith(".txt")).sort();
const hash = createHash("sha256");
for (const name of files) hash.update(name).update(readFileSync(join(out, name)));
await build({
  ...common,
  entryPoints: { "service-worker": join(here, "src/service-worker.ts") },
  format: "iife",
  define: { FILES: JSON.stringify(["./", ...files.filter((name) => name !== "index.html")]), VERSION: JSON.stringify(hash.digest("hex").slice(0, 16)) },
});
writeFileSync(join(out, ".nojekyll"), "");
