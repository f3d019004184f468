// The files that one works on, and the program that knows them.
import { ChangedElsewhere, findKeeper, inLink, type Files, type Keeper } from "./kept";
import { withLineEnds } from "./lines";
import { Program } from "./program";
import type { FileEntry, GameEntry } from "./protocol";
import { Store } from "./store";
import { fail, tell } from "./ui/live";

/** Files that came by a link: what stands behind the `#`, and what it carries. */
export interface LinkFiles {
  code: string;
  files: Files;
}

/** Texts that could not be kept before the page was left, each with the one that was kept when it was written. */
type Unkept = Record<string, { text: string | null; seen: string | null; torn: boolean }>;

/** Where such texts stand, behind which comes the name of the window. */
const UNKEPT = "houserule-unkept:";
/** Milliseconds for which the keys rest until what was typed is kept. */
const REST = 250;

/** The files and the program of the page. */
class Workspace {
  /** The program that has the files, the language server and the table; `null` until it runs. */
  readonly program = new Store<Program | null>(null);
  /** All files that there are. */
  readonly entries = new Store<FileEntry[]>([]);
  /** Counts changes of files. */
  readonly revision = new Store(0);
  readonly games = new Store<GameEntry[]>([]);
  /** Where files are kept; `scratch` for those of a link, which lie beside one's own. */
  readonly place = new Store<Keeper["kind"]>("browser");
  /** Why the page cannot go on; `null` if it can. */
  readonly fault = new Store<string | null>(null);
  /** Files of which another text is kept than was written upon here, and that text: neither is lost before one says which is to hold. */
  readonly torn = new Store<ReadonlyMap<string, string | null>>(new Map());
  /** Files that lie where one's own are kept and are not shown, each with the reason. */
  readonly left = new Store<readonly [string, string][]>([]);
  /** Is called when a file that may be open here is another now. */
  changedElsewhere: (path: string, text: string | null) => void = () => {};

  private own = new Map<string, string>();
  private base: Keeper | undefined;
  private keeper: Keeper | undefined;
  private link: LinkFiles | null = null;
  private listing = 0;
  private readonly typing = new Map<string, { text: string; timer: number }>();
  private readonly keeping = new Map<string, Promise<void>>();
  /** Where this window notes what is not kept; whether anything stands there. */
  private notes = "";
  private noted = false;

  constructor() {
    // The last moment in which anything can be done.
    addEventListener("pagehide", () => this.flush());
    document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && this.flush());
  }

  /** One's own files, for another program that is to work on the same. */
  ownFiles(): Files {
    return Object.fromEntries(this.own);
  }

  isOwn(path: string): boolean {
    return this.own.has(path);
  }

  /** Starts with the files that are kept, or with those of a link. */
  async start(link: LinkFiles | null): Promise<void> {
    try {
      await this.keepTyped().catch(() => {});
      await Promise.allSettled(this.keeping.values());
      this.noteUnkept();
      this.notes = `${UNKEPT}${Date.now()}-${Math.random()}`;
      this.base ??= await findKeeper();
      const linked = link && inLink(link.code, link.files);
      await linked?.load();
      await this.base.load();
      const isOther = linked !== null && !sameFiles(linked.told, this.base.told);
      this.keeper = isOther ? linked : this.base;
      this.link = isOther ? link : null;
      this.own = new Map(this.keeper.told);
      this.place.set(this.keeper.kind);
      this.left.set([...(this.keeper.left ?? [])]);
      this.torn.set(new Map());
      this.typing.clear();
      const unkept = this.findUnkept(this.keeper);
      this.program.value?.end();
      const given = this.ownFiles();
      const program = new Program(given);
      program.broken = (message) => {
        fail(`The program has met a fault of its own and was started anew; your files are as they were. ${message}`);
        void this.start(this.link);
      };
      this.entries.set(await program.files());
      // Which games there are is known of the built-in ones; where there are files of one's own it is asked for, which takes a moment.
      if (!this.games.value.length || !this.own.size) this.games.set((await (await fetch("games.json")).json()) as GameEntry[]);
      this.program.set(program);
      // What was written while it began.
      for (const path of new Set([...Object.keys(given), ...this.own.keys()])) {
        const now = this.own.get(path);
        if (now !== given[path]) await this.tell(path, now ?? null, given[path]);
      }
      if (this.own.size) void this.list(program);
      this.revision.set(this.revision.value + 1);
      this.base.follow((path, text, before) => this.takeOver(path, text, before), fail);
      for (const path of unkept) void this.keep(path);
    } catch (error) {
      this.fault.set(error instanceof Error ? error.message : String(error));
    }
  }

  /** The kept files that would be written over if those of a link were kept. */
  writtenOver(): string[] {
    return [...this.own].flatMap(([path, text]) => (this.base?.told.has(path) && this.base.told.get(path) !== text ? [path] : []));
  }

  /** Keeps the files that came by a link, beside those that one had, or in their place where they have the same path. */
  async keepScratch(): Promise<void> {
    if (!this.base || !this.link) return;
    await this.keepTyped();
    for (const [path, text] of this.own) await this.base.keep(path, text);
    await inLink(this.link.code, this.link.files).forget();
    await this.start(null);
  }

  /** Whether something was changed here in the files of a link. */
  isLinkChanged(): boolean {
    return this.link !== null && !sameFiles(new Map(Object.entries(this.link.files)), this.own);
  }

  /** Gives up what was changed in the files of a link. */
  async asLinked(): Promise<void> {
    const link = this.link;
    if (!link) return;
    await this.keepTyped();
    await inLink(link.code, link.files).forget();
    await this.start(link);
  }

  read(path: string): Promise<string> {
    const own = this.own.get(path);
    if (own !== undefined) return Promise.resolve(own);
    if (!this.program.value) return Promise.reject(new Error("the program has not begun"));
    return this.program.value.read(path);
  }

  /** Takes what is typed, and writes it when the keys have rested for a moment. */
  type(path: string, text: string): void {
    clearTimeout(this.typing.get(path)?.timer);
    const timer = setTimeout(() => void this.keepTyped(path), REST) as unknown as number;
    this.typing.set(path, { text, timer });
  }

  /** Writes what was typed in a file, or in all, at once. */
  async keepTyped(path?: string): Promise<void> {
    for (const one of path === undefined ? [...this.typing.keys()] : [path]) {
      const typed = this.typing.get(one);
      this.typing.delete(one);
      clearTimeout(typed?.timer);
      if (typed) await this.write(one, this.endedAsBefore(one, typed.text));
    }
  }

  /** A text of the editor, which knows one way to end a line, with the line ends of the file. */
  private endedAsBefore(path: string, text: string): string {
    return withLineEnds(this.own.get(path) ?? "", text);
  }

  /** Writes a file: here, for the program, and where files are kept. */
  async write(path: string, text: string): Promise<void> {
    const before = this.own.get(path);
    if (before === text) return;
    this.own.set(path, text);
    await Promise.all([this.keep(path), this.tell(path, text, before)]);
  }

  /** Removes a file of one's own; a built-in one comes back. */
  async remove(path: string): Promise<void> {
    // What was not seen is not removed.
    if (this.torn.value.has(path)) return this.takeOther(path);
    clearTimeout(this.typing.get(path)?.timer);
    this.typing.delete(path);
    const before = this.own.get(path);
    if (!this.own.delete(path)) return;
    await Promise.all([this.keep(path), this.tell(path, null, before)]);
  }

  /** Lets the text hold that is kept, and gives up the one that was written here. */
  async takeOther(path: string): Promise<void> {
    const other = this.mend(path);
    clearTimeout(this.typing.get(path)?.timer);
    this.typing.delete(path);
    this.noteUnkept();
    if (other !== undefined) await this.show(path, other);
  }

  /** Lets the text hold that was written here. */
  async keepMine(path: string): Promise<void> {
    this.mend(path);
    await this.keepTyped(path);
    await this.keep(path);
  }

  /** The text that stands here, with what was typed just now; `null` if there is none. */
  mine(path: string): string | null {
    const typed = this.typing.get(path);
    return typed ? this.endedAsBefore(path, typed.text) : (this.own.get(path) ?? null);
  }

  private mend(path: string): string | null | undefined {
    const torn = new Map(this.torn.value);
    const other = torn.get(path);
    torn.delete(path);
    this.torn.set(torn);
    return other;
  }

  private tear(path: string, other: string | null): void {
    if (!this.torn.value.has(path)) tell(`${path} was changed elsewhere while you wrote. Both texts are there: say at the file which is to hold.`);
    this.torn.set(new Map(this.torn.value).set(path, other));
  }

  /** Keeps a file as it stands here, one writing after the other. */
  private keep(path: string): Promise<void> {
    const now = (this.keeping.get(path) ?? Promise.resolve()).then(() => this.keepNow(path));
    this.keeping.set(path, now);
    return now;
  }

  private async keepNow(path: string): Promise<void> {
    const keeper = this.keeper;
    const text = this.own.get(path) ?? null;
    if (!keeper || this.torn.value.has(path) || text === (keeper.told.get(path) ?? null)) return;
    try {
      await keeper.keep(path, text);
      if (this.noted) this.noteUnkept();
    } catch (error) {
      // What stands there instead has been taken over by now.
      if (!(error instanceof ChangedElsewhere)) fail(`${path} could not be kept: ${error instanceof Error ? error.message : error}`);
    }
  }

  private async tell(path: string, text: string | null, before: string | undefined): Promise<void> {
    const program = this.program.value;
    // One that begins in the place of another gets all files as they are then.
    if (!program || program.isOver) return;
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
    try {
      this.entries.set(await program.files());
      this.games.set(await program.games());
    } catch {
      // What is wrong is told where the file is.
    }
  }

  /** Takes over what others have changed, unless something was written here upon what was there before. */
  private takeOver(path: string, text: string | null, before: string | null): void {
    if (this.place.value === "scratch") return;
    const mine = this.mine(path);
    if (mine === text) return void this.mend(path);
    // What was removed here and changed elsewhere is not removed.
    if (mine !== before && mine !== null) return this.tear(path, text);
    void this.show(path, text);
  }

  private async show(path: string, text: string | null): Promise<void> {
    const before = this.own.get(path);
    if (text === null) this.own.delete(path);
    else this.own.set(path, text);
    this.changedElsewhere(path, text);
    await this.tell(path, text, before);
  }

  /** Begins to keep all that was typed, and notes at once what is not kept yet, since the page may be gone before it is. */
  private flush(): void {
    for (const path of [...this.typing.keys()]) void this.keepTyped(path);
    this.noteUnkept();
  }

  private noteUnkept(): void {
    const keeper = this.keeper;
    if (!keeper) return;
    const files: Unkept = {};
    for (const path of new Set([...this.own.keys(), ...keeper.told.keys(), ...this.typing.keys()])) {
      const [text, seen] = [this.mine(path), keeper.told.get(path) ?? null];
      if (text !== seen) files[path] = { text, seen, torn: this.torn.value.has(path) };
    }
    this.noted = Object.keys(files).length > 0;
    try {
      if (this.noted) localStorage.setItem(this.notes, JSON.stringify({ space: keeper.name, files }));
      else localStorage.removeItem(this.notes);
    } catch (error) {
      fail(`What was typed last may be lost when the page is closed: ${error instanceof Error ? error.message : error}`);
    }
  }

  /** Takes up what could not be kept before a page was left, and returns the paths. */
  private findUnkept(keeper: Keeper): string[] {
    const found = new Set<string>();
    try {
      const names = Array.from({ length: localStorage.length }, (_, at) => localStorage.key(at) ?? "").filter((name) => name.startsWith(UNKEPT));
      const taken = names.filter((name) => {
        const { space, files } = JSON.parse(localStorage.getItem(name) ?? "{}") as { space: string; files: Unkept };
        if (space !== keeper.name) return false;
        for (const [path, { text, seen, torn }] of Object.entries(files)) {
          const kept = keeper.told.get(path) ?? null;
          if (text === kept) continue;
          found.add(path);
          if (text === null) this.own.delete(path);
          else this.own.set(path, text);
          if (torn || seen !== kept) this.tear(path, kept);
        }
        return true;
      });
      this.noteUnkept();
      for (const name of taken) localStorage.removeItem(name);
    } catch (error) {
      fail(`What was typed last could not be read: ${error instanceof Error ? error.message : error}`);
    }
    if (found.size && !this.torn.value.size) tell(`${[...found].join(", ")}: what was typed last is there again`);
    return [...found];
  }
}

/** The lines of rules that say what a form asks before a game. */
function formLines(text: string): string {
  return (text.match(/^\s*(?:game|players|option|variant|kind|extends)\b.*/gm) ?? []).join("\n");
}

function sameFiles(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean {
  return one.size === other.size && [...one].every(([path, text]) => other.get(path) === text);
}

/** The one workspace of the page. */
export const workspace = new Workspace();
