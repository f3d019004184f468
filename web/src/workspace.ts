// The files that one works on, and the program that knows them.
import { findKeeper, type Keeper } from "./kept";
import { Program } from "./program";
import type { FileEntry, GameEntry } from "./protocol";
import { Store } from "./store";
import { fail } from "./ui/live";

/** The files and the program of the page. */
class Workspace {
  /** The program that has the files, the language server and the table; `null` until it runs. */
  readonly program = new Store<Program | null>(null);
  /** All files that there are. */
  readonly entries = new Store<FileEntry[]>([]);
  /** Counts changes of files. */
  readonly revision = new Store(0);
  readonly games = new Store<GameEntry[]>([]);
  /** Where files are kept, or `scratch` if they came by a link and are kept nowhere. */
  readonly place = new Store<"browser" | "folder" | "scratch">("browser");
  /** Why the page cannot go on; `null` if it can. */
  readonly fault = new Store<string | null>(null);
  /** What others have changed in files that may be open here. */
  changedElsewhere: (path: string, text: string | null) => void = () => {};

  private own = new Map<string, string>();
  private kept: Record<string, string> = {};
  private keeper: Keeper | undefined;
  private listing = 0;
  /** Texts that were written into the folder and of which it has not told yet. */
  private readonly written = new Map<string, (string | null)[]>();

  /** One's own files, for another program that is to work on the same. */
  ownFiles(): Record<string, string> {
    return Object.fromEntries(this.own);
  }

  isOwn(path: string): boolean {
    return this.own.has(path);
  }

  /** Starts with the files that are kept, or with those of a link. */
  async start(scratch: Record<string, string> | null): Promise<void> {
    try {
      this.keeper ??= await findKeeper();
      this.kept = await this.keeper.load();
      const isOther = scratch !== null && !sameFiles(scratch, this.kept);
      const files = isOther ? scratch : this.kept;
      this.own = new Map(Object.entries(files));
      this.place.set(isOther ? "scratch" : this.keeper.kind);
      this.program.value?.end();
      const program = new Program(files);
      program.broken = (message) => {
        fail(`The program has met a fault of its own and was started anew; your files are as they were. ${message}`);
        void this.start(isOther ? this.ownFiles() : null);
      };
      this.entries.set(await program.files());
      // Which games there are is known of the built-in ones; where there are files of one's own it is asked for, which takes a moment.
      if (!this.games.value.length || !Object.keys(files).length) this.games.set((await (await fetch("games.json")).json()) as GameEntry[]);
      this.program.set(program);
      if (Object.keys(files).length) void this.list(program);
      this.revision.set(this.revision.value + 1);
      this.keeper.follow((path, text) => this.takeOver(path, text), fail);
    } catch (error) {
      this.fault.set(error instanceof Error ? error.message : String(error));
    }
  }

  /** The kept files that would be written over if those of a link were kept. */
  writtenOver(): string[] {
    return [...this.own].flatMap(([path, text]) => (path in this.kept && this.kept[path] !== text ? [path] : []));
  }

  /** Keeps the files that came by a link, beside those that one had, or in their place where they have the same path. */
  async keepScratch(): Promise<void> {
    if (!this.keeper || this.place.value !== "scratch") return;
    for (const [path, text] of this.own) await this.keeper.keep(path, text);
    await this.start(null);
  }

  read(path: string): Promise<string> {
    const own = this.own.get(path);
    if (own !== undefined) return Promise.resolve(own);
    if (!this.program.value) return Promise.reject(new Error("the program has not begun"));
    return this.program.value.read(path);
  }

  /** Writes a file: here, for the program, and where files are kept. */
  async write(path: string, text: string): Promise<void> {
    const before = this.own.get(path);
    if (before === text) return;
    this.own.set(path, text);
    await this.changed(path, text, before);
  }

  /** Removes a file of one's own; a built-in one comes back. */
  async remove(path: string): Promise<void> {
    const before = this.own.get(path);
    if (!this.own.delete(path)) return;
    await this.changed(path, null, before);
  }

  private async changed(path: string, text: string | null, before: string | undefined): Promise<void> {
    if (this.place.value === "folder") this.written.set(path, [...(this.written.get(path) ?? []), text]);
    try {
      if (this.place.value !== "scratch") await this.keeper?.keep(path, text);
    } catch (error) {
      fail(`${path} could not be kept: ${error instanceof Error ? error.message : error}`);
    }
    await this.tell(path, text, before);
  }

  private async tell(path: string, text: string | null, before: string | undefined): Promise<void> {
    const program = this.program.value;
    if (!program) return;
    await (text === null ? program.remove(path) : program.write(path, text));
    this.revision.set(this.revision.value + 1);
    if (text === null || before === undefined) this.entries.set(await program.files());
    // To read all games takes a second, in which the language server waits: only what a form shows of them is a reason for it.
    if (!/\.rules$|pack\.toml$/.test(path) || formLines(text ?? "") === formLines(before ?? "")) return;
    clearTimeout(this.listing);
    this.listing = setTimeout(() => void this.list(program), 300) as unknown as number;
  }

  /** Asks anew which games there are. Rules with a fault in them leave the list as it was. */
  private async list(program: Program): Promise<void> {
    this.entries.set(await program.files());
    try {
      this.games.set(await program.games());
    } catch {
      // What is wrong is told where the file is.
    }
  }

  private takeOver(path: string, text: string | null): void {
    // What comes back of one's own writing is nothing new, though more may have been typed since.
    const written = this.written.get(path) ?? [];
    const echo = written.lastIndexOf(text);
    if (echo >= 0) this.written.set(path, written.slice(echo + 1));
    if (echo >= 0 || this.place.value === "scratch" || (text ?? undefined) === this.own.get(path)) return;
    const before = this.own.get(path);
    if (text === null) this.own.delete(path);
    else this.own.set(path, text);
    this.changedElsewhere(path, text);
    void this.tell(path, text, before);
  }
}

/** The lines of rules that say what a form asks before a game. */
function formLines(text: string): string {
  return (text.match(/^\s*(?:game|players|option|variant|kind|extends)\b.*/gm) ?? []).join("\n");
}

function sameFiles(one: Record<string, string>, other: Record<string, string>): boolean {
  const paths = Object.keys(one);
  return paths.length === Object.keys(other).length && paths.every((path) => one[path] === other[path]);
}

/** The one workspace of the page. */
export const workspace = new Workspace();
