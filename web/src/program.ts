// The program as the page sees it: each one is a worker, and is ended to cancel what it does.
import type { Beginning, FileEntry, GameEntry, Hint, Progress, RunResult, TableState, View } from "./protocol";

type Notice = Progress | { event: "lsp"; message: unknown };

/** The machine player that is asked for hints. */
const HINT = "greedy";

let compiled: Promise<WebAssembly.Module> | undefined;

/** Compiles the program once; each worker gets the result. */
function module(): Promise<WebAssembly.Module> {
  compiled ??= (async () => {
    const answer = fetch("houserule_web_bg.wasm");
    try {
      return await WebAssembly.compileStreaming(answer);
    } catch {
      // A host that does not know the type of the file.
      return await WebAssembly.compile(await (await fetch("houserule_web_bg.wasm")).arrayBuffer());
    }
  })();
  return compiled;
}

/** A running program. */
export class Program {
  /** Is called with each notice of the program. */
  notice: (notice: Notice) => void = () => {};
  /** Is called when the program has met a fault of its own and can do nothing more. */
  broken: (message: string) => void = () => {};
  private readonly worker = new Worker("worker.js", { type: "module" });
  private readonly waiting = new Map<number, { resolve: (value: unknown) => void; reject: (reason: Error) => void }>();
  private next = 0;
  /** Why it was ended; empty while it runs. */
  private over = "";
  private readonly begun: Promise<unknown>;

  /** Begins a program with these files of one's own. */
  constructor(files: Record<string, string>) {
    this.worker.addEventListener("message", (event: MessageEvent) => {
      if (event.data.event === "panic") {
        this.end(`the program has met a fault of its own: ${event.data.message}`);
        return this.broken(event.data.message);
      }
      if (event.data.event) return this.notice(event.data as Notice);
      const waiting = this.waiting.get(event.data.id);
      this.waiting.delete(event.data.id);
      if ("error" in event.data) waiting?.reject(new Error(event.data.error));
      else waiting?.resolve(event.data.result);
    });
    this.worker.addEventListener("error", (event) => this.fail(event.message || "the program could not be started"));
    this.begun = module().then((module) => this.send("begin", [module, files]));
    this.begun.catch((error: Error) => this.fail(error.message));
  }

  /** Ends the program at once; what it was asked is refused. */
  end(reason = "cancelled"): void {
    this.worker.terminate();
    this.over = reason;
    this.fail(reason);
  }

  get isOver(): boolean {
    return this.over !== "";
  }

  files = async (): Promise<FileEntry[]> => (await this.json<FileEntry[]>("files")).map((file) => ({ ...file, changed: file.built_in && file.changed }));
  read = (path: string): Promise<string> => this.ask("read", path);
  write = (path: string, text: string): Promise<void> => this.ask("write", path, text);
  remove = (path: string): Promise<void> => this.ask("remove", path);
  run = (args: string[]): Promise<RunResult> => this.json("run", JSON.stringify(args));
  lsp = (message: string): Promise<void> => this.ask("lsp", message);
  games = (): Promise<GameEntry[]> => this.json("games");
  begin = (beginning: Beginning): Promise<TableState> => this.json("table_begin", JSON.stringify(beginning));
  open = (replay: string): Promise<TableState> => this.json("table_open", replay);
  view = (seat: number): Promise<View> => this.json("table_view", seat);
  answer = (option: number): Promise<TableState> => this.json("table_answer", option);
  machine = (): Promise<TableState> => this.json("table_machine");
  undo = (althoughRevealed: boolean): Promise<TableState> => this.json("table_undo", althoughRevealed);
  changes = (option: number): Promise<string[]> => this.json("table_changes", option);
  whyNot = (key: string): Promise<string[]> => this.json("table_why_not", key);
  hint = (): Promise<Hint> => this.json("table_hint", HINT);
  seek = (count: number): Promise<TableState> => this.json("table_seek", count);
  save = (): Promise<string> => this.ask("table_save");

  private async ask<T>(method: string, ...params: unknown[]): Promise<T> {
    await this.begun;
    return (await this.send(method, params)) as T;
  }

  private async json<T>(method: string, ...params: unknown[]): Promise<T> {
    return JSON.parse(await this.ask<string>(method, ...params)) as T;
  }

  private send(method: string, params: unknown[]): Promise<unknown> {
    if (this.over) return Promise.reject(new Error(this.over));
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage({ id, method, params });
    });
  }

  private fail(message: string): void {
    for (const { reject } of this.waiting.values()) reject(new Error(message));
    this.waiting.clear();
  }
}
