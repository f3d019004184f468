// The program, in a worker. It is asked by `{id, method, params}` and answers `{id, result}` or `{id, error}`.
import init, { Program } from "houserule-wasm";

let program: Program | undefined;
let working = false;

/** Does pending analysis of the language server piece by piece, so that other messages come in between. */
function work(): void {
  if (working) return;
  working = true;
  const step = (): void => {
    working = program?.lsp_work() ?? false;
    if (working) setTimeout(step, 0);
  };
  setTimeout(step, 0);
}

async function answer(method: string, params: unknown[]): Promise<unknown> {
  if (method === "begin") {
    const [module, files] = params as [WebAssembly.Module, Record<string, string>];
    await init({ module_or_path: module });
    program = new Program((json: string) => postMessage(JSON.parse(json)));
    for (const [path, text] of Object.entries(files)) program.write(path, text);
    return null;
  }
  if (!program) throw new Error("the program has not begun");
  const call = (program as unknown as Record<string, (...given: unknown[]) => unknown>)[method];
  if (typeof call !== "function") throw new Error(`the program has no ${method}`);
  const result = call.apply(program, params);
  if (method === "lsp" || method === "write" || method === "remove") work();
  return result ?? null;
}

self.addEventListener("message", async (event: MessageEvent) => {
  const { id, method, params } = event.data as { id: number; method: string; params: unknown[] };
  try {
    postMessage({ id, result: await answer(method, params) });
  } catch (error) {
    postMessage({ id, error: error instanceof Error ? error.message : String(error) });
  }
});
